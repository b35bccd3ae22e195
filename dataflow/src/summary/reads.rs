//! Which roots a value has, and what computing it reads.

use super::walk::Walk;
use super::{ParameterEffect, Roots};
use crate::program::{Argument, Expr, Place, PlaceBase, Projection, Storage, TypeKind};

impl Walk<'_> {
    /// Roots of the pointers that a load from `place` may yield.
    pub(super) fn load(&self, place: &Place) -> Roots {
        match &place.base {
            PlaceBase::Variable(variable) => {
                let mut roots = self.held_in(*variable);
                roots.join(self.memory);
                roots
            }
            PlaceBase::Deref(pointer) => {
                let mut roots = self.value(pointer).after_load();
                roots.join(self.memory);
                roots
            }
        }
    }

    /// Roots of `value` as a pointer; empty for values that cannot point to anything tracked.
    pub(super) fn value(&self, value: &Expr) -> Roots {
        match value {
            Expr::Integer(_) | Expr::Null | Expr::Literal | Expr::Function(_) => Roots::default(),
            Expr::Load { place, ty } => match self.program.ty(*ty).kind {
                TypeKind::Pointer { .. }
                | TypeKind::Record { may_hold_pointers: true, .. }
                | TypeKind::Array { .. }
                | TypeKind::Function
                | TypeKind::Unknown => self.load(place),
                // A pointer may travel in an integer of its size; smaller values cannot carry one.
                TypeKind::Integer { .. } => {
                    if self.program.ty(*ty).bytes.is_none_or(|b| b >= 8) {
                        self.load(place)
                    } else {
                        Roots::default()
                    }
                }
                TypeKind::Void | TypeKind::Float | TypeKind::Record { .. } => Roots::default(),
            },
            Expr::AddressOf(place) => match &place.base {
                // A pointer to a local carries what the local holds: loads through it find that.
                PlaceBase::Variable(variable) => {
                    let mut roots = self.held_in(*variable);
                    roots.join(self.memory);
                    if matches!(
                        self.program.variable(*variable).storage,
                        Storage::Device | Storage::Managed
                    ) {
                        roots = Roots::default();
                    }
                    roots
                }
                PlaceBase::Deref(pointer) => self.value(pointer),
            },
            Expr::PointerAdd { pointer, .. } => self.value(pointer),
            Expr::Cast { value, .. } => self.value(value),
            Expr::Arithmetic { left, right, .. } => {
                let mut roots = self.value(left);
                roots.join(self.value(right));
                roots
            }
            Expr::PointerDifference { .. } | Expr::Compare { .. } => Roots::default(),
            Expr::Closure(_) | Expr::Unknown => Roots::unknown(),
            Expr::Computed(_) => Roots::default(),
        }
    }

    pub(super) fn read_argument(&mut self, argument: &Argument) {
        self.read(&argument.value);
    }

    /// Marks what evaluating `value` reads and observes.
    pub(super) fn read(&mut self, value: &Expr) {
        match value {
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Unknown => {}
            Expr::Load { place, .. } => self.read_place(place, true),
            Expr::AddressOf(place) => self.read_place(place, false),
            Expr::Arithmetic { left, right, .. } => {
                self.read(left);
                self.read(right);
            }
            Expr::PointerAdd { pointer, elements, .. } => {
                self.read(pointer);
                self.read(elements);
            }
            Expr::PointerDifference { left, right } | Expr::Compare { left, right, .. } => {
                self.read(left);
                self.read(right);
                let (l, r) = (self.value(left), self.value(right));
                // Two pointers of one root compare within one object; of two roots they are told apart.
                let mut both = l;
                both.join(r);
                let several = both.unknown
                    || both.loaded != 0
                    || (both.parameters != 0 && !both.parameters.is_power_of_two());
                let null = matches!(**left, Expr::Null) || matches!(**right, Expr::Null);
                if several && !null {
                    self.effect(both, ParameterEffect { observed: true, ..Default::default() });
                }
            }
            Expr::Cast { to, value: inner } => {
                self.read(inner);
                let to_integer = matches!(self.program.ty(*to).kind, TypeKind::Integer { .. })
                    && self.program.ty(*to).bytes.is_none_or(|b| b > 1);
                if to_integer && self.is_pointer(inner) {
                    let roots = self.value(inner);
                    self.effect(roots, ParameterEffect { observed: true, ..Default::default() });
                }
                // `(char *)&p`: the bytes of the pointer may go anywhere.
                if self.is_to_numbers(*to) && self.is_of_pointers(inner) {
                    let roots = self.value(inner);
                    self.effect(
                        roots,
                        ParameterEffect { observed: true, captured: true, ..Default::default() },
                    );
                }
            }
            Expr::Computed(operands) => {
                for operand in operands {
                    self.read(operand);
                }
            }
        }
    }

    pub(super) fn is_pointer(&self, value: &Expr) -> bool {
        match value {
            Expr::Load { ty, .. } | Expr::Cast { to: ty, .. } => {
                matches!(self.program.ty(*ty).kind, TypeKind::Pointer { .. })
            }
            Expr::AddressOf(_) | Expr::PointerAdd { .. } => true,
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Arithmetic { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Computed(_)
            | Expr::Unknown => false,
        }
    }

    pub(super) fn read_place(&mut self, place: &Place, loads: bool) {
        self.read_path(place);
        match &place.base {
            PlaceBase::Variable(variable) => {
                if loads {
                    self.variable(*variable, true, false);
                }
                if self.program.variable(*variable).volatile {
                    self.summary.may_spin |= self.device;
                }
            }
            PlaceBase::Deref(pointer) => {
                self.read(pointer);
                if loads {
                    let roots = self.value(pointer);
                    self.effect(roots, ParameterEffect { reads: true, ..Default::default() });
                }
            }
        }
    }

    pub(super) fn read_path(&mut self, place: &Place) {
        if let PlaceBase::Variable(variable) = place.base {
            self.name(variable);
        }
        for step in &place.path {
            match step {
                Projection::Field { .. } => {}
                Projection::Index { index, .. } => self.read(index),
            }
        }
    }
}
