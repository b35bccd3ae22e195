//! Cursors to spans of the original text.

use std::collections::HashMap;

use echo_dataflow::program::{FileId, SourceFile, SourceRef, Span, Spelling};

use crate::clang::{Cursor, File, FileKey, Kind, Location, Position, TranslationUnit};

/// Whose code a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ownership {
    /// The main file, or a header inside the scanned roots: analysed and edited.
    Own,
    /// Another header that is not a system header: analysed where reached.
    Foreign,
    /// System, toolkit and built-in headers: described by effect models.
    System,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    id: Option<FileId>,
    ownership: Ownership,
}

/// The files of a unit and the macro expansions in them.
pub(crate) struct Spans<'tu> {
    unit: &'tu TranslationUnit,
    roots: Vec<std::path::PathBuf>,
    entries: HashMap<FileKey, Entry>,
    /// End offset by start of each outermost-or-inner macro expansion written in a file.
    expansions: HashMap<(FileKey, u32), u32>,
    /// Filled in order of first use; becomes [`echo_dataflow::program::Program::files`].
    pub(crate) files: Vec<SourceFile>,
    handles: Vec<File<'tu>>,
}

impl<'tu> Spans<'tu> {
    pub(crate) fn new(unit: &'tu TranslationUnit, roots: &[std::path::PathBuf]) -> Self {
        let mut spans = Self {
            unit,
            roots: roots.to_vec(),
            entries: HashMap::new(),
            expansions: HashMap::new(),
            files: Vec::new(),
            handles: Vec::new(),
        };
        if let Some(main) = unit.main_file() {
            spans.register(main, Ownership::Own);
        }
        spans
    }

    /// Notes a macro expansion (`Kind::MacroExpansion`).
    pub(crate) fn note_expansion(&mut self, expansion: Cursor<'tu>) {
        let (start, end) = expansion.extent();
        let (start, end) = (start.spelling(), end.spelling());
        if let (Some(key), Some(end_key)) = (start.key(), end.key())
            && key.0 == end_key.0
        {
            self.expansions.insert(key, end_key.1);
        }
    }

    /// The main file's identity.
    pub(crate) fn main(&self) -> Option<FileKey> {
        self.handles.first().map(|f| f.key())
    }

    /// All files seen so far whose text is kept.
    pub(crate) fn kept(&self) -> impl Iterator<Item = (FileId, File<'tu>, Ownership)> + '_ {
        self.handles.iter().enumerate().map(|(i, f)| {
            let entry = self.entries[&f.key()];
            (FileId::new(i), *f, entry.ownership)
        })
    }

    /// Whose code the text at `location` (its expansion) is.
    pub(crate) fn ownership(&mut self, location: Location<'tu>) -> Ownership {
        let Some(file) = location.expansion().file else { return Ownership::System };
        if let Some(entry) = self.entries.get(&file.key()) {
            return entry.ownership;
        }
        let ownership = if location.in_system_header() {
            Ownership::System
        } else if self.in_roots(&file.name()) {
            Ownership::Own
        } else {
            Ownership::Foreign
        };
        self.register(file, ownership);
        ownership
    }

    fn in_roots(&self, name: &str) -> bool {
        let path = std::path::Path::new(name);
        let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        self.roots.iter().any(|root| path.starts_with(root))
    }

    fn register(&mut self, file: File<'tu>, ownership: Ownership) {
        let id = match ownership {
            Ownership::System => None,
            Ownership::Own | Ownership::Foreign => {
                let same = self.handles.iter().position(|h| h.same(file));
                Some(same.map_or_else(
                    || {
                        self.files.push(SourceFile {
                            path: plain_path(&file.name()),
                            text: file.contents(self.unit).to_vec(),
                            editable: ownership == Ownership::Own,
                            conditional_branches: Vec::new(),
                            suppressions: Vec::new(),
                            macro_body_names: Vec::new(),
                        });
                        self.handles.push(file);
                        FileId::new(self.files.len() - 1)
                    },
                    FileId::new,
                ))
            }
        };
        self.entries.insert(file.key(), Entry { id, ownership });
    }

    /// The text of a file.
    pub(crate) fn text(&self, file: FileId) -> &[u8] {
        &self.files[file.index()].text
    }

    fn id(&self, position: &Position<'tu>) -> Option<FileId> {
        self.entries.get(&position.file?.key())?.id
    }

    /// Where `cursor` is written. `None` for implicit code and for system headers.
    pub(crate) fn source(&mut self, cursor: Cursor<'tu>) -> Option<SourceRef> {
        let (start, end) = cursor.extent();
        self.range(start, end)
    }

    /// Where the text from `start` to `end` is written.
    pub(crate) fn range(&mut self, start: Location<'tu>, end: Location<'tu>) -> Option<SourceRef> {
        let expansion = start.expansion();
        let spelling = start.spelling();
        let (expansion_key, spelling_key) = (expansion.key()?, spelling.key());
        if !self.entries.contains_key(&expansion_key.0) {
            self.ownership(start);
        }
        let file = self.id(&expansion)?;
        let limit = u32::try_from(self.text(file).len()).unwrap_or(u32::MAX);
        let span = |from: u32, to: u32| Span { file, start: from, end: to.clamp(from, limit) };
        if spelling_key == Some(expansion_key) {
            let to = self.plain_end(end, expansion_key.0).unwrap_or(expansion_key.1);
            return Some(SourceRef {
                span: span(expansion_key.1, to.max(expansion_key.1)),
                spelling: Spelling::Text,
            });
        }
        let whole = self.expansions.get(&expansion_key).copied().unwrap_or(expansion_key.1);
        if let (Some(from), Some(to)) = (spelling_key, end.spelling().key()) {
            let inside = |offset: u32| offset > expansion_key.1 && offset <= whole;
            if from.0 == expansion_key.0
                && to.0 == from.0
                && inside(from.1)
                && inside(to.1)
                && from.1 <= to.1
            {
                return Some(SourceRef {
                    span: span(from.1, to.1),
                    spelling: Spelling::MacroArgument,
                });
            }
        }
        Some(SourceRef { span: span(expansion_key.1, whole), spelling: Spelling::MacroBody })
    }

    /// End offset of a range whose start is plain text of `file`.
    fn plain_end(&self, end: Location<'tu>, file: FileKey) -> Option<u32> {
        let expansion = end.expansion().key()?;
        if expansion.0 != file {
            return None;
        }
        if end.spelling().key() == Some(expansion) {
            return Some(expansion.1);
        }
        // The last token is a macro argument: the range ends where the macro use ends.
        self.expansions.get(&expansion).copied().or(Some(expansion.1))
    }
}

/// Whether top-level node `cursor` is part of the preprocessing record.
pub(crate) fn is_preprocessing(kind: Kind) -> bool {
    matches!(kind, Kind::MacroDefinition | Kind::MacroExpansion | Kind::InclusionDirective)
}

/// `path` without `.` components and without `x/..` pairs.
fn plain_path(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "." if !parts.is_empty() || path != "." => {}
            ".." if parts.last().is_some_and(|p| *p != ".." && !p.is_empty()) => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}
