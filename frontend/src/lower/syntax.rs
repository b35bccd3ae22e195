//! [`CallSyntax`]: what the rewriter must know about the text of a call.

use echo_dataflow::program::{CallRole, CallSyntax, Span, Spelling};

use super::body::Body;
use super::lexer;
use crate::clang::{BinaryOperator, Cursor, CursorKey, Kind, Location};

/// The innermost statement being lowered.
#[derive(Debug, Clone)]
pub(crate) struct StatementContext {
    /// Its text, with the semicolon.
    pub(crate) span: Span,
    /// It stands directly in a `{}` block.
    pub(crate) in_block: bool,
    /// It is written outside any macro.
    pub(crate) plain: bool,
    /// The call whose value the whole statement uses, what for, and the call with its casts.
    pub(crate) outermost: Option<(CursorKey, CallRole, Span)>,
}

impl StatementContext {
    pub(crate) fn new(span: Span) -> Self {
        Self { span, in_block: false, plain: false, outermost: None }
    }
}

impl<'tu> Body<'_, 'tu> {
    /// Makes `statement` the innermost statement; returns the one before, to be put back.
    pub(crate) fn enter_statement(
        &mut self,
        statement: Cursor<'tu>,
        in_block: bool,
    ) -> StatementContext {
        let next = match self.session.spans.source(statement) {
            Some(source) => {
                let text = self.session.spans.text(source.span.file);
                let end = lexer::past_semicolon(text, source.span.end as usize);
                let end = u32::try_from(end).unwrap_or(source.span.end);
                StatementContext {
                    span: Span { end, ..source.span },
                    in_block,
                    plain: source.spelling == Spelling::Text,
                    outermost: None,
                }
            }
            None => StatementContext { outermost: None, ..self.context.clone() },
        };
        std::mem::replace(&mut self.context, next)
    }

    /// Notes what becomes of the value of the call that `root`, an expression statement, consists of.
    pub(crate) fn note_root(&mut self, root: Cursor<'tu>) {
        if !self.context.plain {
            return;
        }
        let (call, role, holder) = if root.kind() == Kind::BinaryOperator
            && root.binary_operator() == BinaryOperator::Assign
            && let [target, value] = *root.children()
        {
            let Some(target) = self.session.spans.source(target) else { return };
            if target.spelling != Spelling::Text {
                return;
            }
            (innermost_call(value), CallRole::Assigned { target: target.span }, value)
        } else {
            (innermost_call(root), CallRole::Discarded, root)
        };
        self.note_outermost(call, role, holder);
    }

    /// Notes that the call that `value` consists of initialises the variable `declared`.
    pub(crate) fn note_initializer(
        &mut self,
        declared: Cursor<'tu>,
        value: Cursor<'tu>,
        declarators: u32,
    ) {
        self.context.outermost = None;
        if !self.context.plain {
            return;
        }
        let at = declared.location();
        let Some(mut name) = self.session.spans.range(at, declared.extent().1) else { return };
        if name.spelling != Spelling::Text {
            return;
        }
        let length = u32::try_from(declared.spelling().len()).unwrap_or(0);
        name.span.end = name.span.start + length;
        let role = CallRole::Initializes { declarator: name.span, declarators };
        self.note_outermost(innermost_call(value), role, value);
    }

    fn note_outermost(&mut self, call: Option<Cursor<'tu>>, role: CallRole, holder: Cursor<'tu>) {
        let Some(call) = call else { return };
        let (Some(inner), Some(outer)) =
            (self.session.spans.source(call), self.session.spans.source(holder))
        else {
            return;
        };
        if inner.spelling == Spelling::Text && outer.spelling == Spelling::Text {
            self.context.outermost = Some((call.key(), role, outer.span));
        }
    }

    /// The syntax record of `call`. `arguments` are those written or not; those that were not have no place.
    pub(crate) fn call_syntax(
        &mut self,
        call: Cursor<'tu>,
        callee: Option<Location<'tu>>,
        arguments: &[Cursor<'tu>],
    ) -> Option<CallSyntax> {
        let source = self.session.spans.source(call)?;
        let callee = callee.and_then(|at| self.name_at(at)).unwrap_or(source.span);
        let arguments = arguments
            .iter()
            .filter_map(|a| Some(self.session.spans.source(*a)?.span))
            .filter(|s| s.start < s.end)
            .collect();
        let (role, with_casts) = match &self.context.outermost {
            Some((key, role, span)) if *key == call.key() => (role.clone(), *span),
            Some(_) | None => {
                let span = match self.wrapper_of(call) {
                    Some(wrapper) if wrapper.spelling == source.spelling => wrapper.span,
                    Some(_) | None => source.span,
                };
                (CallRole::Nested, span)
            }
        };
        Some(CallSyntax {
            call: source.span,
            callee,
            arguments,
            with_casts,
            statement: self.context.span,
            in_block: self.context.in_block,
            role,
            spelling: source.spelling,
        })
    }

    /// The name (or keyword, with `[]`) that stands at a location.
    fn name_at(&mut self, at: Location<'tu>) -> Option<Span> {
        let source = self.session.spans.range(at, at)?;
        let text = self.session.spans.text(source.span.file);
        let piece = lexer::next(text, source.span.start as usize)?;
        let (start, end) = (u32::try_from(piece.start).ok()?, u32::try_from(piece.end).ok()?);
        (start == source.span.start).then_some(Span { file: source.span.file, start, end })
    }

    fn wrapper_of(&mut self, call: Cursor<'tu>) -> Option<echo_dataflow::program::SourceRef> {
        let (key, wrapper) = self.wrapper?;
        if key == call.key() { self.session.spans.source(wrapper) } else { None }
    }

    /// Notes the outermost cast or parenthesis around a call, so that the call finds it.
    pub(crate) fn note_wrapper(&mut self, wrapper: Cursor<'tu>) {
        if let Some(call) = innermost_call(wrapper)
            && self.wrapper.is_none_or(|(key, _)| key != call.key())
        {
            self.wrapper = Some((call.key(), wrapper));
        }
    }
}

/// The call, `new` or `delete` that `expression` is, through casts and parentheses.
pub(crate) fn innermost_call(expression: Cursor<'_>) -> Option<Cursor<'_>> {
    let mut at = expression;
    loop {
        match at.kind() {
            Kind::CallExpr | Kind::CXXNewExpr | Kind::CXXDeleteExpr => return Some(at),
            Kind::ParenExpr
            | Kind::UnexposedExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
            | Kind::CXXConstCastExpr
            | Kind::CXXFunctionalCastExpr => at = *at.children().last()?,
            _ => return None,
        }
    }
}
