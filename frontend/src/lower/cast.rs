//! Conversions. libclang does not name them; the types before and after tell which one it is.

use echo_dataflow::program::{Expr, TypeKind};

use super::body::Body;
use super::destructor::address_of;
use crate::clang::{Cursor, Type, TypeShape};

impl<'tu> Body<'_, 'tu> {
    pub(super) fn explicit_cast(&mut self, cursor: Cursor<'tu>) -> Expr {
        if cursor.is_dependent() {
            self.fail("an expression that did not compile");
            return Expr::Unknown;
        }
        self.note_wrapper(cursor);
        match *Self::operands(cursor) {
            [operand] if operand.is_expression() => {
                if self.casts_to_reference(cursor) {
                    let place = self.place(cursor);
                    return self.load(place, cursor);
                }
                self.converted(operand, cursor.ty())
            }
            _ => self.opaque("a cast of unknown shape", cursor),
        }
    }

    /// The value of `operand`, converted to `to`.
    pub(crate) fn converted(&mut self, operand: Cursor<'tu>, to: Type<'tu>) -> Expr {
        let from = operand.ty();
        let (from_shape, to_shape) = (from.shape(), to.shape());
        let id = self.ty(to);
        match to_shape {
            TypeShape::Void => {
                self.effect(operand);
                return Expr::Computed(Vec::new());
            }
            TypeShape::Dependent | TypeShape::Other(_) => {
                self.fail("an expression that did not compile");
                return Expr::Unknown;
            }
            _ => {}
        }
        match from_shape {
            TypeShape::ConstantArray | TypeShape::OtherArray => {
                let place = self.place(operand);
                let address = address_of(place);
                return match to_shape {
                    TypeShape::Pointer | TypeShape::ConstantArray | TypeShape::OtherArray => {
                        address
                    }
                    TypeShape::Bool => Expr::Integer(1),
                    _ => Expr::Cast { to: id, value: Box::new(address) },
                };
            }
            TypeShape::Record => {
                if to_shape == TypeShape::Record {
                    let place = self.place_as(operand, to);
                    return self.whole(place, id);
                }
                return self.opaque("a conversion of unknown kind", operand);
            }
            TypeShape::Dependent => {
                self.fail("an expression that did not compile");
                return Expr::Unknown;
            }
            _ => {}
        }
        let value = self.value_of_child(operand);
        let from_id = self.ty(from);
        match to_shape {
            TypeShape::Bool if from_shape != TypeShape::Bool => self.truth(value, from_id),
            TypeShape::Bool | TypeShape::Signed | TypeShape::Unsigned | TypeShape::Enum => {
                self.to_integer(value, from_id, id)
            }
            TypeShape::Float | TypeShape::Complex | TypeShape::Vector => {
                if from_id == id {
                    value
                } else {
                    Expr::Computed(vec![value])
                }
            }
            TypeShape::Pointer => self.to_pointer(value, from, to),
            TypeShape::NullPointer => Expr::Null,
            TypeShape::MemberPointer | TypeShape::Function => value,
            TypeShape::LValueReference | TypeShape::RValueReference => value,
            TypeShape::Record | TypeShape::ConstantArray | TypeShape::OtherArray => {
                self.opaque("a conversion of unknown kind", operand)
            }
            TypeShape::Void | TypeShape::Dependent | TypeShape::Other(_) => value,
        }
    }

    /// As [`Self::value`], but without forgetting that a cast is around it.
    fn value_of_child(&mut self, operand: Cursor<'tu>) -> Expr {
        self.value(operand)
    }

    fn to_integer(
        &mut self,
        value: Expr,
        from: echo_dataflow::program::TypeId,
        to: echo_dataflow::program::TypeId,
    ) -> Expr {
        if from == to {
            return value;
        }
        match &self.session.program.types[from.index()].kind {
            TypeKind::Integer { .. } => match value {
                Expr::Integer(n) => match self.session.convert_constant(n, to) {
                    Some(n) => Expr::Integer(n),
                    None => Expr::Cast { to, value: Box::new(Expr::Integer(n)) },
                },
                value => Expr::Cast { to, value: Box::new(value) },
            },
            TypeKind::Pointer { .. } => match value {
                Expr::Null => Expr::Integer(0),
                value => Expr::Cast { to, value: Box::new(value) },
            },
            TypeKind::Float
            | TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => Expr::Computed(vec![value]),
        }
    }

    fn to_pointer(&mut self, value: Expr, from: Type<'tu>, to: Type<'tu>) -> Expr {
        let id = self.ty(to);
        let from_id = self.ty(from);
        if from_id == id {
            return value;
        }
        match from.shape() {
            TypeShape::NullPointer => Expr::Null,
            TypeShape::Function => value,
            TypeShape::Pointer => {
                if matches!(value, Expr::Null | Expr::Function(_) | Expr::Closure(_)) {
                    return value;
                }
                let (Some(inner), Some(outer)) =
                    (from.canonical().pointee(), to.canonical().pointee())
                else {
                    return Expr::Cast { to: id, value: Box::new(value) };
                };
                let value = match self.session.base_step(inner, outer) {
                    Step::Same | Step::At(0) => value,
                    Step::At(bytes) => Expr::PointerAdd {
                        pointer: Box::new(value),
                        elements: Box::new(Expr::Integer(bytes)),
                        element_bytes: Some(1),
                    },
                    Step::Unknown => Expr::Unknown,
                };
                Expr::Cast { to: id, value: Box::new(value) }
            }
            _ => match value {
                Expr::Integer(0) => Expr::Null,
                value => Expr::Cast { to: id, value: Box::new(value) },
            },
        }
    }
}

/// How many bytes a pointer to one class moves when it becomes a pointer to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The classes are the same or unrelated.
    Same,
    /// Derived to base (positive) or base to derived (negative).
    At(i128),
    /// Through a virtual base.
    Unknown,
}

impl<'tu> super::session::Session<'tu> {
    /// The step from class `from` to class `to`.
    pub(crate) fn base_step(&mut self, from: Type<'tu>, to: Type<'tu>) -> Step {
        let (from, to) = (from.canonical().unqualified(), to.canonical().unqualified());
        if from.shape() != TypeShape::Record
            || to.shape() != TypeShape::Record
            || from.key() == to.key()
        {
            return Step::Same;
        }
        match self.base_offset(from, to, 0) {
            Some(Some(offset)) => Step::At(i128::from(offset)),
            Some(None) => Step::Unknown,
            None => match self.base_offset(to, from, 0) {
                Some(Some(offset)) => Step::At(-i128::from(offset)),
                Some(None) => Step::Unknown,
                None => Step::Same,
            },
        }
    }

    /// The offset of base `base` in `derived`; `Some(None)` if it is a base at an unknown offset.
    fn base_offset(
        &mut self,
        derived: Type<'tu>,
        base: Type<'tu>,
        depth: u32,
    ) -> Option<Option<u64>> {
        if depth > 32 {
            return None;
        }
        let record = self.record(derived)?;
        for direct in &record.bases {
            if direct.ty.canonical().unqualified().key() == base.key() {
                return Some(direct.offset);
            }
            if let Some(inner) =
                self.base_offset(direct.ty.canonical().unqualified(), base, depth + 1)
            {
                return Some(direct.offset.zip(inner).map(|(a, b)| a + b));
            }
        }
        None
    }
}
