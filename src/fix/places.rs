//! Paths, lines and columns of places in a program.

use echo_dataflow::program::{FileId, Program, Span};

/// Turns offsets into lines.
#[derive(Clone, Copy)]
pub(crate) struct Places<'p> {
    program: &'p Program,
}

impl<'p> Places<'p> {
    /// Of `program`.
    pub(crate) fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// The path of a file.
    pub(crate) fn path(self, file: FileId) -> &'p str {
        &self.program.file(file).path
    }

    /// 1-based line and 1-based byte column of where `span` starts.
    pub(crate) fn line_column(self, span: Span) -> (u32, u32) {
        self.program.file(span.file).line_column(span.start)
    }

    /// Its line.
    pub(crate) fn line(self, span: Span) -> u32 {
        self.line_column(span).0
    }
}
