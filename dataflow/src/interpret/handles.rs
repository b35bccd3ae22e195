//! What library handles hold: their stream, the pointers they keep, where their scalars are.

use crate::effect::{EffectModel, Execution, StreamSource};
use crate::event::StreamUse;
use crate::program::TypeKind;
use crate::size::Size;

use super::machine::{Machine, constant_offset};
use super::regions::{HANDLE_POINTER_MODE, HANDLE_RETAINED, HANDLE_STREAM, RegionKind};
use super::value::{Pointer, Region, Value};

/// An argument: where it points, its value as a number, its value.
pub(super) type ArgumentValue = (Pointer, Option<Size>, Value);

impl Machine<'_> {
    /// The region that stands for what the handle `value` holds, if the handle has an identity.
    fn handle(&mut self, value: &Value) -> Option<Region> {
        match value {
            Value::Unknown(symbol) => Some(self.regions.intern(RegionKind::Handle(*symbol))),
            Value::Nothing
            | Value::Integer(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Any => None,
        }
    }

    /// The handle that argument `position` names: its value, or what it points to (`f(&handle, ...)`).
    fn handle_argument(&mut self, values: &[ArgumentValue], position: u32) -> Option<Region> {
        let (pointer, _, value) = values.get(position as usize)?;
        if let ([(region, Some(offset))], false) = (pointer.regions.as_slice(), pointer.unknown) {
            let offset = constant_offset(Some(offset))?;
            let held = self.state.get(&(*region, offset)).cloned()?;
            return self.handle(&held);
        }
        let value = value.clone();
        self.handle(&value)
    }

    pub(super) fn bind_stream(&mut self, values: &[ArgumentValue], handle: u32, stream: u32) {
        let Some((_, _, stream)) = values.get(stream as usize).cloned() else { return };
        if let Some(region) = self.handle_argument(values, handle) {
            self.state.set((region, HANDLE_STREAM), stream);
        } else {
            self.unknown_streams = true;
        }
    }

    /// A handle without an identity is not a created one either, so its mode counts as unknown without a note.
    pub(super) fn bind_pointer_mode(&mut self, values: &[ArgumentValue], handle: u32, mode: u32) {
        let Some((_, _, mode)) = values.get(mode as usize).cloned() else { return };
        if let Some(region) = self.handle_argument(values, handle) {
            self.state.set((region, HANDLE_POINTER_MODE), mode);
        }
    }

    /// Whether the handle that `model` takes its stream from certainly has its scalars on the host: it was created here,
    /// with that mode, and no other code was given it.
    pub(super) fn scalars_on_host(
        &mut self,
        model: &EffectModel,
        values: &[ArgumentValue],
    ) -> bool {
        let (Execution::Device(StreamSource::Handle(position))
        | Execution::DeviceWaits(StreamSource::Handle(position))) = model.execution
        else {
            return false;
        };
        let Some((_, _, value)) = values.get(position as usize).cloned() else { return false };
        let Some(region) = self.own_handle(&value) else { return false };
        match self.state.get(&(region, HANDLE_POINTER_MODE)) {
            None => true,
            Some(Value::Integer(mode)) => mode.as_constant() == Some(0),
            Some(
                Value::Nothing
                | Value::Pointer(_)
                | Value::Function(_)
                | Value::Unknown(_)
                | Value::Any,
            ) => false,
        }
    }

    pub(super) fn retain(
        &mut self,
        values: &[ArgumentValue],
        handle: u32,
        pointer: &Pointer,
        name: &str,
    ) {
        match self.handle_argument(values, handle) {
            Some(region) => {
                if self.state.escaped.contains(&region) {
                    self.escape(
                        pointer,
                        &format!("kept by a handle of `{name}` that other code has"),
                    );
                }
                let value = Value::Pointer(pointer.moved(None));
                let old = self.state.get(&(region, HANDLE_RETAINED)).cloned();
                let all = old.map_or(value.clone(), |old| old.join(&value, || None));
                self.state.set((region, HANDLE_RETAINED), all);
            }
            None => {
                self.escape(pointer, &format!("kept by a handle of `{name}` that is not tracked"));
            }
        }
    }

    /// The pointers that the handle `value` retains, and whether that is all of them. A handle that is not known to be
    /// one certain handle created here may be any of them.
    pub(super) fn retained(&mut self, value: &Value) -> (Pointer, bool) {
        if let Some(region) = self.own_handle(value) {
            let held = self.retained_by(region);
            let complete = !held.unknown;
            return (held, complete);
        }
        let null = match value {
            Value::Integer(number) => number.as_constant() == Some(0),
            Value::Pointer(pointer) => pointer.regions.is_empty() && !pointer.unknown,
            Value::Nothing => true,
            Value::Function(_) | Value::Unknown(_) | Value::Any => false,
        };
        if null {
            return (Pointer::null(), true);
        }
        let all = self
            .handles()
            .into_iter()
            .fold(Pointer::anywhere(), |all, handle| all.join(&self.retained_by(handle)));
        (all, false)
    }

    /// The pointers that are known to be retained by `handle`.
    pub(super) fn retained_by(&self, handle: Region) -> Pointer {
        match self.state.get(&(handle, HANDLE_RETAINED)) {
            Some(Value::Pointer(pointer)) => pointer.clone(),
            Some(
                Value::Nothing
                | Value::Integer(_)
                | Value::Function(_)
                | Value::Unknown(_)
                | Value::Any,
            ) => Pointer::anywhere(),
            None => Pointer::null(),
        }
    }

    /// All handles that retain something.
    fn handles(&self) -> Vec<Region> {
        self.regions
            .iter()
            .filter(|(_, info)| matches!(info.kind, RegionKind::Handle(_)))
            .map(|(region, _)| region)
            .filter(|region| self.state.cells.contains_key(&(*region, HANDLE_RETAINED)))
            .collect()
    }

    /// The handle `value`, if a modelled call created it in this root and no other code was given it.
    fn own_handle(&mut self, value: &Value) -> Option<Region> {
        let region = self.created_handle(value)?;
        (!self.state.escaped.contains(&region)).then_some(region)
    }

    /// The handle `value`, if a modelled call created it in this root.
    pub(super) fn created_handle(&mut self, value: &Value) -> Option<Region> {
        match value {
            Value::Unknown(symbol) if self.symbols.is_created(*symbol) => self.handle(value),
            Value::Unknown(_)
            | Value::Nothing
            | Value::Integer(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Any => None,
        }
    }

    /// The handle `value`, if anything is known of what it holds.
    pub(super) fn known_handle(&self, value: &Value) -> Option<Region> {
        match value {
            Value::Unknown(symbol) => self.regions.handle(*symbol),
            Value::Nothing
            | Value::Integer(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Any => None,
        }
    }

    /// `value` becomes reachable for code that is not tracked: what it points to, or what it holds as a handle.
    pub(super) fn escape_value(&mut self, value: &Value, how: &str) {
        if let Value::Pointer(pointer) = value {
            let pointer = pointer.clone();
            self.escape(&pointer, how);
        } else if let Some(handle) = self.created_handle(value) {
            self.escape(&Pointer::to(handle, None), how);
        }
    }

    /// Code that is not tracked gets the handle `value`, whichever it is.
    pub(super) fn escape_handle(&mut self, value: &Value, how: &str) {
        match value {
            Value::Unknown(_) => match self.created_handle(value) {
                Some(handle) => self.escape(&Pointer::to(handle, None), how),
                None => self.escape_handles(how),
            },
            Value::Any => self.escape_handles(how),
            Value::Nothing | Value::Integer(_) | Value::Pointer(_) | Value::Function(_) => {}
        }
    }

    /// Code that is not tracked may have any handle.
    pub(super) fn escape_handles(&mut self, how: &str) {
        let all = self
            .handles()
            .into_iter()
            .fold(Pointer::null(), |all, handle| all.join(&Pointer::to(handle, None)));
        self.escape(&all, how);
    }

    /// Whether the variable `region` may hold a handle without it being known which.
    pub(super) fn may_hold_some_handle(&self, region: Region) -> bool {
        let RegionKind::Variable { variable, .. } = self.regions.info(region).kind else {
            return false;
        };
        let holds = match self.program.ty(self.program.variable(variable).ty).kind {
            TypeKind::Pointer { .. }
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Unknown => true,
            TypeKind::Void | TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Function => {
                false
            }
        };
        holds
            && self.state.cells_of(region).any(|(_, value)| match value {
                Value::Unknown(symbol) => !self.symbols.is_created(*symbol),
                Value::Any => true,
                Value::Nothing | Value::Integer(_) | Value::Pointer(_) | Value::Function(_) => {
                    false
                }
            })
    }

    /// What the pointers stored behind `table` point to.
    pub(super) fn pointers_through(&self, table: &Pointer) -> Pointer {
        let mut held = self.pointers_in(table, None).moved(None);
        held.unknown |= table.unknown;
        for (region, _) in &table.regions {
            let mut filled = false;
            for (_, value) in self.state.cells_of(*region) {
                filled = true;
                held.unknown |= match value {
                    Value::Pointer(pointer) => pointer.unknown,
                    Value::Integer(number) => number.as_constant() != Some(0),
                    Value::Nothing | Value::Function(_) => false,
                    Value::Unknown(_) | Value::Any => true,
                };
            }
            // Nothing is known to have been stored: what is there came from where the analysis did not look.
            held.unknown |= !filled;
        }
        held
    }

    pub(super) fn source_stream(
        &mut self,
        source: StreamSource,
        values: &[ArgumentValue],
    ) -> StreamUse {
        match source {
            StreamSource::Default => StreamUse::Default,
            StreamSource::Unknown => StreamUse::Unknown,
            StreamSource::Argument(position) => match values.get(position as usize) {
                Some((_, _, value)) => {
                    let value = value.clone();
                    self.stream_of(&value)
                }
                // An optional stream argument that was not written.
                None => StreamUse::Default,
            },
            StreamSource::Handle(position) => {
                let Some((_, _, value)) = values.get(position as usize).cloned() else {
                    return StreamUse::Unknown;
                };
                let Some(region) = self.handle(&value) else { return StreamUse::Unknown };
                match self.state.get(&(region, HANDLE_STREAM)).cloned() {
                    // Other code that has the handle may give it another stream.
                    _ if self.state.escaped.contains(&region) => StreamUse::Unknown,
                    Some(stream) => self.stream_of(&stream),
                    None if self.own_handle(&value).is_some() => StreamUse::Default,
                    None => StreamUse::Unknown,
                }
            }
        }
    }
}
