//! Where what is lowered stands in the text.

use clang_sys as clang;
use echo_dataflow::program::{Declaration, FileId, SourceFile, SourceRef, Span, Spelling};

use crate::clang::{Cursor, Location, file_name};
use crate::source_text::FileText;

use super::{Unit, new_shape};

impl Unit<'_> {
    /// The id of a file of clang's.
    pub(super) fn file_id(&mut self, file: usize) -> FileId {
        if let Some(&id) = self.file_ids.get(&file) {
            return id;
        }
        let id = FileId::new(self.program.files.len());
        let mut source = match self.context.files.get(file) {
            Some(text) => text.source.clone(),
            None => SourceFile {
                path: file_name(file),
                text: Vec::new(),
                editable: false,
                conditional_branches: Vec::new(),
                suppressions: Vec::new(),
                expansions: Vec::new(),
                macro_body_names: Vec::new(),
                line_starts: Default::default(),
            },
        };
        crate::text_scan::in_file(&mut source, id);
        source.expansions = self.expansions.get(&file).cloned().unwrap_or_default();
        self.program.files.push(source);
        self.file_ids.insert(file, id);
        id
    }

    pub(super) fn text_of(&self, file: usize) -> Option<&FileText> {
        self.context.files.get(file)
    }

    /// The range of `cursor` where a user would look for it.
    pub(super) fn source(&mut self, cursor: Cursor) -> SourceRef {
        let (start, end) = cursor.spelled_range();
        let (from, to) = cursor.expanded_range();
        let mut source = self.source_of(&start, &end, &from, &to);
        if cursor.kind() == clang::CXCursor_CXXNewExpr
            && source.spelling != Spelling::MacroBody
            && let Some(new_shape::NewShape::Array { end, .. }) = self.new_shape(cursor)
        {
            source.span.end = source.span.end.max(end);
        }
        source
    }

    /// What `new` makes, if its text can be read.
    pub(super) fn new_shape(&self, cursor: Cursor) -> Option<new_shape::NewShape> {
        let (start, end) = cursor.spelled_range();
        let (from, _) = cursor.expanded_range();
        let text = self.text_of(start.file)?;
        if start.file != end.file || (start != from && text.in_define(start.offset)) {
            return None;
        }
        new_shape::new_shape(text, start.offset)
    }

    fn source_of(
        &mut self,
        start: &Location,
        end: &Location,
        from: &Location,
        to: &Location,
    ) -> SourceRef {
        if start.file == from.file && start.offset == from.offset && end.file == start.file {
            // The start is in plain text; the end may be inside a macro: then the expansion's end.
            let end = if end.offset >= start.offset && end.offset == to.offset {
                end.offset
            } else {
                to.offset
            };
            return SourceRef {
                span: Span {
                    file: self.file_id(start.file),
                    start: start.offset,
                    end: end.max(start.offset),
                },
                spelling: Spelling::Text,
            };
        }
        let in_argument = start.file == end.file
            && end.offset > start.offset
            && self.text_of(start.file).is_some_and(|text| {
                !text.in_define(start.offset) && !text.in_define(end.offset.saturating_sub(1))
            });
        if in_argument {
            return SourceRef {
                span: Span { file: self.file_id(start.file), start: start.offset, end: end.offset },
                spelling: Spelling::MacroArgument,
            };
        }
        SourceRef {
            span: Span {
                file: self.file_id(from.file),
                start: from.offset,
                end: to.offset.max(from.offset),
            },
            spelling: Spelling::MacroBody,
        }
    }

    pub(super) fn name_source(&mut self, cursor: Cursor) -> SourceRef {
        let written = cursor.name_location();
        let expanded = cursor.name_expansion();
        let length = u32::try_from(cursor.name().len()).unwrap_or(0);
        let spelling = if written == expanded {
            Spelling::Text
        } else if self.text_of(written.file).is_some_and(|text| !text.in_define(written.offset)) {
            Spelling::MacroArgument
        } else {
            Spelling::MacroBody
        };
        let at = if spelling == Spelling::MacroBody { expanded } else { written };
        SourceRef {
            span: Span { file: self.file_id(at.file), start: at.offset, end: at.offset + length },
            spelling,
        }
    }

    pub(super) fn definition_span(&mut self, cursor: Cursor) -> Span {
        let (start, end) = cursor.expanded_range();
        Span {
            file: self.file_id(start.file),
            start: start.offset,
            end: end.offset.max(start.offset),
        }
    }

    pub(super) fn declaration(&mut self, cursor: Cursor) -> Option<Declaration> {
        let name = self.name_source(cursor);
        let file = cursor.name_expansion().file;
        let text = self.text_of(file)?;
        let (start, end) = match cursor.kind() {
            clang::CXCursor_ParmDecl => text.body_after(name.span.end),
            _ => text.enclosing_braces(name.span.start),
        };
        let scope = Span { file: name.span.file, start, end };
        Some(Declaration { name: name.span, scope, spelling: name.spelling })
    }
}
