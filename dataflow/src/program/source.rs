//! Where things stand in the source text. All offsets are bytes into the original file.

use std::sync::OnceLock;

use super::StatementRef;

crate::index_type! {
    /// Index into [`super::Program::files`].
    FileId
}

/// A file whose text some statement or edit refers to.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path as the user would write it, relative to the working directory where possible.
    pub path: String,
    /// The original bytes, never normalised.
    pub text: Vec<u8>,
    /// Whether edits may be made here (inside the scanned roots, not a system or toolkit header).
    pub editable: bool,
    /// Preprocessor conditional branches, as disjoint ascending ranges with the number of the innermost
    /// branch; offsets outside all ranges are in branch 0. Include guards do not count as branches.
    pub conditional_branches: Vec<(u32, u32, u32)>,
    /// `// echo: ignore` comments.
    pub suppressions: Vec<Suppression>,
    /// Uses of macros in the text, with their arguments: first byte and one past the last.
    pub expansions: Vec<(u32, u32)>,
    /// Identifiers that occur in the bodies of `#define`s of this file: a buffer of such a name is declined,
    /// since macro bodies are outside the completeness audit (notes/frontend.md section 5, rule 4).
    pub macro_body_names: Vec<String>,
    /// Where the lines begin, once somebody asked.
    pub line_starts: LineStarts,
}

/// The first byte of each line, found when first needed: places are asked for once per event and more.
#[derive(Debug, Clone, Default)]
pub struct LineStarts(OnceLock<Vec<usize>>);

impl LineStarts {
    fn of(&self, text: &[u8]) -> &[usize] {
        self.0.get_or_init(|| {
            let after = text.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
            std::iter::once(0).chain(after.map(|(at, _)| at + 1)).collect()
        })
    }
}

impl SourceFile {
    /// The number of the innermost conditional branch that holds byte `offset`; 0 outside all.
    #[must_use]
    pub fn conditional_branch(&self, offset: u32) -> u32 {
        let after = self.conditional_branches.partition_point(|&(start, _, _)| start <= offset);
        match after.checked_sub(1).map(|i| self.conditional_branches[i]) {
            Some((_, end, branch)) if offset < end => branch,
            Some(_) | None => 0,
        }
    }

    /// 1-based line and 1-based byte column of `offset`.
    #[must_use]
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        let starts = self.line_starts.of(&self.text);
        // The first line starts at 0, so there is always one.
        let line = starts.partition_point(|&start| start <= offset);
        let column = offset - starts[line - 1] + 1;
        (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
    }
}

/// A comment that suppresses the pairs allocated on one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Suppression {
    /// 1-based line whose allocations are suppressed: the comment's own line, or the next one where the
    /// comment stands alone.
    pub line: u32,
    /// Where the comment itself stands.
    pub comment: Span,
}

/// Bytes `start..end` of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// How a span's text came to be there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spelling {
    /// Written at the span, outside any macro.
    Text,
    /// Written at the span, as (part of) an argument of a macro: the span is the argument's own place and
    /// may be edited.
    MacroArgument,
    /// Produced by the body of a `#define`; the span is that of the expansion and must not be edited.
    MacroBody,
}

/// The place a statement is reported at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SourceRef {
    /// The smallest range that shows the construct.
    pub span: Span,
    /// How its text came to be there.
    pub spelling: Spelling,
}

/// What the rewriter must know about the text of a call (allocation, copy, free, launch).
#[derive(Debug, Clone)]
pub struct CallSyntax {
    /// The whole call expression, from callee to closing parenthesis (for `new T[n]` and `delete[] p`, the
    /// whole expression).
    pub call: Span,
    /// The callee's name only (`cudaMalloc`, `malloc`); for `new`/`delete` the keyword (with `[]`).
    pub callee: Span,
    /// The arguments as written, in order; default arguments that were not written are absent.
    pub arguments: Vec<Span>,
    /// The call with the casts around it (`(float *)malloc(n)`): the operand of the initialisation or
    /// assignment. Equal to `call` where there is no cast.
    pub with_casts: Span,
    /// The innermost full statement that contains the call, with its semicolon; for a declaration the whole
    /// declaration with all its declarators.
    pub statement: Span,
    /// The statement is directly inside a `{}` block (so that statements can be inserted before and after it),
    /// not the lone body of an `if` or a loop and not in an `if`/`for` header.
    pub in_block: bool,
    /// What the value of the call is used for.
    pub role: CallRole,
    /// How the text of `call` came to be there.
    pub spelling: Spelling,
}

/// What becomes of a call's value, through casts and parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CallRole {
    /// The call is the whole statement: `cudaMemcpy(...);`
    Discarded,
    /// The value initialises a variable declared in `statement`: `float *h = (float *)malloc(n);`
    Initializes {
        /// The declared name.
        declarator: Span,
        /// How many variables the declaration declares.
        declarators: u32,
    },
    /// The value is assigned, and the assignment is the whole statement: `h = (float *)malloc(n);`
    Assigned {
        /// The left-hand side.
        target: Span,
    },
    /// Any other use: inside a macro argument, a condition, an argument list, a return.
    Nested,
}

/// Where a variable is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Declaration {
    /// The declared name.
    pub name: Span,
    /// The innermost scope (`{...}` or a `for` header with its body) that the name lives in; the whole file
    /// for globals.
    pub scope: Span,
    /// How the name came to be there.
    pub spelling: Spelling,
}

/// Orders statements by function, block and index (for deterministic output).
impl PartialOrd for StatementRef {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for StatementRef {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.function, self.block, self.index).cmp(&(other.function, other.block, other.index))
    }
}
