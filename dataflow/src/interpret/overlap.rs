//! Bytes that are written as one type and read, or written again in part, as another.
//!
//! A cell is told by where it starts. How many bytes it has follows from the accesses: cells of one start that were
//! written with several lengths, or reach into each other, hold numbers that are not followed.

use std::rc::Rc;

use crate::program::{TypeId, TypeKind};

use super::machine::{Machine, constant_offset};
use super::regions::RegionKind;
use super::state::ANYWHERE;
use super::value::{Pointer, Region, Value};

/// Bytes of the longest scalar.
const LONGEST: i64 = 16;

impl Machine<'_> {
    /// `value` of `bytes` is written at `offset`: what it overwrites in part is not known any more. The value of the cell
    /// afterwards.
    pub(crate) fn overwrite(
        &mut self,
        region: Region,
        offset: i64,
        bytes: Option<u64>,
        value: Value,
    ) -> Value {
        let Some(bytes) = bytes.and_then(|b| i64::try_from(b).ok()) else { return value };
        self.overwrite_tails(region, offset);
        // The end of a longer pointer stays.
        let pointer = self
            .state
            .get(&(region, offset))
            .filter(|old| {
                matches!(old, Value::Pointer(_))
                    && self.regions.longest(region, offset).is_some_and(|length| length > bytes)
            })
            .cloned();
        self.regions.note_length(region, offset, bytes);
        pointer.map_or(value, |pointer| self.mixed(&pointer))
    }

    /// Bytes from `offset` on are written: cells that start before and reach there are not known any more.
    pub(crate) fn overwrite_tails(&mut self, region: Region, offset: i64) {
        let before: Vec<(i64, Rc<Value>)> = self
            .state
            .cells
            .range((region, offset.saturating_sub(LONGEST))..(region, offset))
            .filter(|((_, at), _)| *at != ANYWHERE)
            .map(|((_, at), value)| (*at, Rc::clone(value)))
            .collect();
        for (at, value) in before {
            let length = self.regions.longest(region, at).or_else(|| self.filled(&value));
            if length.is_some_and(|length| at + length > offset) {
                let mixed = self.mixed(&value);
                self.state.set((region, at), mixed);
            }
        }
    }

    /// For what unknown code has written as a whole: how many bytes that was.
    fn filled(&self, value: &Value) -> Option<i64> {
        match value {
            Value::Unknown(symbol) => self.symbols.bytes(*symbol),
            Value::Nothing
            | Value::Integer(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Any => None,
        }
    }

    /// `value`, as read with type `ty` from the bytes at `address`.
    pub(crate) fn reread(&mut self, address: &Pointer, ty: TypeId, value: Value) -> Value {
        let Some(bytes) = self.program.ty(ty).bytes.and_then(|b| i64::try_from(b).ok()) else {
            return value;
        };
        let filled = self.filled(&value);
        let other = address.regions.iter().any(|(region, offset)| {
            constant_offset(offset.as_ref()).is_some_and(|offset| {
                let written = self.regions.longest(*region, offset).is_some();
                let variable = matches!(
                    self.regions.info(*region).kind,
                    RegionKind::Variable { .. } | RegionKind::Host { .. } | RegionKind::External(_)
                );
                variable
                    && if written {
                        self.regions.has_other_length(*region, offset, bytes)
                    } else {
                        filled.is_some_and(|filled| filled != bytes)
                    }
            })
        });
        match value {
            Value::Integer(_) | Value::Unknown(_) if other => Value::Any,
            Value::Integer(_)
            | Value::Unknown(_)
            | Value::Nothing
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Any => value,
        }
    }

    /// The bytes at `address` are read as a number that is not followed: a pointer in them may be made again from it.
    pub(crate) fn read_as_number(&mut self, address: &Pointer, ty: TypeId) {
        let ty = self.program.ty(ty);
        let bytes = ty.bytes;
        let lost = match ty.kind {
            TypeKind::Float => true,
            TypeKind::Integer { .. } => bytes.is_some_and(|bytes| bytes < 8),
            TypeKind::Void
            | TypeKind::Pointer { .. }
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        };
        if !lost {
            return;
        }
        let held = self.pointers_in(address, bytes);
        if held
            .regions
            .iter()
            .any(|(r, _)| !matches!(self.regions.info(*r).kind, RegionKind::Constant))
        {
            self.escape(&held, "read as a number, or in part");
        }
    }

    /// What is left of `value` when some of its bytes have changed.
    fn mixed(&mut self, value: &Value) -> Value {
        match value {
            Value::Pointer(pointer) => {
                Value::Pointer(pointer.moved(None).join(&Pointer::anywhere()))
            }
            Value::Integer(_) | Value::Unknown(_) | Value::Function(_) | Value::Any => Value::Any,
            Value::Nothing => Value::Nothing,
        }
    }
}
