//! The completeness audit: every identifier a function's text holds must be accounted for by the syntax tree.
//!
//! libclang silently drops statements whose names do not resolve, so a tree that looks whole may lack reads, writes and
//! calls (notes/frontend.md section 5). Tokens are matched by (file, offset), never by offset alone.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use clang_sys as clang;
use echo_dataflow::program::WRITTEN_NAMES;

use crate::clang::{Cursor, CursorKey, TranslationUnit};
use crate::source_text::Files;

/// Identifiers that no cursor accounts for: by file, offsets in ascending order, each with its spelling.
pub(crate) type Lost = HashMap<usize, BTreeMap<u32, String>>;

/// Declarations outside the unit's own files that these refer to: by file, and file of the first declaration.
pub(crate) type Mentioned = HashSet<(usize, usize)>;

/// What the audit finds.
pub(crate) struct Audit {
    /// What no cursor accounts for.
    pub(crate) lost: Lost,
    /// What is referred to.
    pub(crate) mentioned: Mentioned,
    /// Those of [`WRITTEN_NAMES`] that are declared outside system headers, other than what those declare.
    pub(crate) taken_names: BTreeSet<&'static str>,
}

/// What the tree accounts for.
struct Cover<'f> {
    files: &'f Files,
    covered: HashMap<usize, HashSet<u32>>,
    mentioned: Mentioned,
    /// Referenced declarations, and instantiations, that were seen before.
    targets: HashSet<CursorKey>,
    instantiations: HashSet<CursorKey>,
    taken_names: BTreeSet<&'static str>,
}

/// Audits the unit's own files.
pub(crate) fn audit(unit: &TranslationUnit, files: &Files) -> Audit {
    let mut cover = Cover {
        files,
        covered: HashMap::new(),
        mentioned: Mentioned::new(),
        targets: HashSet::new(),
        instantiations: HashSet::new(),
        taken_names: BTreeSet::new(),
    };
    let mut expansions: HashMap<usize, HashSet<u32>> = HashMap::new();
    for child in unit.cursor().children() {
        match child.kind() {
            clang::CXCursor_MacroExpansion => {
                let at = child.name_location();
                expansions.entry(at.file).or_default().insert(at.offset);
            }
            clang::CXCursor_InclusionDirective => {}
            clang::CXCursor_MacroDefinition => {
                if !child.in_system_header() {
                    cover.take_name(child);
                }
            }
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
    Audit { lost, mentioned: cover.mentioned, taken_names: cover.taken_names }
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
        if cursor.is_declaration() {
            self.take_name(cursor);
        }
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

    /// Notes a declaration that gives another meaning to a name that edits may write. (What a using-declaration names is
    /// declared elsewhere.)
    fn take_name(&mut self, declaration: Cursor) {
        let name = declaration.name();
        if let Some(taken) = WRITTEN_NAMES.into_iter().find(|written| *written == name)
            && declaration.kind() != clang::CXCursor_UsingDeclaration
            && !declaration.canonical().in_system_header()
        {
            self.taken_names.insert(taken);
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
