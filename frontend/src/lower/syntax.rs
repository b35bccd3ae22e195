//! The text of calls, for the rewriter.

use std::collections::HashMap;

use clang_sys as clang;
use echo_dataflow::program::{CallRole, CallSyntax, Span, Spelling};

use crate::clang::Cursor;

use super::Unit;
use super::body::Body;
use super::expr::strip_casts;

/// What is known of the statement being lowered.
#[derive(Debug, Default)]
pub(super) struct Site {
    /// Range of the full statement, and whether it stands directly in a block.
    statement: Option<(Span, bool)>,
    /// How many variables the declaration declares.
    declarators: u32,
    /// Role of the call that starts at this (file, offset).
    roles: HashMap<(u32, u32), (CallRole, Span)>,
}

impl Body<'_, '_> {
    /// An expression statement begins.
    pub(super) fn begin_expression_statement(&mut self, cursor: Cursor) {
        self.site = Site::default();
        let span = self.unit.statement_span(cursor);
        self.site.statement = span;
        let inner = super::expr::strip(cursor);
        let note = |body: &mut Self, call: Cursor, role: CallRole, whole: Cursor| {
            if let (Some(at), Some(whole)) =
                (body.unit.plain_span(call), body.unit.plain_span(whole))
            {
                body.site.roles.insert((at.file.0, at.start), (role, whole));
            }
        };
        match inner.kind() {
            clang::CXCursor_CallExpr
            | clang::CXCursor_CXXNewExpr
            | clang::CXCursor_CXXDeleteExpr => {
                note(self, inner, CallRole::Discarded, inner);
            }
            clang::CXCursor_CStyleCastExpr => {
                let call = strip_casts(inner);
                if call.kind() == clang::CXCursor_CallExpr {
                    note(self, call, CallRole::Discarded, inner);
                }
            }
            clang::CXCursor_BinaryOperator
                if inner.binary_operator() == clang::CXBinaryOperator_Assign =>
            {
                if let [left, right] = inner.children().as_slice() {
                    let call = strip_casts(*right);
                    if let (true, Some(target)) = (is_call(call), self.unit.plain_span(*left)) {
                        note(self, call, CallRole::Assigned { target }, written_operand(*right));
                    }
                }
            }
            _ => {}
        }
    }

    /// A declaration statement of `count` variables begins.
    pub(super) fn begin_declaration(&mut self, cursor: Cursor, count: usize) {
        self.site = Site::default();
        self.site.statement = self.unit.statement_span(cursor);
        self.site.declarators = u32::try_from(count).unwrap_or(u32::MAX);
    }

    /// The initialiser of a variable named at `declarator` begins.
    pub(super) fn begin_initializer(&mut self, initializer: Cursor, declarator: Span) {
        let call = strip_casts(initializer);
        if is_call(call)
            && self.site.declarators > 0
            && let (Some(at), Some(whole)) =
                (self.unit.plain_span(call), self.unit.plain_span(written_operand(initializer)))
        {
            let role = CallRole::Initializes { declarator, declarators: self.site.declarators };
            self.site.roles.insert((at.file.0, at.start), (role, whole));
        }
    }

    /// The statement ends.
    pub(super) fn end_site(&mut self) {
        self.site = Site::default();
    }

    /// The text of a call (or `new`, `delete`).
    pub(super) fn call_syntax(
        &mut self,
        cursor: Cursor,
        arguments: &[Cursor],
        callee: Option<Cursor>,
    ) -> CallSyntax {
        let source = self.unit.source(cursor);
        let call = source.span;
        let arguments: Vec<Span> = arguments
            .iter()
            .filter(|a| a.name_expansion().file != 0 && a.expanded_range().0.file != 0)
            .map(|a| self.unit.source(*a).span)
            .collect();
        let callee = match callee {
            Some(callee) => self.unit.source(callee).span,
            None => Span { end: call.start + self.unit.word_length(call), ..call },
        };
        let (role, with_casts) = self
            .site
            .roles
            .get(&(call.file.0, call.start))
            .cloned()
            .filter(|(_, whole)| whole.start <= call.start && whole.end >= call.end)
            .unwrap_or((CallRole::Nested, call));
        let (statement, in_block) = self.site.statement.unwrap_or((call, false));
        CallSyntax {
            call,
            callee,
            arguments,
            with_casts,
            statement,
            in_block,
            role,
            spelling: source.spelling,
        }
    }
}

fn is_call(cursor: Cursor) -> bool {
    matches!(cursor.kind(), clang::CXCursor_CallExpr | clang::CXCursor_CXXNewExpr)
}

/// Without implicit nodes around what was written.
fn written_operand(cursor: Cursor) -> Cursor {
    let mut at = cursor;
    while at.kind() == clang::CXCursor_UnexposedExpr {
        match super::expr::last_expression(at) {
            Some(inner) => at = inner,
            None => break,
        }
    }
    at
}

impl Unit<'_> {
    /// The range of `cursor` if it was written outside any macro body.
    pub(super) fn plain_span(&mut self, cursor: Cursor) -> Option<Span> {
        let source = self.source(cursor);
        (source.spelling != Spelling::MacroBody).then_some(source.span)
    }

    /// The range of a statement with its semicolon, and whether it stands directly in a `{}` block.
    fn statement_span(&mut self, cursor: Cursor) -> Option<(Span, bool)> {
        let (start, end) = cursor.expanded_range();
        let file = self.file_id(start.file);
        let text = self.text_of(start.file)?;
        let mut stop = end.offset;
        if text.byte(stop.saturating_sub(1)) != b';' || stop == 0 {
            match text.next_code(stop) {
                Some((at, b';')) => stop = at + 1,
                _ => return Some((Span { file, start: start.offset, end: stop }, false)),
            }
        }
        let before = text.previous_code(start.offset);
        let in_block =
            matches!(before, Some(b';' | b'{' | b'}') | None) && !text.in_parentheses(start.offset);
        // A label or `else`, `do`, `)` before it: the lone body of something.
        Some((Span { file, start: start.offset, end: stop }, in_block))
    }

    fn word_length(&self, span: Span) -> u32 {
        let text = &self.program.files[span.file.index()].text;
        let rest = &text[(span.start as usize).min(text.len())..];
        let length = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
        u32::try_from(length).unwrap_or(0)
    }
}
