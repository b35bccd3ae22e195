//! Whether a parse with a prefix may mean something else than one without.

use std::collections::{HashMap, HashSet};
use std::fmt;

use clang_sys as clang;

use super::cache::Loaded;
use super::facts::Facts;
use super::flags::macro_file;
use crate::audit::Mentioned;
use crate::clang::{Cursor, file_name};
use crate::source_text::Files;

/// Why the parse may differ; a name of what is to blame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Differs {
    /// Something in a header that the file does not include is referred to.
    NotIncluded(String),
    /// A macro that the headers of the prefix may use is defined before them.
    Macro(String),
    /// A pragma may apply to the headers of the prefix.
    Pragma,
}

impl fmt::Display for Differs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotIncluded(header) => write!(f, "{header} is used and not included"),
            Self::Macro(name) => write!(f, "{name} is defined before a system header"),
            Self::Pragma => f.write_str("a pragma may apply to system headers"),
        }
    }
}

/// Compares what the unit under `root` refers to with what it includes. `mentioned` are the declarations that its own
/// files refer to.
pub(crate) fn differs(
    root: Cursor,
    files: &Files,
    mentioned: &Mentioned,
    prefix: &Loaded,
) -> Option<Differs> {
    let facts = &prefix.facts;
    if files.iter().any(|(_, text)| text.has_pragma_for_headers()) {
        return Some(Differs::Pragma);
    }
    let mut unit = Unit { facts, by_path: facts.by_path(), known: HashMap::new() };
    let mut defined = Vec::new();
    let mut early: Vec<(String, bool)> = Vec::new();
    let mut includes: HashMap<usize, Vec<usize>> = HashMap::new();
    let mut macros = HashSet::new();
    for child in root.children() {
        match child.kind() {
            clang::CXCursor_MacroDefinition => {
                let file = child.name_expansion().file;
                // Some headers of the prefix are made to be read again, and the system's may be included in any order.
                if unit.node(file) >= facts.headers.len() && !child.in_system_header() {
                    defined.push((child.name(), file_name(file) == macro_file()));
                }
            }
            clang::CXCursor_MacroExpansion => {
                if let Some(definition) = child.referenced() {
                    macros.insert(definition.name_expansion().file);
                }
            }
            clang::CXCursor_InclusionDirective => {
                let included = child.included_file();
                let (from, to) = (unit.node(child.name_expansion().file), unit.node(included));
                includes.entry(from).or_default().push(to);
                if to < facts.headers.len() {
                    early.append(&mut defined);
                }
            }
            // Declarations; what they refer to is in `mentioned`.
            _ => {}
        }
    }
    early.extend(files.iter().flat_map(|(_, text)| text.undefined()).map(|name| (name, false)));
    if !early.is_empty() {
        let Some(words) = prefix.words() else { return Some(Differs::Macro(String::new())) };
        let clash = early.into_iter().find(|(name, by_flag)| {
            words.standard.contains(name) || *by_flag && words.built_in.contains(name)
        });
        if let Some((name, _)) = clash {
            return Some(Differs::Macro(name));
        }
    }
    let reached = unit.reached(includes, files);
    let mut is_reached = |file: usize| {
        // No file: built into clang. Files that are no part of the prefix were read because they are included.
        file == 0 || files.get(file).is_some() || {
            let node = unit.node(file);
            node >= facts.headers.len() || reached.contains(&node)
        }
    };
    macros
        .iter()
        .find(|&&file| !is_reached(file))
        .or_else(|| {
            let found =
                mentioned.iter().find(|&&(file, first)| !is_reached(file) && !is_reached(first));
            found.map(|(file, _)| file)
        })
        .map(|&file| Differs::NotIncluded(file_name(file)))
}

/// The files of a unit as nodes of its graph of inclusions: the headers of the prefix by index, then others.
struct Unit<'f> {
    facts: &'f Facts,
    by_path: HashMap<&'f str, usize>,
    known: HashMap<usize, usize>,
}

impl Unit<'_> {
    fn node(&mut self, file: usize) -> usize {
        let next = self.facts.headers.len() + self.known.len();
        let by_path = &self.by_path;
        *self
            .known
            .entry(file)
            .or_insert_with(|| by_path.get(file_name(file).as_str()).copied().unwrap_or(next))
    }

    /// Headers of the prefix that the unit really includes.
    fn reached(
        &mut self,
        mut includes: HashMap<usize, Vec<usize>>,
        files: &Files,
    ) -> HashSet<usize> {
        for &(from, to) in &self.facts.includes {
            includes.entry(from).or_default().push(to);
        }
        let count = self.facts.headers.len();
        let mut open: Vec<usize> = self.facts.prelude.clone();
        open.extend(files.iter().map(|(file, _)| file).map(|file| self.node(file)));
        // Headers that are no part of the prefix were read, whoever included them.
        open.extend(includes.keys().copied().filter(|&from| from >= count));
        let mut reached: HashSet<usize> = open.iter().copied().collect();
        while let Some(from) = open.pop() {
            for &to in includes.get(&from).into_iter().flatten() {
                if reached.insert(to) {
                    open.push(to);
                }
            }
        }
        reached
    }
}
