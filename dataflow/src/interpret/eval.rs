//! The value of an expression; what evaluating it reads and observes.

use std::collections::BTreeSet;

use crate::event::Observation;
use crate::program::{
    Arithmetic, Comparison, Expr, Place, PlaceBase, Projection, TypeId, TypeKind,
};
use crate::size::Size;

use super::emit::Draft;
use super::machine::Machine;
use super::regions::RegionKind;
use super::value::{Pointer, Region, Value};

impl Machine<'_> {
    /// The address of `place`.
    pub(crate) fn address(&mut self, place: &Place) -> Pointer {
        let mut address = match &place.base {
            PlaceBase::Variable(variable) => {
                Pointer::to(self.variable_region(*variable), Some(Size::constant(0)))
            }
            PlaceBase::Deref(pointer) => self.eval(pointer).pointer(),
        };
        for step in &place.path {
            match step {
                Projection::Field { offset, .. } => {
                    let offset = offset.map(|o| Size::constant(i128::from(o)));
                    address = address.moved(offset.as_ref());
                }
                Projection::Index { index, element_bytes } => {
                    let index = self.eval(index).integer();
                    let offset = index.zip(*element_bytes).and_then(|(index, bytes)| {
                        index.multiply(&Size::constant(i128::from(bytes)))
                    });
                    address = address.moved(offset.as_ref());
                }
            }
        }
        address
    }

    /// The value of `expr`; its reads become events.
    pub(crate) fn eval(&mut self, expr: &Expr) -> Value {
        match expr {
            Expr::Integer(value) => Value::Integer(Size::constant(*value)),
            Expr::Null => Value::Pointer(Pointer::null()),
            Expr::Literal => {
                let region = self.regions.intern(RegionKind::Constant);
                Value::Pointer(Pointer::to(region, None))
            }
            Expr::Load { place, ty } => {
                let address = self.address(place);
                self.load(&address, *ty)
            }
            Expr::AddressOf(place) => Value::Pointer(self.address(place)),
            Expr::Arithmetic { op, left, right } => self.arithmetic(*op, left, right),
            Expr::PointerAdd { pointer, elements, element_bytes } => {
                let pointer = self.eval(pointer).pointer();
                let elements = self.eval(elements).integer();
                let bytes = elements.zip(*element_bytes).and_then(|(elements, bytes)| {
                    elements.multiply(&Size::constant(i128::from(bytes)))
                });
                Value::Pointer(pointer.moved(bytes.as_ref()))
            }
            Expr::PointerDifference { left, right } => {
                let left = self.eval(left).pointer();
                let right = self.eval(right).pointer();
                self.tell_apart(&left, &right, Observation::Subtracted);
                Value::Unknown(self.produce())
            }
            Expr::Compare { op: _, left, right } => {
                let pointers = self.is_pointer(left) || self.is_pointer(right);
                let left = self.eval(left);
                let right = self.eval(right);
                if pointers {
                    self.tell_apart(&left.pointer(), &right.pointer(), Observation::Compared);
                }
                Value::Any
            }
            Expr::Cast { to, value } => self.cast(*to, value),
            Expr::Function(function) => Value::Function(BTreeSet::from([*function])),
            Expr::Closure(functions) => Value::Function(functions.iter().copied().collect()),
            Expr::Computed(operands) => {
                for operand in operands {
                    self.eval(operand);
                }
                Value::Any
            }
            Expr::Unknown => Value::Any,
        }
    }

    pub(crate) fn arithmetic(&mut self, op: Arithmetic, left: &Expr, right: &Expr) -> Value {
        let mut left_value = self.eval(left);
        let mut right_value = self.eval(right);
        let unsigned = match op {
            Arithmetic::Add
            | Arithmetic::Subtract
            | Arithmetic::Multiply
            | Arithmetic::ShiftLeft => false,
            // These look at the bits that an operand has lost.
            Arithmetic::Divide
            | Arithmetic::Remainder
            | Arithmetic::ShiftRight
            | Arithmetic::And
            | Arithmetic::Or
            | Arithmetic::Xor => {
                left_value = self.settled(left, left_value);
                right_value = self.settled(right, right_value);
                self.is_unsigned(left) || op != Arithmetic::ShiftRight && self.is_unsigned(right)
            }
        };
        // Pointer bits in an integer: the result may point to wherever they did.
        let carried =
            [&left_value, &right_value].into_iter().fold(Pointer::default(), |all, v| match v {
                Value::Pointer(pointer) => all.join(pointer),
                Value::Nothing
                | Value::Integer(_)
                | Value::Function(_)
                | Value::Unknown(_)
                | Value::Any => all,
            });
        if !carried.regions.is_empty() || carried.unknown {
            return Value::Pointer(carried.moved(None).join(&Pointer::anywhere()));
        }
        match (left_value.integer(), right_value.integer()) {
            (Some(l), Some(r)) => Value::Integer(self.symbols.arithmetic(op, unsigned, &l, &r)),
            (Some(_) | None, Some(_) | None) => Value::Any,
        }
    }

    pub(crate) fn type_of(&self, expr: &Expr) -> Option<TypeId> {
        match expr {
            Expr::Load { ty, .. } | Expr::Cast { to: ty, .. } => Some(*ty),
            Expr::Arithmetic { left, right, .. } => {
                self.type_of(left).or_else(|| self.type_of(right))
            }
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::AddressOf(_)
            | Expr::PointerAdd { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => None,
        }
    }

    /// Whether the type of `expr` is a pointer.
    pub(crate) fn is_pointer(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Load { ty, .. } | Expr::Cast { to: ty, .. } => {
                matches!(self.program.ty(*ty).kind, TypeKind::Pointer { .. })
            }
            Expr::AddressOf(_) | Expr::PointerAdd { .. } | Expr::Literal | Expr::Null => true,
            Expr::Integer(_)
            | Expr::Arithmetic { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => false,
        }
    }

    /// Two pointers are compared or subtracted: their identity is observed unless both are into one object or one is
    /// null (notes/semantics.md section 12, item 1).
    pub(crate) fn tell_apart(&mut self, left: &Pointer, right: &Pointer, how: Observation) {
        let only_null = |p: &Pointer| p.regions.is_empty() && !p.unknown;
        if only_null(left) || only_null(right) {
            return;
        }
        let both = left.join(right);
        if both.regions.len() == 1 && !both.unknown {
            return;
        }
        self.observe(&both, how);
    }

    /// The identity of `pointer` is observed.
    pub(crate) fn observe(&mut self, pointer: &Pointer, how: Observation) {
        let memory: Vec<Region> = pointer
            .regions
            .iter()
            .map(|(r, _)| *r)
            .filter(|&r| self.regions.is_memory(r))
            .collect();
        if !memory.is_empty() {
            self.emit_draft(Draft::observe(memory, how));
        }
    }

    /// The comparison in a branch condition, for loop bounds.
    pub(crate) fn comparison<'e>(
        &self,
        condition: &'e Expr,
    ) -> Option<(Comparison, &'e Expr, &'e Expr)> {
        match condition {
            Expr::Compare { op, left, right } => Some((*op, left, right)),
            Expr::Cast { value, .. } => self.comparison(value),
            Expr::Computed(_)
            | Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Load { .. }
            | Expr::AddressOf(_)
            | Expr::Arithmetic { .. }
            | Expr::PointerAdd { .. }
            | Expr::PointerDifference { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Unknown => None,
        }
    }
}
