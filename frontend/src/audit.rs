//! The completeness audit: every identifier a function's text holds must be accounted for by the syntax tree.
//!
//! libclang silently drops statements whose names do not resolve, so a tree that looks whole may lack reads, writes and
//! calls (notes/frontend.md section 5). Tokens are matched by (file, offset), never by offset alone.

use std::collections::{BTreeMap, HashMap, HashSet};

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey, TranslationUnit};
use crate::source_text::Files;

/// Identifiers that no cursor accounts for: by file, offsets in ascending order, each with its spelling.
pub(crate) type Lost = HashMap<usize, BTreeMap<u32, String>>;

/// Declarations outside the unit's own files that these refer to: by file, and file of the first declaration.
pub(crate) type Mentioned = HashSet<(usize, usize)>;

/// What the tree accounts for.
struct Cover<'f> {
    files: &'f Files,
    covered: HashMap<usize, HashSet<u32>>,
    mentioned: Mentioned,
    /// Referenced declarations, and instantiations, that were seen before.
    targets: HashSet<CursorKey>,
    instantiations: HashSet<CursorKey>,
}

/// Audits the unit's own files.
pub(crate) fn audit(unit: &TranslationUnit, files: &Files) -> (Lost, Mentioned) {
    let mut cover = Cover {
        files,
        covered: HashMap::new(),
        mentioned: Mentioned::new(),
        targets: HashSet::new(),
        instantiations: HashSet::new(),
    };
    let mut expansions: HashMap<usize, HashSet<u32>> = HashMap::new();
    for child in unit.cursor().children() {
        match child.kind() {
            clang::CXCursor_MacroExpansion => {
                let at = child.name_location();
                expansions.entry(at.file).or_default().insert(at.offset);
            }
            clang::CXCursor_MacroDefinition | clang::CXCursor_InclusionDirective => {}
            _ if child.in_system_header() => {}
            _ => {
                cover.instantiations.clear();
                cover.visit(child);
            }
        }
    }
    let mut lost = Lost::new();
    for (handle, text) in files.iter() {
        let skipped = unit.skipped(handle);
        let none = HashSet::new();
        let covered = cover.covered.get(&handle).unwrap_or(&none);
        let expanded = expansions.get(&handle).unwrap_or(&none);
        for (offset, _, name) in unit.identifiers(handle, text.len()) {
            let accounted = covered.contains(&offset)
                || expanded.contains(&offset)
                || text.in_define(offset)
                || skipped.iter().any(|&(start, end)| (start..=end).contains(&offset))
                || is_lexical(&name);
            if !accounted {
                lost.entry(handle).or_default().insert(offset, name);
            }
        }
    }
    (lost, cover.mentioned)
}

/// Names that are never entities: attributes and specifiers.
fn is_lexical(name: &str) -> bool {
    matches!(
        name,
        "override"
            | "final"
            | "noinline"
            | "always_inline"
            | "aligned"
            | "unused"
            | "maybe_unused"
            | "nodiscard"
            | "fallthrough"
            | "packed"
            | "noreturn"
            | "__unused__"
            | "likely"
            | "unlikely"
    )
}

impl Cover<'_> {
    fn visit(&mut self, cursor: Cursor) {
        let kind = cursor.kind();
        let target = cursor.referenced();
        let resolves = cursor.is_declaration()
            || target.is_some()
            || matches!(
                kind,
                clang::CXCursor_LabelStmt
                    | clang::CXCursor_SizeOfPackExpr
                    | clang::CXCursor_CXXThisExpr
            );
        if resolves {
            for at in [cursor.name_location(), cursor.name_expansion()] {
                self.covered.entry(at.file).or_default().insert(at.offset);
            }
            for index in 0..4 {
                let Some(at) = cursor.reference_name(index) else { break };
                self.covered.entry(at.file).or_default().insert(at.offset);
            }
        }
        if cursor.is_index_property() {
            // The last letter.
            let at = cursor.expanded_range().1;
            self.covered.entry(at.file).or_default().insert(at.offset.saturating_sub(1));
        }
        if let Some(target) = target {
            self.mention(target);
        }
        // The body of an instantiation resolves what its template leaves open.
        if kind == clang::CXCursor_CallExpr
            && let Some(target) = target
            && !target.in_system_header()
            && target.template().is_some()
            && self.instantiations.insert(target.key())
        {
            for child in target.definition().unwrap_or(target).children() {
                self.visit(child);
            }
        }
        for child in cursor.children() {
            self.visit(child);
        }
    }

    fn mention(&mut self, target: Cursor) {
        if !self.targets.insert(target.key()) {
            return;
        }
        let file = target.name_expansion().file;
        if self.files.get(file).is_none() {
            self.mentioned.insert((file, target.canonical().name_expansion().file));
        }
    }
}
