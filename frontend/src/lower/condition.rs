//! Short-circuit evaluation and `?:`.

use echo_dataflow::program::{BlockId, Comparison, Expr, Place, Terminator, TypeKind};

use super::body::Body;
use super::destructor::address_of;
use super::expression::Operand;
use super::fold::is_pure;
use crate::clang::{BinaryOperator, Cursor, Kind, UnaryOperator};

impl<'tu> Body<'_, 'tu> {
    /// Branches on a condition, each leaf of `&&`, `||` and `!` on its own.
    pub(crate) fn condition(&mut self, cursor: Cursor<'tu>, then: BlockId, otherwise: BlockId) {
        let done = self.nested(|body| body.condition_here(cursor, then, otherwise));
        if done.is_none() {
            self.terminate(Terminator::Unreachable);
        }
    }

    fn condition_here(&mut self, cursor: Cursor<'tu>, then: BlockId, otherwise: BlockId) {
        let children = cursor.children();
        match (cursor.kind(), &children[..]) {
            (Kind::ParenExpr, &[inner]) => self.condition(inner, then, otherwise),
            // A conversion of a `bool` to `bool`, or of a temporary's full expression.
            (Kind::UnexposedExpr, &[inner])
                if inner.is_expression()
                    && inner.ty().canonical().unqualified().key()
                        == cursor.ty().canonical().unqualified().key()
                    && is_logical(inner) =>
            {
                self.condition(inner, then, otherwise);
            }
            (Kind::UnaryOperator, &[inner])
                if cursor.unary_operator() == UnaryOperator::LogicalNot =>
            {
                self.condition(inner, otherwise, then);
            }
            (Kind::BinaryOperator, &[left, right])
                if cursor.binary_operator() == BinaryOperator::LogicalAnd =>
            {
                let second = self.new_block();
                self.condition(left, second, otherwise);
                self.switch_to(second);
                self.condition(right, then, otherwise);
            }
            (Kind::BinaryOperator, &[left, right])
                if cursor.binary_operator() == BinaryOperator::LogicalOr =>
            {
                let second = self.new_block();
                self.condition(left, then, second);
                self.switch_to(second);
                self.condition(right, then, otherwise);
            }
            _ => {
                let ty = self.ty(cursor.ty());
                let condition = self.full_expression(|body| {
                    let value = body.value(cursor);
                    body.kept_through_cleanup(value, ty)
                });
                match condition {
                    Expr::Integer(value) => {
                        self.goto(if value == 0 { otherwise } else { then });
                    }
                    condition => {
                        self.terminate(Terminator::Branch { condition, then, otherwise });
                    }
                }
            }
        }
    }

    /// `a && b`, `a || b` as a value.
    pub(super) fn logical(
        &mut self,
        cursor: Cursor<'tu>,
        left: Cursor<'tu>,
        right: Cursor<'tu>,
    ) -> Expr {
        if is_pure(right) {
            let ty = self.ty(left.ty());
            let first = self.value(left);
            let mark = self.mark();
            let second = self.value(right);
            let first = self.settle(mark, first, ty);
            return Expr::Computed(vec![first, second]);
        }
        let id = self.ty(cursor.ty());
        let result = self.temporary(id);
        let (yes, no, after) = (self.new_block(), self.new_block(), self.new_block());
        let conditional = self.conditional;
        self.conditional += 1;
        self.branch_in_expression(cursor, yes, no);
        self.conditional = conditional;
        self.switch_to(yes);
        self.assign(Place::variable(result), id, Expr::Integer(1), None);
        self.goto(after);
        self.switch_to(no);
        self.assign(Place::variable(result), id, Expr::Integer(0), None);
        self.goto(after);
        self.switch_to(after);
        Expr::variable(result, id)
    }

    /// As [`Self::condition`], but inside a full expression: temporaries of the right operands are conditional.
    fn branch_in_expression(&mut self, cursor: Cursor<'tu>, then: BlockId, otherwise: BlockId) {
        let done = self.nested(|body| body.condition_here(cursor, then, otherwise));
        if done.is_none() {
            self.terminate(Terminator::Unreachable);
        }
    }

    pub(super) fn conditional_operator(&mut self, cursor: Cursor<'tu>) -> Operand {
        let [condition, yes, no] = *cursor.children() else {
            return Operand::Value(self.opaque("`?:` without a middle operand", cursor));
        };
        let id = self.ty(cursor.ty());
        if self.is_lvalue(yes) && self.is_lvalue(no) || self.session.is_aggregate(id) {
            return Operand::Place(self.conditional_place(cursor, condition, yes, no));
        }
        let is_void = matches!(self.session.program.types[id.index()].kind, TypeKind::Void);
        if is_void {
            self.conditional_effect(cursor);
            return Operand::Value(Expr::Computed(Vec::new()));
        }
        let result = self.temporary(id);
        self.either(condition, yes, no, |body, arm| {
            let value = body.value(arm);
            if body.is_open() {
                body.assign(Place::variable(result), id, value, None);
            }
        });
        Operand::Value(Expr::variable(result, id))
    }

    fn conditional_place(
        &mut self,
        cursor: Cursor<'tu>,
        condition: Cursor<'tu>,
        yes: Cursor<'tu>,
        no: Cursor<'tu>,
    ) -> Place {
        let id = self.ty(cursor.ty());
        if self.is_lvalue(yes) && self.is_lvalue(no) {
            let pointer = self.session.pointer_to(id);
            let chosen = self.temporary(pointer);
            self.either(condition, yes, no, |body, arm| {
                let place = body.place(arm);
                body.assign(Place::variable(chosen), pointer, address_of(place), None);
            });
            return Place::deref(Expr::variable(chosen, pointer));
        }
        let ty = cursor.ty();
        let object = Place::variable(self.object(id));
        self.either(condition, yes, no, |body, arm| body.initialize(&object, ty, Some(arm)));
        self.destroy_later(object.clone(), ty, false);
        object
    }

    pub(super) fn conditional_effect(&mut self, cursor: Cursor<'tu>) {
        let [condition, yes, no] = *cursor.children() else {
            self.opaque("`?:` without a middle operand", cursor);
            return;
        };
        self.either(condition, yes, no, Self::effect);
    }

    fn either(
        &mut self,
        condition: Cursor<'tu>,
        yes: Cursor<'tu>,
        no: Cursor<'tu>,
        mut arm: impl FnMut(&mut Self, Cursor<'tu>),
    ) {
        let (first, second, after) = (self.new_block(), self.new_block(), self.new_block());
        let conditional = self.conditional;
        self.conditional += 1;
        self.condition(condition, first, second);
        for (block, operand) in [(first, yes), (second, no)] {
            self.switch_to(block);
            // Temporaries of an arm end with it; those of the program's own classes make it opaque.
            let span = self.scope_span();
            self.push_expression_scope(span);
            arm(self, operand);
            self.pop_scope();
            self.goto(after);
        }
        self.conditional = conditional;
        self.switch_to(after);
    }

    /// `value != 0`, where the source converts to `bool`.
    pub(crate) fn truth(&mut self, value: Expr, ty: echo_dataflow::program::TypeId) -> Expr {
        let zero = match self.session.program.types[ty.index()].kind {
            TypeKind::Pointer { .. } => Expr::Null,
            TypeKind::Integer { .. } => Expr::Integer(0),
            TypeKind::Float
            | TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => return Expr::Computed(vec![value]),
        };
        match (&value, &zero) {
            (Expr::Integer(n), Expr::Integer(_)) => Expr::Integer(i128::from(*n != 0)),
            _ => Expr::Compare {
                op: Comparison::NotEqual,
                left: Box::new(value),
                right: Box::new(zero),
            },
        }
    }
}

fn is_logical(cursor: Cursor<'_>) -> bool {
    match cursor.kind() {
        Kind::ParenExpr | Kind::UnexposedExpr => {
            cursor.children().first().is_some_and(|c| is_logical(*c))
        }
        Kind::UnaryOperator => cursor.unary_operator() == UnaryOperator::LogicalNot,
        Kind::BinaryOperator => matches!(
            cursor.binary_operator(),
            BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr
        ),
        _ => false,
    }
}
