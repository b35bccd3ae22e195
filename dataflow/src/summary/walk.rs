//! What the statements of a function do to its roots.

use std::collections::BTreeMap;

use super::{ParameterEffect, Roots, Summary};
use crate::effect::{Accesses, EffectModels, Retention};
use crate::program::{
    Argument, Callee, Place, PlaceBase, Program, StatementKind, Storage, TypeKind, VariableId,
};

/// One function, until nothing changes.
pub(super) struct Walk<'p> {
    pub(super) program: &'p Program,
    pub(super) models: &'p EffectModels,
    pub(super) all: &'p [Summary],
    pub(super) summary: Summary,
    /// Roots of the pointers held in each local variable (in any of its fields).
    pub(super) roots: BTreeMap<VariableId, Roots>,
    /// All of these together.
    pub(super) all_roots: Roots,
    /// Roots of pointers stored through pointers or in variables whose address is taken.
    pub(super) memory: Roots,
    pub(super) changed: bool,
    pub(super) device: bool,
}

impl Walk<'_> {
    pub(super) fn statement(&mut self, kind: &StatementKind) {
        match kind {
            StatementKind::Declare(_) => {}
            StatementKind::Assign { place, ty, value } => {
                self.read(value);
                let roots = self.value(value);
                self.store(place, roots, self.program.ty(*ty).bytes);
            }
            StatementKind::CopyAggregate { to, from, ty } => {
                self.read_place(from, true);
                let ty = self.program.ty(*ty);
                if matches!(ty.kind, TypeKind::Record { may_hold_pointers: false, .. }) {
                    // As a value smaller than a pointer: it carries none.
                    self.store(to, Roots::default(), Some(0));
                } else {
                    let roots = self.load(from);
                    self.store(to, roots, ty.bytes);
                }
            }
            StatementKind::Evaluate(value) => self.read(value),
            StatementKind::HostAllocate(allocation) => {
                self.summary.effectful = true;
                self.read(&allocation.bytes);
                self.store(&allocation.result, Roots::default(), None);
            }
            StatementKind::HostRelease(release) => {
                self.summary.effectful = true;
                self.read(&release.pointer);
                let roots = self.value(&release.pointer);
                self.effect(roots, ParameterEffect::WORST);
            }
            StatementKind::Cuda { operation: _, .. } => {
                self.summary.effectful = true;
                self.summary.unknown = true;
                self.give_up_on_locals();
            }
            StatementKind::Launch(launch) => {
                self.summary.effectful = true;
                for value in launch.configuration.iter().chain(&launch.stream) {
                    self.read(value);
                }
                self.call(&launch.kernel, &launch.arguments);
            }
            StatementKind::Call(call) => {
                let returned = self.call(&call.callee, &call.arguments);
                if let Some(result) = &call.result {
                    self.store(result, returned, None);
                }
            }
            StatementKind::Opaque { .. } => {
                self.summary.effectful = true;
                self.summary.unknown = true;
                self.summary.may_spin = true;
                self.give_up_on_locals();
            }
        }
    }

    /// Something not described may touch everything the function can reach.
    fn give_up_on_locals(&mut self) {
        let mut everything = self.memory;
        everything.join(self.all_roots);
        self.effect(everything, ParameterEffect::WORST);
    }

    fn call(&mut self, callee: &Callee, arguments: &[Argument]) -> Roots {
        for argument in arguments {
            self.read_argument(argument);
        }
        let mut returned = Roots::default();
        match callee {
            Callee::Function(callee) => {
                let effect = &self.all[callee.index()];
                let (unknown, effectful, may_spin) =
                    (effect.unknown, effect.effectful, effect.may_spin);
                self.flag(unknown, effectful, may_spin);
                for (variable, &(reads, writes)) in &effect.variables {
                    self.variable(*variable, reads, writes);
                }
                for (index, argument) in arguments.iter().enumerate() {
                    let roots = self.value(&argument.value);
                    let effect = self.all[callee.index()]
                        .parameters
                        .get(index)
                        .copied()
                        .unwrap_or(ParameterEffect::WORST);
                    self.effect(roots, effect);
                    // A callee may store into what the argument points to, which may be a local of ours.
                    if effect.writes || effect.deep {
                        let mut stored = Roots::default();
                        for (other, argument) in arguments.iter().enumerate() {
                            let captured = self.all[callee.index()]
                                .parameters
                                .get(other)
                                .is_none_or(|p| p.captured);
                            if captured {
                                stored.join(self.value(&argument.value));
                            }
                        }
                        self.changed |= self.memory.join(stored);
                    }
                    let from = self.all[callee.index()].returns;
                    if index < 64 && from.parameters & (1 << index) != 0 {
                        returned.join(roots);
                    }
                    if index < 64 && from.loaded & (1 << index) != 0 {
                        returned.join(roots.after_load());
                    }
                    if from.unknown {
                        returned.unknown = true;
                    }
                }
            }
            Callee::External { name, system, may_use_cuda, callbacks, .. } => {
                let model = self.models.get(name);
                match model {
                    Some(model) => {
                        for (index, argument) in arguments.iter().enumerate() {
                            let position = u32::try_from(index).unwrap_or(u32::MAX);
                            let effect = model.arguments.get(&position).unwrap_or(&model.rest);
                            let roots = self.value(&argument.value);
                            let declared = &self.program.ty(argument.ty).spelling;
                            let Accesses { reads, writes } = effect.access.of_type(declared);
                            let observed =
                                effect.observes_address && !self.points_to_text(argument.ty);
                            self.effect(
                                roots,
                                ParameterEffect {
                                    reads,
                                    writes,
                                    deep: false,
                                    captured: effect.retention != Retention::Call,
                                    observed,
                                },
                            );
                            returned.join(roots);
                        }
                        let effectful = model.noreturn
                            || model.process_control
                            || model.thread.is_some()
                            || model.sets_stream.is_some()
                            || model.execution != crate::effect::Execution::Host
                            || (model.calls_back && !callbacks.is_empty())
                            || model.reads_clock;
                        self.flag(false, effectful, false);
                    }
                    None => {
                        for argument in arguments {
                            let roots = self.value(&argument.value);
                            self.effect(roots, ParameterEffect::WORST);
                        }
                        let effectful = !*system || (*may_use_cuda && !self.device);
                        self.flag(effectful || self.device, effectful, !*system);
                        returned = Roots::unknown();
                    }
                }
                if !callbacks.is_empty() {
                    self.flag(true, true, true);
                }
            }
            Callee::Indirect(value) => {
                self.read(value);
                for argument in arguments {
                    let roots = self.value(&argument.value);
                    self.effect(roots, ParameterEffect::WORST);
                }
                self.flag(true, true, true);
                returned = Roots::unknown();
            }
        }
        returned
    }

    fn flag(&mut self, unknown: bool, effectful: bool, may_spin: bool) {
        self.summary.unknown |= unknown;
        self.summary.effectful |= effectful;
        self.summary.may_spin |= may_spin;
    }

    fn points_to_text(&self, ty: crate::program::TypeId) -> bool {
        match self.program.ty(ty).kind {
            TypeKind::Pointer { to } => {
                let to = self.program.ty(to);
                to.bytes == Some(1) && matches!(to.kind, TypeKind::Integer { .. })
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => true,
        }
    }

    pub(super) fn effect(&mut self, roots: Roots, effect: ParameterEffect) {
        for index in 0..self.summary.parameters.len().min(64) {
            let bit = 1u64 << index;
            let own = &mut self.summary.parameters[index];
            let before = *own;
            if roots.parameters & bit != 0 {
                own.reads |= effect.reads;
                own.writes |= effect.writes;
                own.deep |= effect.deep;
                own.captured |= effect.captured;
                own.observed |= effect.observed;
            }
            if roots.loaded & bit != 0 && (effect.reads || effect.writes || effect.captured) {
                own.deep = true;
            }
            self.changed |= before != *own;
        }
        if roots.unknown && (effect.reads || effect.writes) {
            self.summary.unknown = true;
        }
    }

    pub(super) fn variable(&mut self, variable: VariableId, reads: bool, writes: bool) {
        match self.program.variable(variable).storage {
            Storage::Local | Storage::Parameter | Storage::Temporary => {}
            Storage::Global
            | Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Device
            | Storage::Managed => {
                let entry = self.summary.variables.entry(variable).or_default();
                let before = *entry;
                entry.0 |= reads;
                entry.1 |= writes;
                self.changed |= before != *entry;
            }
        }
    }

    /// Pointers held in a variable of static storage are not followed: they may be anything.
    pub(super) fn held_in(&self, variable: VariableId) -> Roots {
        match self.program.variable(variable).storage {
            Storage::Local | Storage::Parameter | Storage::Temporary => {
                self.roots.get(&variable).copied().unwrap_or_default()
            }
            Storage::Global
            | Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Device
            | Storage::Managed => Roots::unknown(),
        }
    }

    fn store(&mut self, place: &Place, roots: Roots, bytes: Option<u64>) {
        self.read_path(place);
        match &place.base {
            PlaceBase::Variable(variable) => {
                self.variable(*variable, false, true);
                if self.held_in(*variable).unknown {
                    if self.holds_pointer(bytes) {
                        self.capture(roots);
                    }
                } else {
                    let held = self.roots.entry(*variable).or_default();
                    self.changed |= held.join(roots);
                    self.all_roots.join(roots);
                }
            }
            PlaceBase::Deref(pointer) => {
                self.read(pointer);
                let target = self.value(pointer);
                self.effect(target, ParameterEffect { writes: true, ..Default::default() });
                self.changed |= self.memory.join(roots);
                let seen_outside = (target.parameters | target.loaded) != 0 || target.unknown;
                if seen_outside && self.holds_pointer(bytes) {
                    self.capture(roots);
                }
            }
        }
    }

    fn holds_pointer(&self, bytes: Option<u64>) -> bool {
        bytes.is_none_or(|b| b >= 8)
    }

    fn capture(&mut self, roots: Roots) {
        self.effect(roots, ParameterEffect { captured: true, ..Default::default() });
    }
}
