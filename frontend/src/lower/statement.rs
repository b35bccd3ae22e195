//! Statements.

use echo_dataflow::program::{Spelling, StatementKind};

use super::body::Body;
use super::lexer;
use crate::clang::{Cursor, Kind};

impl<'tu> Body<'_, 'tu> {
    /// Lowers one statement. `in_block`: it stands directly in a `{}` block.
    pub(crate) fn statement(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        if self.fatal.is_some() {
            return;
        }
        self.nested(|body| {
            let before = body.enter_statement(cursor, in_block);
            let source = body.source;
            body.source = body.source_of(cursor);
            body.dispatch(cursor, in_block);
            body.source = source;
            body.context = before;
        });
    }

    fn dispatch(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        match cursor.kind() {
            Kind::CompoundStmt => self.compound(cursor, in_block),
            Kind::DeclStmt => self.declarations(cursor),
            Kind::NullStmt => {}
            Kind::IfStmt => self.if_statement(cursor),
            Kind::WhileStmt => self.while_statement(cursor),
            Kind::DoStmt => self.do_statement(cursor),
            Kind::ForStmt => self.for_statement(cursor),
            Kind::CXXForRangeStmt => self.range_for_statement(cursor),
            Kind::SwitchStmt => self.switch_statement(cursor),
            Kind::CaseStmt => self.case_statement(cursor, in_block),
            Kind::DefaultStmt => self.default_statement(cursor, in_block),
            Kind::BreakStmt => self.break_statement(),
            Kind::ContinueStmt => self.continue_statement(),
            Kind::ReturnStmt => self.return_statement(cursor),
            Kind::GotoStmt => self.goto_statement(cursor),
            Kind::IndirectGotoStmt => self.fail("a computed `goto`"),
            Kind::LabelStmt => self.label_statement(cursor, in_block),
            Kind::CXXTryStmt => self.try_statement(cursor),
            Kind::AsmStmt | Kind::MSAsmStmt => self.assembly(cursor),
            Kind::UnexposedStmt => self.attributed(cursor, in_block),
            _ if cursor.is_expression() => {
                self.note_root(cursor);
                self.full_expression(|body| body.effect(cursor));
            }
            kind => self.fail(format!("a statement of unknown kind ({kind:?})")),
        }
    }

    fn compound(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        let source = self.source_of(cursor);
        let braces_in_text = source.spelling != Spelling::MacroBody;
        self.push_scope(source.span);
        for child in cursor.children() {
            self.statement(child, braces_in_text || in_block);
        }
        self.pop_scope();
    }

    /// Inline assembly. Without operands and clobbers it cannot touch memory that the program can name.
    fn assembly(&mut self, cursor: Cursor<'tu>) {
        if self.device_only {
            // PTX in device code: reads and writes only through its operands.
            let operands: Vec<_> =
                cursor.children().iter().copied().filter(|c| c.is_expression()).collect();
            let mut outside = false;
            for operand in operands {
                outside |= self.assembly_operand(operand);
            }
            if !outside {
                return;
            }
        }
        self.opaque("inline assembly", cursor);
    }

    /// An operand of device assembly: integer and floating-point variables may be read and written. Returns
    /// whether it reaches further (a pointer, or something other than a variable).
    fn assembly_operand(&mut self, operand: Cursor<'tu>) -> bool {
        let ty = self.ty(operand.ty());
        if matches!(
            self.session.program.types[ty.index()].kind,
            echo_dataflow::program::TypeKind::Pointer { .. }
        ) || self.session.is_aggregate(ty)
        {
            return true;
        }
        if operand.kind() == Kind::DeclRefExpr {
            let place = self.place(operand);
            self.assign(place, ty, echo_dataflow::program::Expr::Unknown, None);
            return false;
        }
        if super::fold::is_pure(operand) {
            let value = self.value(operand);
            self.emit(StatementKind::Evaluate(value), None);
            return false;
        }
        true
    }

    /// A statement with attributes (`[[likely]]`, `#pragma unroll`): the statement itself.
    fn attributed(&mut self, cursor: Cursor<'tu>, in_block: bool) {
        let children = cursor.children();
        let statements: Vec<_> =
            children.iter().copied().filter(|c| c.is_statement() || c.is_expression()).collect();
        // The attribute's argument (`#pragma unroll N`) comes before the statement and is a constant.
        let Some((&inner, arguments)) = statements.split_last() else {
            self.fail("a statement of unknown kind");
            return;
        };
        if self.starts_with_attribute(cursor) && arguments.iter().all(|a| a.is_expression()) {
            self.statement(inner, in_block);
        } else {
            self.fail("a statement of unknown kind");
        }
    }

    fn starts_with_attribute(&mut self, cursor: Cursor<'tu>) -> bool {
        let start = cursor.extent().0;
        let Some(source) = self.session.spans.range(start, start) else { return false };
        let text = self.session.spans.text(source.span.file);
        let rest = &text[(source.span.start as usize).min(text.len())..];
        let pragma = rest.starts_with(b"#")
            || rest.starts_with(b"_Pragma")
            || rest.starts_with(b"unroll")
            || rest.starts_with(b"nounroll")
            || rest.starts_with(b"pragma");
        let attribute = rest.starts_with(b"[[") || rest.starts_with(b"__attribute__");
        pragma
            || attribute
            || lexer::next(rest, 0).is_some_and(|p| &rest[p.start..p.end] == b"loop")
    }
}
