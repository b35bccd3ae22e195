//! Bytes that are written as one type and read, or written again in part, as another.
//!
//! A cell is told by where it starts. How many bytes it has follows from the accesses: cells of one start that were
//! written with several lengths, or reach into each other, hold numbers that are not followed.

use crate::program::{TypeId, TypeKind};

use super::machine::{Machine, constant_offset};
use super::regions::RegionKind;
use super::state::ANYWHERE;
use super::value::{Pointer, Region, Value};

/// Bytes of the longest scalar.
const LONGEST: i64 = 16;

impl Machine<'_> {
    /// A scalar of `bytes` is written at `offset`: what it overwrites in part is not known any more.
    pub(crate) fn overwrite(&mut self, region: Region, offset: i64, bytes: Option<u64>) {
        let Some(bytes) = bytes.and_then(|b| i64::try_from(b).ok()) else { return };
        let before: Vec<(i64, Value)> = self
            .state
            .cells
            .range((region, offset.saturating_sub(LONGEST))..(region, offset))
            .filter(|((_, at), _)| *at != ANYWHERE)
            .map(|((_, at), value)| (*at, value.clone()))
            .collect();
        for (at, value) in before {
            if self.regions.longest(region, at).is_some_and(|length| at + length > offset) {
                let mixed = self.mixed(&value);
                self.state.cells.insert((region, at), mixed);
            }
        }
        self.regions.note_length(region, offset, bytes);
    }

    /// `value`, as read with type `ty` from the bytes at `address`.
    pub(crate) fn reread(&mut self, address: &Pointer, ty: TypeId, value: Value) -> Value {
        let Some(bytes) = self.program.ty(ty).bytes.and_then(|b| i64::try_from(b).ok()) else {
            return value;
        };
        let other = address.regions.iter().any(|(region, offset)| {
            constant_offset(offset.as_ref()).is_some_and(|offset| {
                let variable = matches!(
                    self.regions.info(*region).kind,
                    RegionKind::Variable { .. } | RegionKind::Host { .. } | RegionKind::External(_)
                );
                variable && self.regions.has_other_length(*region, offset, bytes)
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
    pub(crate) fn read_as_float(&mut self, address: &Pointer, ty: TypeId) {
        if matches!(self.program.ty(ty).kind, TypeKind::Float) {
            let held = self.pointers_in(address, self.program.ty(ty).bytes);
            if held
                .regions
                .iter()
                .any(|(region, _)| !matches!(self.regions.info(*region).kind, RegionKind::Constant))
            {
                self.escape(&held, "read as a floating-point number");
            }
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
