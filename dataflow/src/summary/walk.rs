//! What the statements of a function do to its roots.

use std::collections::BTreeMap;

use super::{CaptureEffect, Owners, ParameterEffect, Roots, Summary};
use crate::effect::{Accesses, EffectModel, EffectModels, Retention};
use crate::program::{
    Argument, Callee, Expr, FunctionId, Place, PlaceBase, Program, StatementKind, Storage, TypeId,
    TypeKind, VariableId,
};

/// One function, until nothing changes.
pub(super) struct Walk<'p> {
    pub(super) program: &'p Program,
    pub(super) models: &'p EffectModels,
    pub(super) owners: &'p Owners,
    /// The function that is walked.
    pub(super) function: FunctionId,
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
            StatementKind::Cuda { operation, .. } => {
                self.summary.controls |= operation.controls();
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
                self.flag(true, true, true);
                self.summary.controls = true;
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
                let all = self.all;
                let callee = &all[callee.index()];
                self.flag(callee.unknown, callee.effectful, callee.may_spin);
                self.summary.controls |= callee.controls;
                if callee.lost_captures {
                    self.summary.lost_captures = true;
                    self.give_up_on_locals();
                }
                for (variable, &(reads, writes)) in &callee.variables {
                    self.variable(*variable, reads, writes);
                }
                let mut uses: Vec<(Roots, ParameterEffect)> = Vec::new();
                for (index, argument) in arguments.iter().enumerate() {
                    let effect = callee.parameters.get(index).copied();
                    let effect = effect.unwrap_or(ParameterEffect::WORST);
                    uses.push((self.value(&argument.value), effect));
                }
                // Arguments without a parameter are not returned; what is captured comes after the parameters.
                uses.resize(callee.parameters.len().max(uses.len()), Default::default());
                let written = callee.parameters.len();
                for capture in &callee.captures {
                    self.name(capture.variable);
                    uses.push((self.held_in(capture.variable), capture.effect));
                }
                let mut kept = Roots::default();
                for (roots, _) in uses.iter().filter(|(_, effect)| effect.captured) {
                    kept.join(*roots);
                }
                for (index, &(roots, effect)) in uses.iter().enumerate() {
                    self.effect(roots, effect);
                    // A callee may store into what the argument points to, which may be a local of ours.
                    if effect.writes || effect.deep {
                        self.changed |= self.memory.join(kept);
                    }
                    let bit = match index.checked_sub(arguments.len().max(written)) {
                        Some(capture) => Some(written + capture),
                        None => (index < written).then_some(index),
                    };
                    let from = callee.returns;
                    if let Some(bit) = bit.filter(|bit| *bit < 64) {
                        if from.parameters & (1 << bit) != 0 {
                            returned.join(roots);
                        }
                        if from.loaded & (1 << bit) != 0 {
                            returned.join(roots.after_load());
                        }
                    }
                }
                returned.unknown |= callee.returns.unknown;
                for capture in callee.captures.iter().filter(|capture| capture.stored) {
                    let mut anything = self.all_roots;
                    anything.join(self.memory);
                    anything.join(anything.after_load());
                    for &(roots, _) in &uses {
                        anything.join(roots);
                        anything.join(roots.after_load());
                    }
                    self.keep(capture.variable, anything);
                }
            }
            Callee::External { name, system, may_use_cuda, callbacks, .. } => {
                let model = self.models.get(name);
                match model {
                    Some(model) => {
                        let writes = self.writes_through_some(model, arguments);
                        for (index, argument) in arguments.iter().enumerate() {
                            let position = u32::try_from(index).unwrap_or(u32::MAX);
                            let effect = model.arguments.get(&position).unwrap_or(&model.rest);
                            let roots = self.value(&argument.value);
                            let declared = &self.program.ty(argument.ty).spelling;
                            let Accesses { reads, writes: writes_own } =
                                effect.access.of_type(declared);
                            let observed =
                                effect.observes_address && !self.points_to_text(argument.ty);
                            // `__stcg(&t, p)` and `memcpy(t, &p, 8)` put the pointer itself elsewhere.
                            let put = writes
                                && ((!reads && !writes_own)
                                    || (reads && self.is_of_pointers(&argument.value)));
                            self.effect(
                                roots,
                                ParameterEffect {
                                    reads,
                                    writes: writes_own,
                                    deep: false,
                                    captured: put || effect.retention != Retention::Call,
                                    observed,
                                },
                            );
                            returned.join(roots);
                            if put {
                                let mut found = roots;
                                found.join(roots.after_load());
                                self.changed |= self.memory.join(found);
                            }
                        }
                        let effectful = model.noreturn
                            || model.process_control
                            || model.thread.is_some()
                            || model.sets_stream.is_some()
                            || model.execution != crate::effect::Execution::Host
                            || (model.calls_back && !callbacks.is_empty())
                            || model.reads_clock;
                        self.flag(false, effectful, false);
                        self.summary.controls |= model.process_control;
                    }
                    None => {
                        for argument in arguments {
                            let roots = self.value(&argument.value);
                            self.effect(roots, ParameterEffect::WORST);
                        }
                        let effectful = !*system || (*may_use_cuda && !self.device);
                        self.flag(effectful || self.device, effectful, !*system);
                        self.summary.controls |= effectful;
                        returned = Roots::unknown();
                    }
                }
                if !callbacks.is_empty() {
                    self.flag(true, true, true);
                    self.summary.controls = true;
                }
            }
            Callee::Indirect(value) => {
                self.read(value);
                for argument in arguments {
                    let roots = self.value(&argument.value);
                    self.effect(roots, ParameterEffect::WORST);
                }
                self.flag(true, true, true);
                self.summary.controls = true;
                returned = Roots::unknown();
            }
        }
        returned
    }

    /// Whether a function with this model writes through one of the arguments.
    fn writes_through_some(&self, model: &EffectModel, arguments: &[Argument]) -> bool {
        arguments.iter().enumerate().any(|(index, argument)| {
            let position = u32::try_from(index).unwrap_or(u32::MAX);
            let effect = model.arguments.get(&position).unwrap_or(&model.rest);
            effect.access.of_type(&self.program.ty(argument.ty).spelling).writes
        })
    }

    /// Whether `value` points to what may hold pointers: to a variable, or by its type before it was cast.
    pub(super) fn is_of_pointers(&self, value: &Expr) -> bool {
        match value {
            Expr::AddressOf(place) => match &place.base {
                PlaceBase::Variable(variable) => {
                    self.may_hold_pointers(self.program.variable(*variable).ty)
                }
                PlaceBase::Deref(pointer) => self.is_of_pointers(pointer),
            },
            Expr::Cast { value, .. } => self.is_of_pointers(value),
            Expr::PointerAdd { pointer, .. } => self.is_of_pointers(pointer),
            Expr::Load { ty, .. } => match self.program.ty(*ty).kind {
                TypeKind::Pointer { to } => self.may_hold_pointers(to),
                TypeKind::Void
                | TypeKind::Integer { .. }
                | TypeKind::Float
                | TypeKind::Record { .. }
                | TypeKind::Array { .. }
                | TypeKind::Function
                | TypeKind::Unknown => false,
            },
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

    /// Whether `ty` is a pointer to what holds no pointers.
    pub(super) fn is_to_numbers(&self, ty: TypeId) -> bool {
        match self.program.ty(ty).kind {
            TypeKind::Pointer { to } => match self.program.ty(to).kind {
                TypeKind::Void => false,
                TypeKind::Integer { .. }
                | TypeKind::Float
                | TypeKind::Pointer { .. }
                | TypeKind::Record { .. }
                | TypeKind::Array { .. }
                | TypeKind::Function
                | TypeKind::Unknown => !self.may_hold_pointers(to),
            },
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        }
    }

    fn may_hold_pointers(&self, ty: TypeId) -> bool {
        match self.program.ty(ty).kind {
            TypeKind::Pointer { .. } | TypeKind::Function | TypeKind::Unknown => true,
            TypeKind::Record { may_hold_pointers, .. } => may_hold_pointers,
            TypeKind::Array { of, .. } => self.may_hold_pointers(of),
            TypeKind::Void | TypeKind::Integer { .. } | TypeKind::Float => false,
        }
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
        let Summary { parameters, captures, .. } = &mut self.summary;
        let own = parameters.iter_mut().chain(captures.iter_mut().map(|c| &mut c.effect));
        for (index, own) in own.enumerate().take(64) {
            let bit = 1u64 << index;
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
                let mut held = self.roots.get(&variable).copied().unwrap_or_default();
                if let Some(index) = self.capture_of(variable) {
                    held.join(self.captured(index));
                }
                held
            }
            Storage::Global
            | Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Device
            | Storage::Managed => Roots::unknown(),
        }
    }

    fn capture_of(&self, variable: VariableId) -> Option<usize> {
        self.summary.captures.iter().position(|capture| capture.variable == variable)
    }

    /// The roots of the pointers in the captured variable of this number when the function begins.
    pub(super) fn captured(&self, index: usize) -> Roots {
        match u32::try_from(self.summary.parameters.len() + index) {
            Ok(bit) if bit < 64 => Roots { parameters: 1 << bit, ..Roots::default() },
            Ok(_) | Err(_) => Roots::unknown(),
        }
    }

    /// The function names `variable`, which may be another function's.
    pub(super) fn name(&mut self, variable: VariableId) {
        if !self.owners.is_foreign(variable, self.function) || self.capture_of(variable).is_some() {
            return;
        }
        let index = self.summary.captures.len();
        self.summary.captures.push(CaptureEffect {
            variable,
            effect: ParameterEffect::default(),
            stored: false,
        });
        if self.summary.parameters.len() + index >= 64 {
            self.summary.lost_captures = true;
        }
        let own = self.captured(index);
        self.all_roots.join(own);
        self.changed = true;
    }

    /// `variable` may hold `roots` from now on.
    fn keep(&mut self, variable: VariableId, roots: Roots) {
        let held = self.roots.entry(variable).or_default();
        self.changed |= held.join(roots);
        self.all_roots.join(roots);
        self.stored(variable);
    }

    fn stored(&mut self, variable: VariableId) {
        if let Some(index) = self.capture_of(variable) {
            let capture = &mut self.summary.captures[index];
            self.changed |= !capture.stored;
            capture.stored = true;
        }
    }

    fn store(&mut self, place: &Place, roots: Roots, bytes: Option<u64>) {
        self.read_path(place);
        match &place.base {
            PlaceBase::Variable(variable) => {
                self.variable(*variable, false, true);
                self.stored(*variable);
                if self.held_in(*variable).unknown {
                    if self.holds_pointer(bytes) {
                        self.capture(roots);
                    }
                } else {
                    self.keep(*variable, roots);
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
