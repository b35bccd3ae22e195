//! Operators: arithmetic, comparison, assignment, and what is evaluated or not.

use clang_sys as clang;
use echo_dataflow::program::{Arithmetic, Comparison, Expr, Place, TypeId, TypeKind};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::expr::{is_integer, is_void, strip};

impl Body<'_, '_> {
    pub(super) fn unary(&mut self, cursor: Cursor) -> Expr {
        let children = cursor.children();
        let [operand] = children.as_slice() else {
            return self.unsupported(cursor, "a unary operator of unknown form");
        };
        let ty = cursor.ty();
        match cursor.unary_operator() {
            clang::CXUnaryOperator_AddrOf => {
                let target = strip(*operand);
                if target.kind() == clang::CXCursor_DeclRefExpr
                    && target.referenced().is_some_and(|t| super::is_function(t.kind()))
                {
                    return self.rvalue(target);
                }
                Expr::AddressOf(Box::new(self.place(*operand)))
            }
            clang::CXUnaryOperator_Deref => self.load(cursor),
            clang::CXUnaryOperator_Plus | clang::CXUnaryOperator_Extension => {
                self.convert(*operand, ty)
            }
            clang::CXUnaryOperator_Minus if is_integer(ty) => match self.convert(*operand, ty) {
                Expr::Integer(value) => Expr::Integer(-value),
                value => Expr::Arithmetic {
                    op: Arithmetic::Subtract,
                    left: Box::new(Expr::Integer(0)),
                    right: Box::new(value),
                },
            },
            clang::CXUnaryOperator_PreInc
            | clang::CXUnaryOperator_PreDec
            | clang::CXUnaryOperator_PostInc
            | clang::CXUnaryOperator_PostDec => self.increment(cursor, *operand),
            clang::CXUnaryOperator_LNot => match self.rvalue(*operand) {
                Expr::Compare { op: Comparison::Equal, left, right } => {
                    Expr::Compare { op: Comparison::NotEqual, left, right }
                }
                Expr::Compare { op: Comparison::NotEqual, left, right } => {
                    Expr::Compare { op: Comparison::Equal, left, right }
                }
                value => Expr::Computed(vec![value]),
            },
            _ => Expr::Computed(vec![self.rvalue(*operand)]),
        }
    }

    pub(super) fn increment(&mut self, cursor: Cursor, operand: Cursor) -> Expr {
        let ty = self.unit_type(operand.ty());
        let source = self.unit.source(cursor);
        let place = self.place(operand);
        let place = self.stable(place, source);
        let old = Expr::Load { place: Box::new(place.clone()), ty };
        let (post, down) = match cursor.unary_operator() {
            clang::CXUnaryOperator_PostInc => (true, false),
            clang::CXUnaryOperator_PostDec => (true, true),
            clang::CXUnaryOperator_PreDec => (false, true),
            _ => (false, false),
        };
        let old = if post { self.keep(ty, old, source) } else { old };
        let step = if down { -1 } else { 1 };
        let new = match self.unit.program.ty(ty).kind {
            TypeKind::Pointer { to } => Expr::PointerAdd {
                pointer: Box::new(old.clone()),
                elements: Box::new(Expr::Integer(step)),
                element_bytes: self.unit.program.ty(to).bytes,
            },
            TypeKind::Integer { .. } => Expr::Arithmetic {
                op: Arithmetic::Add,
                left: Box::new(old.clone()),
                right: Box::new(Expr::Integer(step)),
            },
            TypeKind::Void
            | TypeKind::Float
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => Expr::Computed(vec![old.clone()]),
        };
        let new = self.stored(new, ty);
        self.assign(place.clone(), ty, new, source);
        if post { old } else { Expr::Load { place: Box::new(place), ty } }
    }

    pub(super) fn binary(&mut self, cursor: Cursor) -> Expr {
        let children = cursor.children();
        let [left, right] = children.as_slice() else {
            return self.unsupported(cursor, "a binary operator of unknown form");
        };
        let (left, right) = (*left, *right);
        let op = cursor.binary_operator();
        match op {
            clang::CXBinaryOperator_Assign => {
                let place = self.assignment(cursor, left, right);
                self.load_place(place, left.ty())
            }
            clang::CXBinaryOperator_Comma => {
                self.discard(left);
                self.rvalue(right)
            }
            clang::CXBinaryOperator_LAnd | clang::CXBinaryOperator_LOr => {
                self.short_circuit(cursor, left, right)
            }
            clang::CXBinaryOperator_LT
            | clang::CXBinaryOperator_GT
            | clang::CXBinaryOperator_LE
            | clang::CXBinaryOperator_GE
            | clang::CXBinaryOperator_EQ
            | clang::CXBinaryOperator_NE => {
                let comparison = match op {
                    clang::CXBinaryOperator_LT => Comparison::Less,
                    clang::CXBinaryOperator_GT => Comparison::Greater,
                    clang::CXBinaryOperator_LE => Comparison::LessEqual,
                    clang::CXBinaryOperator_GE => Comparison::GreaterEqual,
                    clang::CXBinaryOperator_EQ => Comparison::Equal,
                    _ => Comparison::NotEqual,
                };
                self.unsequenced(&[left, right]);
                let l = self.operand_before(left, right);
                let r = self.rvalue(right);
                Expr::Compare { op: comparison, left: Box::new(l), right: Box::new(r) }
            }
            clang::CXBinaryOperator_PtrMemD | clang::CXBinaryOperator_PtrMemI => {
                self.unsupported(cursor, "a pointer to member")
            }
            _ => {
                if !matches!(op, clang::CXBinaryOperator_Shl | clang::CXBinaryOperator_Shr) {
                    self.unsequenced(&[left, right]);
                }
                let l = self.operand_before(left, right);
                let r = self.rvalue(right);
                self.arithmetic(op, l, r, left.ty(), right.ty(), cursor.ty())
            }
        }
    }

    /// The left operand; kept in a temporary if the right one has effects that could change it.
    pub(super) fn operand_before(&mut self, left: Cursor, right: Cursor) -> Expr {
        let value = self.rvalue(left);
        if self.has_effects(right)
            && !matches!(value, Expr::Integer(_) | Expr::Null | Expr::Literal)
        {
            let ty = self.unit_type(left.ty());
            let source = self.unit.source(left);
            return self.keep(ty, value, source);
        }
        value
    }

    /// `l op r` for the operators of arithmetic.
    pub(super) fn arithmetic(&mut self, op: i32, l: Expr, r: Expr, lt: Ty, rt: Ty, ty: Ty) -> Expr {
        let (left, right) = (self.unit_type(lt), self.unit_type(rt));
        let pointee = |body: &Self, id: TypeId| match body.unit.program.ty(id).kind {
            TypeKind::Pointer { to } => Some(body.unit.program.ty(to).bytes),
            TypeKind::Array { of, .. } => Some(body.unit.program.ty(of).bytes),
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Record { .. }
            | TypeKind::Function
            | TypeKind::Unknown => None,
        };
        let (lp, rp) = (pointee(self, left), pointee(self, right));
        match (op, lp, rp) {
            (clang::CXBinaryOperator_Add, Some(element_bytes), None) => {
                return Expr::PointerAdd {
                    pointer: Box::new(l),
                    elements: Box::new(r),
                    element_bytes,
                };
            }
            (clang::CXBinaryOperator_Add, None, Some(element_bytes)) => {
                return Expr::PointerAdd {
                    pointer: Box::new(r),
                    elements: Box::new(l),
                    element_bytes,
                };
            }
            (clang::CXBinaryOperator_Sub, Some(element_bytes), None) => {
                let negated = match r {
                    Expr::Integer(value) => Expr::Integer(-value),
                    r => Expr::Arithmetic {
                        op: Arithmetic::Subtract,
                        left: Box::new(Expr::Integer(0)),
                        right: Box::new(r),
                    },
                };
                return Expr::PointerAdd {
                    pointer: Box::new(l),
                    elements: Box::new(negated),
                    element_bytes,
                };
            }
            (clang::CXBinaryOperator_Sub, Some(_), Some(_)) => {
                return Expr::PointerDifference { left: Box::new(l), right: Box::new(r) };
            }
            _ => {}
        }
        let op = match op {
            clang::CXBinaryOperator_Add => Some(Arithmetic::Add),
            clang::CXBinaryOperator_Sub => Some(Arithmetic::Subtract),
            clang::CXBinaryOperator_Mul => Some(Arithmetic::Multiply),
            clang::CXBinaryOperator_Div => Some(Arithmetic::Divide),
            clang::CXBinaryOperator_Rem => Some(Arithmetic::Remainder),
            clang::CXBinaryOperator_Shl => Some(Arithmetic::ShiftLeft),
            clang::CXBinaryOperator_Shr => Some(Arithmetic::ShiftRight),
            clang::CXBinaryOperator_And => Some(Arithmetic::And),
            clang::CXBinaryOperator_Or => Some(Arithmetic::Or),
            clang::CXBinaryOperator_Xor => Some(Arithmetic::Xor),
            _ => None,
        };
        match op {
            Some(op) if is_integer(ty) => {
                Expr::Arithmetic { op, left: Box::new(l), right: Box::new(r) }
            }
            Some(_) | None => Expr::Computed(vec![l, r]),
        }
    }

    /// `left = right`; returns the place assigned.
    pub(super) fn assignment(&mut self, cursor: Cursor, left: Cursor, right: Cursor) -> Place {
        let source = self.unit.source(cursor);
        let ty = self.unit_type(left.ty());
        match self.unit.program.ty(ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                let from = Box::new(self.place(right));
                let place = self.place(left);
                self.push(
                    echo_dataflow::program::StatementKind::CopyAggregate {
                        to: place.clone(),
                        from,
                        ty,
                    },
                    source,
                    None,
                );
                place
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let value = self.rvalue(right);
                let value =
                    if self.has_effects(left) { self.keep(ty, value, source) } else { value };
                let place = self.place(left);
                let place = self.stable(place, source);
                self.assign(place.clone(), ty, value, source);
                place
            }
        }
    }

    /// `left op= right`; returns the place assigned.
    pub(super) fn compound_assignment(&mut self, cursor: Cursor) -> Place {
        let children = cursor.children();
        let [left, right] = children.as_slice() else {
            self.opaque_statement(cursor, "an assignment of unknown form");
            return Place::deref(Expr::Unknown);
        };
        let source = self.unit.source(cursor);
        let ty = self.unit_type(left.ty());
        let value = self.rvalue(*right);
        let place = self.place(*left);
        let place = self.stable(place, source);
        let old = Expr::Load { place: Box::new(place.clone()), ty };
        let op = match cursor.binary_operator() {
            clang::CXBinaryOperator_AddAssign => clang::CXBinaryOperator_Add,
            clang::CXBinaryOperator_SubAssign => clang::CXBinaryOperator_Sub,
            clang::CXBinaryOperator_MulAssign => clang::CXBinaryOperator_Mul,
            clang::CXBinaryOperator_DivAssign => clang::CXBinaryOperator_Div,
            clang::CXBinaryOperator_RemAssign => clang::CXBinaryOperator_Rem,
            clang::CXBinaryOperator_ShlAssign => clang::CXBinaryOperator_Shl,
            clang::CXBinaryOperator_ShrAssign => clang::CXBinaryOperator_Shr,
            clang::CXBinaryOperator_AndAssign => clang::CXBinaryOperator_And,
            clang::CXBinaryOperator_OrAssign => clang::CXBinaryOperator_Or,
            clang::CXBinaryOperator_XorAssign => clang::CXBinaryOperator_Xor,
            _ => 0,
        };
        let integers = is_integer(left.ty()) && is_integer(right.ty());
        let pointer = matches!(self.unit.program.ty(ty).kind, TypeKind::Pointer { .. });
        let right_id = self.unit_type(right.ty());
        let shift = matches!(op, clang::CXBinaryOperator_Shl | clang::CXBinaryOperator_Shr);
        let new = if integers && !shift && self.computed_as(right_id, ty) {
            // `int += size_t` adds as `size_t` and cuts the sum off.
            let old = self.cast_if_different(old, ty, right_id);
            let new = self.arithmetic(op, old, value, right.ty(), right.ty(), right.ty());
            self.cast_if_different(new, right_id, ty)
        } else if op != 0 && (integers || pointer) {
            self.arithmetic(op, old, value, left.ty(), right.ty(), left.ty())
        } else {
            Expr::Computed(vec![old, value])
        };
        let new = self.stored(new, ty);
        self.assign(place.clone(), ty, new, source);
        place
    }

    pub(super) fn short_circuit(&mut self, cursor: Cursor, left: Cursor, right: Cursor) -> Expr {
        if !self.has_effects(right) && !self.dereferences(right) {
            let l = self.rvalue(left);
            let r = self.rvalue(right);
            return Expr::Computed(vec![l, r]);
        }
        let int = self.unit.int_type();
        let temporary = self.unit.temporary(int);
        let source = self.unit.source(cursor);
        let (then, otherwise, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(cursor, then, otherwise);
        for (block, value) in [(then, 1), (otherwise, 0)] {
            self.switch_to(block);
            self.assign(Place::variable(temporary), int, Expr::Integer(value), source);
            self.goto(end);
        }
        self.switch_to(end);
        Expr::variable(temporary, int)
    }

    /// Parts of `a ? b : c`.
    pub(super) fn conditional_parts(cursor: Cursor) -> Option<[Cursor; 3]> {
        <[Cursor; 3]>::try_from(cursor.children()).ok()
    }

    pub(super) fn conditional(&mut self, cursor: Cursor) -> Expr {
        let Some([test, left, right]) = Self::conditional_parts(cursor) else {
            return self.unsupported(cursor, "a conditional of unknown form");
        };
        if is_void(cursor.ty()) {
            self.conditional_effects(cursor);
            return Expr::Computed(Vec::new());
        }
        let ty = self.unit_type(cursor.ty());
        match self.unit.program.ty(ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                let place = self.conditional_place(cursor);
                self.load_place(place, cursor.ty())
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let source = self.unit.source(cursor);
                let temporary = self.unit.temporary(ty);
                let (then, otherwise, end) = (self.new_block(), self.new_block(), self.new_block());
                self.branch(test, then, otherwise);
                for (block, side) in [(then, left), (otherwise, right)] {
                    self.switch_to(block);
                    let value = self.convert(side, cursor.ty());
                    self.assign(Place::variable(temporary), ty, value, source);
                    self.goto(end);
                }
                self.switch_to(end);
                Expr::variable(temporary, ty)
            }
        }
    }

    /// `a ?: b`: `a` is evaluated once.
    pub(super) fn conditional_with_test(
        &mut self,
        cursor: Cursor,
        first: Cursor,
        second: Cursor,
    ) -> Expr {
        let ty = self.unit_type(cursor.ty());
        match self.unit.program.ty(ty).kind {
            TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. } => {}
            TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                return self.unsupported(cursor, "a conditional without its second operand");
            }
        }
        if !first.ty().is_same_value(cursor.ty()) {
            return self.unsupported(cursor, "a conditional without its second operand");
        }
        let source = self.unit.source(cursor);
        let temporary = self.unit.temporary(ty);
        let value = self.convert(first, cursor.ty());
        self.assign(Place::variable(temporary), ty, value, source);
        let (otherwise, end) = (self.new_block(), self.new_block());
        self.ends_at(source);
        self.terminate(echo_dataflow::program::Terminator::Branch {
            condition: Expr::variable(temporary, ty),
            then: end,
            otherwise,
        });
        self.switch_to(otherwise);
        let value = self.convert(second, cursor.ty());
        self.assign(Place::variable(temporary), ty, value, source);
        self.goto(end);
        self.switch_to(end);
        Expr::variable(temporary, ty)
    }

    pub(super) fn conditional_effects(&mut self, cursor: Cursor) {
        let Some([test, left, right]) = Self::conditional_parts(cursor) else {
            self.opaque_statement(cursor, "a conditional of unknown form");
            return;
        };
        let (then, otherwise, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(test, then, otherwise);
        for (block, side) in [(then, left), (otherwise, right)] {
            self.switch_to(block);
            self.discard(side);
            self.goto(end);
        }
        self.switch_to(end);
    }

    /// `a ? b : c` as a place.
    pub(super) fn conditional_place(&mut self, cursor: Cursor) -> Place {
        let Some([test, left, right]) = Self::conditional_parts(cursor) else {
            self.opaque_statement(cursor, "a conditional of unknown form");
            return Place::deref(Expr::Unknown);
        };
        let source = self.unit.source(cursor);
        let to = self.unit_type(cursor.ty());
        let pointer = self.unit.pointer_to(to);
        let temporary = self.unit.temporary(pointer);
        let (then, otherwise, end) = (self.new_block(), self.new_block(), self.new_block());
        self.branch(test, then, otherwise);
        for (block, side) in [(then, left), (otherwise, right)] {
            self.switch_to(block);
            let place = self.place(side);
            self.assign(
                Place::variable(temporary),
                pointer,
                Expr::AddressOf(Box::new(place)),
                source,
            );
            self.goto(end);
        }
        self.switch_to(end);
        Place::deref(Expr::variable(temporary, pointer))
    }
}

/// The operands of `a ?: b` among its children: `a`, its test, its value, `b`.
pub(super) fn test_and_value(children: &[Cursor]) -> Option<[Cursor; 2]> {
    match children {
        [first, test, value, second]
            if first.expanded_range() == test.expanded_range()
                && first.expanded_range() == value.expanded_range()
                && first.expanded_range() != second.expanded_range() =>
        {
            Some([*first, *second])
        }
        _ => None,
    }
}
