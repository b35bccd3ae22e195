//! Arithmetic, comparison, assignment, increment.

use echo_dataflow::program::{Arithmetic, Expr, Place, StatementKind, TypeId, TypeKind};

use super::body::Body;
use super::fold;
use crate::clang::{BinaryOperator, Cursor, Type, UnaryOperator};

impl<'tu> Body<'_, 'tu> {
    pub(super) fn arithmetic(
        &mut self,
        cursor: Cursor<'tu>,
        op: BinaryOperator,
        left: Cursor<'tu>,
        right: Cursor<'tu>,
    ) -> Expr {
        let (left_type, right_type) = (self.ty(left.ty()), self.ty(right.ty()));
        let first = self.value(left);
        let mark = self.mark();
        let second = self.value(right);
        let first = self.settle(mark, first, left_type);
        let result = self.ty(cursor.ty());
        if let Some(op) = fold::comparison(op) {
            return if self.is_number(left_type) && self.is_number(right_type)
                || self.is_pointer_type(left_type) && self.is_pointer_type(right_type)
            {
                Expr::Compare { op, left: Box::new(first), right: Box::new(second) }
            } else {
                Expr::Computed(vec![first, second])
            };
        }
        let Some(op) = fold::integer_operator(op) else {
            return Expr::Computed(vec![first, second]);
        };
        match (self.is_pointer_type(left_type), self.is_pointer_type(right_type)) {
            (true, true) => {
                Expr::PointerDifference { left: Box::new(first), right: Box::new(second) }
            }
            (true, false) => pointer_add(first, op, second, left.ty()),
            (false, true) => pointer_add(second, op, first, right.ty()),
            (false, false) if self.is_number(result) => fold::arithmetic(op, first, second),
            (false, false) => Expr::Computed(vec![first, second]),
        }
    }

    pub(crate) fn is_number(&self, ty: TypeId) -> bool {
        matches!(self.session.program.types[ty.index()].kind, TypeKind::Integer { .. })
    }

    pub(crate) fn is_pointer_type(&self, ty: TypeId) -> bool {
        matches!(self.session.program.types[ty.index()].kind, TypeKind::Pointer { .. })
    }

    /// `target = value`; returns where it was stored.
    pub(crate) fn assignment(
        &mut self,
        cursor: Cursor<'tu>,
        target: Cursor<'tu>,
        value: Cursor<'tu>,
    ) -> Place {
        let ty = self.ty(target.ty());
        let source = self.session.spans.source(cursor);
        if self.session.is_aggregate(ty) {
            // Plain C assignment of a struct.
            let from = self.place(value);
            let mark = self.mark();
            let to = self.place(target);
            let from = self.settle_place(mark, from);
            let kind = StatementKind::CopyAggregate { to: to.clone(), from, ty };
            self.emit(kind, source);
            return to;
        }
        // Since C++17 the right operand is evaluated first.
        let value = self.value(value);
        let mark = self.mark();
        let place = self.place(target);
        let value = self.settle(mark, value, ty);
        self.assign(place.clone(), ty, value, source);
        place
    }

    /// The value of an assignment that is used.
    pub(super) fn assigned_value(
        &mut self,
        cursor: Cursor<'tu>,
        target: Cursor<'tu>,
        value: Cursor<'tu>,
    ) -> Expr {
        let place = self.assignment(cursor, target, value);
        self.load(place, cursor)
    }

    /// `target op= value`; returns where it was stored.
    pub(crate) fn compound_assignment(&mut self, cursor: Cursor<'tu>) -> Place {
        let [target, operand] = *cursor.children() else {
            self.opaque("an operator of unknown shape", cursor);
            return Place::deref(Expr::Unknown);
        };
        let (ty, operand_type) = (self.ty(target.ty()), self.ty(operand.ty()));
        let right = self.value(operand);
        let mark = self.mark();
        let place = self.place(target);
        let right = self.settle(mark, right, operand_type);
        let old = Expr::Load { place: Box::new(place.clone()), ty };
        let value = match fold::integer_operator(cursor.binary_operator()) {
            Some(op) if self.is_pointer_type(ty) => pointer_add(old, op, right, target.ty()),
            Some(op) if self.is_number(ty) && self.is_number(operand_type) => {
                let value = fold::arithmetic(op, old, right);
                if ty == operand_type {
                    value
                } else {
                    Expr::Cast { to: ty, value: Box::new(value) }
                }
            }
            _ => Expr::Computed(vec![old, right]),
        };
        let source = self.session.spans.source(cursor);
        self.assign(place.clone(), ty, value, source);
        place
    }

    /// `++x`, `x--`; returns the place.
    pub(crate) fn step(&mut self, cursor: Cursor<'tu>) -> Place {
        let Some(target) = cursor.children().first().copied() else {
            self.opaque("an operator of unknown shape", cursor);
            return Place::deref(Expr::Unknown);
        };
        let ty = self.ty(target.ty());
        let place = self.place(target);
        let old = Expr::Load { place: Box::new(place.clone()), ty };
        self.store_stepped(cursor, target, &place, ty, old);
        place
    }

    fn store_stepped(
        &mut self,
        cursor: Cursor<'tu>,
        target: Cursor<'tu>,
        place: &Place,
        ty: TypeId,
        old: Expr,
    ) {
        let op = match cursor.unary_operator() {
            UnaryOperator::PostInc | UnaryOperator::PreInc => Arithmetic::Add,
            _ => Arithmetic::Subtract,
        };
        let value = if self.is_pointer_type(ty) {
            pointer_add(old, op, Expr::Integer(1), target.ty())
        } else if self.is_number(ty) {
            fold::arithmetic(op, old, Expr::Integer(1))
        } else {
            Expr::Computed(vec![old])
        };
        let source = self.session.spans.source(cursor);
        self.assign(place.clone(), ty, value, source);
    }

    /// The value of `x++` is the old one, that of `++x` the new one.
    pub(super) fn stepped_value(&mut self, cursor: Cursor<'tu>) -> Expr {
        let post =
            matches!(cursor.unary_operator(), UnaryOperator::PostInc | UnaryOperator::PostDec);
        if !post {
            let place = self.step(cursor);
            return self.load(place, cursor);
        }
        let Some(target) = cursor.children().first().copied() else {
            return self.opaque("an operator of unknown shape", cursor);
        };
        let ty = self.ty(target.ty());
        let place = self.place(target);
        let old = Expr::Load { place: Box::new(place.clone()), ty };
        let old = self.spill(old, ty);
        self.store_stepped(cursor, target, &place, ty, old.clone());
        old
    }
}

/// `pointer op elements`, for a pointer of C++ type `ty`.
pub(crate) fn pointer_add(pointer: Expr, op: Arithmetic, elements: Expr, ty: Type<'_>) -> Expr {
    let elements = match (op, elements) {
        (Arithmetic::Subtract, Expr::Integer(n)) => Expr::Integer(-n),
        (Arithmetic::Subtract, other) => Expr::Arithmetic {
            op: Arithmetic::Subtract,
            left: Box::new(Expr::Integer(0)),
            right: Box::new(other),
        },
        (_, other) => other,
    };
    let element_bytes = element_bytes(ty);
    Expr::PointerAdd { pointer: Box::new(pointer), elements: Box::new(elements), element_bytes }
}

/// Bytes of what a pointer points to; `void` and functions count as 1, as GNU C has it.
pub(crate) fn element_bytes(pointer: Type<'_>) -> Option<u64> {
    let pointee = pointer.canonical().pointee()?;
    match pointee.shape() {
        crate::clang::TypeShape::Void | crate::clang::TypeShape::Function => Some(1),
        _ => pointee.size(),
    }
}
