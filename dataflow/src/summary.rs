//! Bottom-up summaries: what a function may do to the memory its parameters point to.
//!
//! Flow-insensitive and may-only: used for kernels and device functions, and for host functions that are not folded
//! into their caller (recursion, size). A pointer is tracked to its *roots*: the parameters it may be derived from.

use std::collections::BTreeMap;

use crate::effect::{ArgumentAccess, EffectModels, Retention};
use crate::program::{
    Argument, Callee, Expr, FunctionId, FunctionKind, Place, PlaceBase, Program, Projection,
    StatementKind, Storage, Terminator, TypeKind, VariableId,
};

/// Effect of one call of a function, over all its executions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Per parameter.
    pub parameters: Vec<ParameterEffect>,
    /// Global and device variables accessed by name: (may read, may write).
    pub variables: BTreeMap<VariableId, (bool, bool)>,
    /// It may access anything that has escaped, or runs code that is not described.
    pub unknown: bool,
    /// It allocates, frees, uses CUDA or exits: a summary says too little about it for a host call.
    pub effectful: bool,
    /// It reads `volatile` memory, so it may wait for the host to write something.
    pub may_spin: bool,
    /// Parameters the returned pointer may be derived from, and whether it may be anything else.
    pub returns: Roots,
}

/// Effect on what one parameter points to (for a class by value: what its pointers point to).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParameterEffect {
    /// May read it.
    pub reads: bool,
    /// May write it.
    pub writes: bool,
    /// May access memory that pointers stored in it lead to.
    pub deep: bool,
    /// May keep the pointer beyond the call, or free it.
    pub captured: bool,
    /// May observe the address itself.
    pub observed: bool,
}

/// Where a pointer may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roots {
    /// Bit set of parameters (a function with more than 64 has `unknown`).
    pub parameters: u64,
    /// Bit set of parameters from whose memory it was loaded.
    pub loaded: u64,
    /// It may be anything.
    pub unknown: bool,
}

impl Roots {
    fn join(&mut self, other: Self) -> bool {
        let before = *self;
        self.parameters |= other.parameters;
        self.loaded |= other.loaded;
        self.unknown |= other.unknown;
        *self != before
    }

    fn unknown() -> Self {
        Self { unknown: true, ..Self::default() }
    }

    fn after_load(self) -> Self {
        Self { parameters: 0, loaded: self.parameters | self.loaded, unknown: self.unknown }
    }
}

/// Summaries of all functions of `program`, by [`FunctionId`].
#[must_use]
pub fn summaries(program: &Program, models: &EffectModels) -> Vec<Summary> {
    let mut all: Vec<Summary> = program
        .functions
        .iter()
        .map(|f| Summary {
            parameters: vec![ParameterEffect::default(); f.parameters.len()],
            ..Summary::default()
        })
        .collect();
    // Monotone in the summaries of the callees, of finite height: ends. Callees mostly come first in the source, so
    // few passes are needed; each pass only revisits callers of what changed.
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        for statement in function.blocks.iter().flat_map(|b| &b.statements) {
            let callee = match &statement.kind {
                StatementKind::Call(call) => &call.callee,
                StatementKind::Launch(launch) => &launch.kernel,
                StatementKind::Declare(_)
                | StatementKind::Assign { .. }
                | StatementKind::CopyAggregate { .. }
                | StatementKind::Evaluate(_)
                | StatementKind::HostAllocate(_)
                | StatementKind::HostRelease(_)
                | StatementKind::Cuda { .. }
                | StatementKind::Opaque { .. } => continue,
            };
            if let Callee::Function(callee) = callee {
                callers[callee.index()].push(index);
            }
        }
    }
    let mut queued = vec![true; program.functions.len()];
    let mut work: std::collections::VecDeque<usize> = (0..program.functions.len()).collect();
    while let Some(index) = work.pop_front() {
        queued[index] = false;
        let next = summarise(program, models, &all, FunctionId::new(index));
        if next != all[index] {
            all[index] = next;
            for &caller in &callers[index] {
                if !queued[caller] {
                    queued[caller] = true;
                    work.push_back(caller);
                }
            }
        }
    }
    all
}

fn summarise(program: &Program, models: &EffectModels, all: &[Summary], id: FunctionId) -> Summary {
    let function = program.function(id);
    if function.opaque.is_some() || function.blocks.is_empty() || function.parameters.len() > 64 {
        return Summary {
            parameters: vec![
                ParameterEffect {
                    reads: true,
                    writes: true,
                    deep: true,
                    captured: true,
                    observed: true
                };
                function.parameters.len()
            ],
            unknown: true,
            effectful: true,
            may_spin: true,
            returns: Roots::unknown(),
            ..Summary::default()
        };
    }
    let mut walk = Walk {
        program,
        models,
        all,
        // Start from what is known so that the result only grows.
        summary: all[id.index()].clone(),
        roots: BTreeMap::new(),
        all_roots: Roots::default(),
        memory: Roots::default(),
        changed: true,
        device: matches!(function.kind, FunctionKind::Kernel | FunctionKind::Device),
    };
    for (index, &parameter) in function.parameters.iter().enumerate() {
        let own = Roots { parameters: 1 << index, ..Roots::default() };
        walk.roots.insert(parameter, own);
        walk.all_roots.join(own);
    }
    while walk.changed {
        walk.changed = false;
        for block in &function.blocks {
            for statement in &block.statements {
                walk.statement(&statement.kind);
            }
            match &block.terminator {
                Terminator::Branch { condition, .. } => walk.read(condition),
                Terminator::Switch { value, .. } => walk.read(value),
                Terminator::Return(Some(value)) => {
                    walk.read(value);
                    let roots = walk.value(value);
                    walk.changed |= walk.summary.returns.join(roots);
                }
                Terminator::Exit => walk.summary.effectful = true,
                Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
            }
        }
    }
    walk.summary
}

struct Walk<'p> {
    program: &'p Program,
    models: &'p EffectModels,
    all: &'p [Summary],
    summary: Summary,
    /// Roots of the pointers held in each local variable (in any of its fields).
    roots: BTreeMap<VariableId, Roots>,
    /// All of these together.
    all_roots: Roots,
    /// Roots of pointers stored through pointers or in variables whose address is taken.
    memory: Roots,
    changed: bool,
    device: bool,
}

impl Walk<'_> {
    fn statement(&mut self, kind: &StatementKind) {
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
                self.effect(roots, worst());
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
        self.effect(everything, worst());
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
                        .unwrap_or_else(worst);
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
                            let (reads, writes) = match effect.access {
                                ArgumentAccess::None => (false, false),
                                ArgumentAccess::Read => (true, false),
                                ArgumentAccess::Write => (false, true),
                                ArgumentAccess::ReadWrite => (true, true),
                            };
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
                            self.effect(roots, worst());
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
                    self.effect(roots, worst());
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

    fn effect(&mut self, roots: Roots, effect: ParameterEffect) {
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

    fn variable(&mut self, variable: VariableId, reads: bool, writes: bool) {
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
    fn held_in(&self, variable: VariableId) -> Roots {
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

    /// Roots of the pointers that a load from `place` may yield.
    fn load(&self, place: &Place) -> Roots {
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
    fn value(&self, value: &Expr) -> Roots {
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

    fn read_argument(&mut self, argument: &Argument) {
        self.read(&argument.value);
    }

    /// Marks what evaluating `value` reads and observes.
    fn read(&mut self, value: &Expr) {
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
            }
            Expr::Computed(operands) => {
                for operand in operands {
                    self.read(operand);
                }
            }
        }
    }

    fn is_pointer(&self, value: &Expr) -> bool {
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

    fn read_place(&mut self, place: &Place, loads: bool) {
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

    fn read_path(&mut self, place: &Place) {
        for step in &place.path {
            match step {
                Projection::Field { .. } => {}
                Projection::Index { index, .. } => self.read(index),
            }
        }
    }
}

fn worst() -> ParameterEffect {
    ParameterEffect { reads: true, writes: true, deep: true, captured: true, observed: true }
}
