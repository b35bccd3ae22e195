//! Evaluation of expressions and places, loads and stores.

use std::collections::{BTreeMap, BTreeSet};

use crate::effect::EffectModels;
use crate::event::{ContextId, EventKind, Mode, Observation};
use crate::program::{
    FunctionId, Program, SourceRef, StatementRef, Storage, TypeId, TypeKind, VariableId,
};
use crate::size::{Size, Symbol};
use crate::summary::Summary;

use super::components::Components;
use super::emit::{Draft, DraftAccess};
use super::expand::Supergraph;
use super::feasible::Decided;
use super::regions::{RegionKind, Regions};
use super::state::{ANYWHERE, State};
use super::symbols::{SymbolKey, Symbols};
use super::value::{Pointer, Region, Value};

/// Where the machine is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Position {
    pub(crate) block: usize,
    pub(crate) step: usize,
    pub(crate) context: ContextId,
    pub(crate) at: StatementRef,
    pub(crate) source: SourceRef,
}

/// Interprets steps of one root on abstract states.
pub(crate) struct Machine<'p> {
    pub(crate) program: &'p Program,
    pub(crate) models: &'p EffectModels,
    pub(crate) summaries: &'p [Summary],
    pub(crate) graph: &'p Supergraph,
    pub(crate) loops: &'p Components,
    pub(crate) root_is_main: bool,
    /// Per variable: the function that declares it.
    pub(crate) owners: &'p [Option<FunctionId>],
    pub(crate) regions: Regions,
    pub(crate) symbols: Symbols,
    /// State before (later: after) the current step.
    pub(crate) state: State,
    pub(crate) position: Position,
    /// How many unknown values the current step has produced.
    pub(crate) produced: u32,
    /// Events of the current step, if they are wanted.
    pub(crate) drafts: Option<Vec<Draft>>,
    /// Unknown or opaque code may have created streams.
    pub(crate) unknown_streams: bool,
    /// Parameters that change after their function was entered.
    pub(crate) reassigned: BTreeSet<(ContextId, VariableId)>,
    /// Per block, how the null test at its end ends, if that is known.
    pub(crate) decided: BTreeMap<usize, Decided>,
}

impl Machine<'_> {
    /// A new unknown value, the same one each time this step is interpreted.
    pub(crate) fn produce(&mut self) -> Symbol {
        let n = self.produced;
        self.produced += 1;
        let (block, step) = (self.position.block, self.position.step);
        self.symbols.intern(SymbolKey::Produced { block, step, n })
    }

    pub(crate) fn emit(&mut self, kind: EventKind) {
        self.emit_draft(Draft::event(kind));
    }

    pub(crate) fn emit_draft(&mut self, draft: Draft) {
        let position = self.position;
        if let Some(drafts) = &mut self.drafts {
            drafts.push(draft.at(position));
        }
    }

    /// The region of `variable` as seen in the current context.
    pub(crate) fn variable_region(&mut self, variable: VariableId) -> Region {
        self.variable_region_in(variable, self.position.context)
    }

    pub(crate) fn variable_region_in(
        &mut self,
        variable: VariableId,
        context: ContextId,
    ) -> Region {
        let info = self.program.variable(variable);
        let context = match info.storage {
            Storage::Local | Storage::Parameter | Storage::Temporary => {
                Some(self.owner(variable, context))
            }
            Storage::Global
            | Storage::InternalGlobal
            | Storage::StaticLocal
            | Storage::Device
            | Storage::Managed => None,
        };
        let region = self.regions.intern(RegionKind::Variable { context, variable });
        let slot = self.regions.info_mut(region);
        if slot.name.is_empty() {
            slot.name.clone_from(&info.name);
            slot.bytes = self.program.ty(info.ty).bytes.map(|b| Size::constant(i128::from(b)));
        }
        region
    }

    /// The context whose activation owns `variable`: the current one, or for a variable that a lambda captures, the
    /// nearest caller that runs the function which declares it.
    fn owner(&self, variable: VariableId, context: ContextId) -> ContextId {
        let mut up = Some(context);
        while let Some(id) = up {
            let here = &self.graph.contexts[id.index()];
            if self.declares(here.function, variable) {
                return id;
            }
            up = here.caller.map(|(caller, _)| caller);
        }
        context
    }

    fn declares(&self, function: FunctionId, variable: VariableId) -> bool {
        self.owners.get(variable.index()).copied().flatten() == Some(function)
    }

    /// What a cell of `region` that was never stored to holds.
    pub(crate) fn absent(&mut self, region: Region, offset: i64) -> Value {
        match self.regions.info(region).kind {
            RegionKind::Variable { context: None, variable } => {
                // The initial value of a static variable: unknown here, but the same each time.
                let symbol = self.symbols.intern(SymbolKey::Initial { region, offset });
                let name = self.program.variable(variable).name.clone();
                self.symbols.name(symbol, &name);
                Value::Unknown(symbol)
            }
            RegionKind::External(_) => {
                Value::Unknown(self.symbols.intern(SymbolKey::Initial { region, offset }))
            }
            RegionKind::Variable { context: Some(_), .. }
            | RegionKind::Host { .. }
            | RegionKind::Cuda { .. }
            | RegionKind::Stream(_)
            | RegionKind::Marker(_)
            | RegionKind::Handle(_) => Value::Nothing,
            RegionKind::Constant => Value::Any,
        }
    }

    /// The value at `offset` of `region` (anywhere in it, if unknown).
    fn read_cell(&mut self, region: Region, offset: Option<i64>) -> Value {
        match offset {
            Some(offset) => {
                if let Some(value) = self.state.get(&(region, offset)) {
                    return value.clone();
                }
                let initial = self.absent(region, offset);
                match self.state.get(&(region, ANYWHERE)) {
                    Some(value) => value.clone().join(&initial, || None),
                    None => initial,
                }
            }
            None => {
                let cells: Vec<Value> =
                    self.state.cells_of(region).map(|(_, v)| v.clone()).collect();
                let mut value = self.absent(region, ANYWHERE);
                for cell in cells {
                    value = value.join(&cell, || None);
                }
                if cells_may_differ(&value) { Value::Any } else { value }
            }
        }
    }

    /// What a load through `address` of type `ty` yields.
    pub(crate) fn load(&mut self, address: &Pointer, ty: TypeId) -> Value {
        self.access(
            address,
            self.program.ty(ty).bytes.map(|b| Size::constant(i128::from(b))),
            Mode::Read,
        );
        self.observe_as_number(address, ty);
        self.peek(address, ty)
    }

    /// A number read where a pointer was stored is its address (S3): unions, `*(size_t *)&p`, bytes of `p`.
    fn observe_as_number(&mut self, address: &Pointer, ty: TypeId) {
        let ty = self.program.ty(ty);
        if self.drafts.is_none() || !matches!(ty.kind, TypeKind::Integer { .. } | TypeKind::Float) {
            return;
        }
        let bytes = ty.bytes.and_then(|bytes| i64::try_from(bytes).ok()).unwrap_or(8);
        let mut seen = Pointer::default();
        for (region, offset) in &address.regions {
            let kind = match self.regions.info(*region).kind {
                RegionKind::Variable { variable, .. } => {
                    Some(&self.program.ty(self.program.variable(variable).ty).kind)
                }
                RegionKind::Host { .. }
                | RegionKind::Cuda { .. }
                | RegionKind::Stream(_)
                | RegionKind::Marker(_)
                | RegionKind::Handle(_)
                | RegionKind::External(_)
                | RegionKind::Constant => None,
            };
            // A `CUdeviceptr` is a number that CUDA's functions take.
            if let Some(TypeKind::Integer { .. }) = kind {
                continue;
            }
            let offset = constant_offset(offset.as_ref());
            let shows = kind.is_some_and(|kind| self.shows_pointers(kind));
            for (at, value) in self.state.cells_of(*region) {
                let overlaps = match offset {
                    Some(start) => {
                        at != ANYWHERE
                            && at < start.saturating_add(bytes)
                            && start < at.saturating_add(8)
                    }
                    // Among other members it may be any.
                    None => false,
                };
                if (overlaps || shows)
                    && let Value::Pointer(pointer) = value
                {
                    seen = seen.join(pointer);
                }
            }
        }
        self.observe(&seen, Observation::Converted);
    }

    /// The same without the access.
    pub(crate) fn peek(&mut self, address: &Pointer, ty: TypeId) -> Value {
        self.read_as_number(address, ty);
        let kind = &self.program.ty(ty).kind;
        if matches!(kind, TypeKind::Float | TypeKind::Void) {
            return Value::Any;
        }
        let mut value = if address.unknown { Value::Any } else { Value::Nothing };
        for (region, offset) in &address.regions {
            let offset = constant_offset(offset.as_ref());
            let cell = self.read_cell(*region, offset);
            value = value.join(&cell, || None);
        }
        let value = match self.reread(address, ty, value) {
            Value::Nothing | Value::Any => Value::Unknown(self.produce()),
            value @ (Value::Integer(_)
            | Value::Pointer(_)
            | Value::Function(_)
            | Value::Unknown(_)) => value,
        };
        self.note_width(ty, &value);
        value
    }

    /// Whether a number in a variable of this kind is a pointer, wherever in it: it has no other members.
    fn shows_pointers(&self, kind: &TypeKind) -> bool {
        match kind {
            TypeKind::Pointer { .. } | TypeKind::Record { union: true, .. } => true,
            TypeKind::Array { of, .. } => self.shows_pointers(&self.program.ty(*of).kind),
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Record { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        }
    }

    /// Stores `value` through `address`; `ty` is the type stored.
    pub(crate) fn store(&mut self, address: &Pointer, ty: TypeId, value: Value) {
        let bytes = self.program.ty(ty).bytes;
        self.access(address, bytes.map(|b| Size::constant(i128::from(b))), Mode::Write);
        self.poke(address, bytes, value);
    }

    /// The same without the access.
    pub(crate) fn poke(&mut self, address: &Pointer, bytes: Option<u64>, value: Value) {
        if let ([(region, offset)], false) = (address.regions.as_slice(), address.unknown)
            && let Some(offset) = constant_offset(offset.as_ref())
            && !self.regions.info(*region).several
        {
            self.keep_escaping(*region, &value);
            let value = self.overwrite(*region, offset, bytes, value);
            let end = offset.saturating_add(i64::try_from(bytes.unwrap_or(1)).unwrap_or(i64::MAX));
            self.state.forget(*region, offset.saturating_add(1), end);
            self.state.set((*region, offset), value);
            return;
        }
        for (region, offset) in address.regions.clone() {
            self.keep_escaping(region, &value);
            self.weaken(region, constant_offset(offset.as_ref()), &value);
        }
        if address.unknown {
            self.escape_value(&value, "stored in memory that is not tracked");
            let escaped: Vec<Region> = self.state.escaped.iter().copied().collect();
            for region in escaped {
                self.weaken(region, None, &value);
            }
            self.weaken_external(&value);
        }
    }

    /// Memory behind the parameters of the root may alias any unknown pointer.
    fn weaken_external(&mut self, value: &Value) {
        for region in self.regions.externals().to_vec() {
            self.weaken(region, None, value);
        }
    }

    /// A pointer stored where other code may read it escapes.
    fn keep_escaping(&mut self, region: Region, value: &Value) {
        let external = match self.regions.info(region).kind {
            RegionKind::External(_) => true,
            // Kernels find it by name.
            RegionKind::Variable { variable, .. } => {
                matches!(
                    self.program.variable(variable).storage,
                    Storage::Device | Storage::Managed
                )
            }
            RegionKind::Host { .. }
            | RegionKind::Cuda { .. }
            | RegionKind::Stream(_)
            | RegionKind::Marker(_)
            | RegionKind::Handle(_)
            | RegionKind::Constant => false,
        };
        if external || self.state.escaped.contains(&region) || self.state.watched.contains(&region)
        {
            self.escape_value(value, "stored in memory that other code may reach");
        }
    }

    /// `region` may now hold `value` at `offset` (anywhere, if unknown).
    pub(crate) fn weaken(&mut self, region: Region, offset: Option<i64>, value: &Value) {
        if matches!(self.regions.info(region).kind, RegionKind::Constant) {
            return;
        }
        if let Some(offset) = offset {
            let old = self.read_cell(region, Some(offset));
            self.state.set((region, offset), old.join(value, || None));
            return;
        }
        let cells: Vec<(i64, Value)> =
            self.state.cells_of(region).map(|(o, v)| (o, v.clone())).collect();
        let mut anywhere = false;
        for (offset, old) in cells {
            anywhere |= offset == ANYWHERE;
            let new = old.join(value, || None);
            if new != old {
                self.state.set((region, offset), new);
            }
        }
        if !anywhere {
            self.state.set((region, ANYWHERE), value.clone());
        }
    }

    /// The bytes at `address` now hold something unknown: of exactly `bytes`, if that is given.
    pub(crate) fn clobber(&mut self, address: &Pointer, bytes: Option<&Size>) {
        if let ([(region, offset)], false) = (address.regions.as_slice(), address.unknown)
            && let Some(offset) = constant_offset(offset.as_ref())
            && let Some(length) =
                bytes.and_then(Size::as_constant).and_then(|b| i64::try_from(b).ok())
            && !self.regions.info(*region).several
        {
            let region = *region;
            if length <= 16 {
                self.overwrite_tails(region, offset);
                self.state.forget(region, offset, offset.saturating_add(length));
                let symbol = self.produce();
                self.symbols.note_bytes(symbol, length);
                let name = self.regions.info(region).name.clone();
                self.symbols.name(symbol, &name);
                self.state.set((region, offset), Value::Unknown(symbol));
                return;
            }
            if self.state.cells_of(region).next().is_none() {
                self.state.set((region, ANYWHERE), Value::Any);
                return;
            }
        }
        for (region, _) in address.regions.clone() {
            self.weaken(region, None, &Value::Any);
        }
        if address.unknown {
            self.unknown_code_writes();
        }
    }

    /// Everything that has escaped may hold anything.
    pub(crate) fn unknown_code_writes(&mut self) {
        let escaped: Vec<Region> = self.state.escaped.iter().copied().collect();
        for region in escaped {
            self.weaken(region, None, &Value::Any);
        }
        self.weaken_external(&Value::Any);
    }

    /// The pointers become reachable for code that is not tracked, with all they lead to.
    pub(crate) fn escape(&mut self, pointer: &Pointer, how: &str) {
        let mut work: Vec<Region> = pointer.regions.iter().map(|(r, _)| *r).collect();
        let mut reached = BTreeSet::new();
        while let Some(region) = work.pop() {
            if !reached.insert(region)
                || matches!(self.regions.info(region).kind, RegionKind::Constant)
            {
                continue;
            }
            self.state.escaped.insert(region);
            self.regions.info_mut(region).given_away = true;
            let held: Vec<Value> = self.state.cells_of(region).map(|(_, v)| v.clone()).collect();
            for value in held {
                if let Value::Pointer(pointer) = &value {
                    work.extend(pointer.regions.iter().map(|(r, _)| *r));
                }
                work.extend(self.created_handle(&value));
            }
        }
        let memory: Vec<Region> =
            reached.into_iter().filter(|&r| self.regions.is_memory(r)).collect();
        if !memory.is_empty() {
            self.emit_draft(Draft::escape(memory, how.to_owned()));
        }
    }

    /// All regions reachable from `pointer` through cells, itself included.
    pub(crate) fn closure(&self, pointer: &Pointer) -> Pointer {
        let mut work: Vec<Region> = pointer.regions.iter().map(|(r, _)| *r).collect();
        let mut reached = BTreeSet::new();
        let mut unknown = pointer.unknown;
        while let Some(region) = work.pop() {
            if !reached.insert(region) {
                continue;
            }
            for (_, value) in self.state.cells_of(region) {
                if let Value::Pointer(held) = value {
                    unknown |= held.unknown;
                    work.extend(held.regions.iter().map(|(r, _)| *r));
                }
                work.extend(self.known_handle(value));
            }
        }
        Pointer { regions: reached.into_iter().map(|r| (r, None)).collect(), unknown, null: true }
    }

    /// The pointers stored in the `bytes` at `address` (all of its region, if unknown).
    pub(crate) fn pointers_in(&self, address: &Pointer, bytes: Option<u64>) -> Pointer {
        let mut all = Pointer { null: true, unknown: address.unknown, ..Pointer::default() };
        for (region, offset) in &address.regions {
            let start = constant_offset(offset.as_ref());
            for (offset, value) in self.state.cells_of(*region) {
                let inside = match (start, bytes.and_then(|b| i64::try_from(b).ok())) {
                    (Some(start), Some(bytes)) => {
                        offset == ANYWHERE || (start..start.saturating_add(bytes)).contains(&offset)
                    }
                    (Some(_) | None, Some(_) | None) => true,
                };
                if inside && let Value::Pointer(held) = value {
                    all = all.join(held);
                }
                if inside && let Some(handle) = self.known_handle(value) {
                    all = all.join(&self.retained_by(handle));
                }
            }
        }
        all
    }

    /// The pointers in a variable that a lambda captures.
    pub(crate) fn captured(&mut self, variable: VariableId) -> Pointer {
        let region = self.variable_region(variable);
        self.pointers_in(&Pointer::to(region, None), None)
    }

    /// Records a host access, if it may touch heap or CUDA memory.
    pub(crate) fn access(&mut self, address: &Pointer, bytes: Option<Size>, mode: Mode) {
        if self.drafts.is_none() || !address.regions.iter().any(|(r, _)| self.regions.is_memory(*r))
        {
            return;
        }
        self.emit_draft(Draft::host(DraftAccess {
            pointer: address.clone(),
            bytes,
            mode,
            must: true,
        }));
    }
}

/// A byte offset that is a constant.
pub(crate) fn constant_offset(offset: Option<&Size>) -> Option<i64> {
    offset
        .and_then(Size::as_constant)
        .and_then(|o| i64::try_from(o).ok())
        .filter(|&o| o != ANYWHERE)
}

/// Several cells joined: a number read at an unknown offset has no identity.
fn cells_may_differ(value: &Value) -> bool {
    match value {
        Value::Integer(_) | Value::Unknown(_) => true,
        Value::Nothing | Value::Pointer(_) | Value::Function(_) | Value::Any => false,
    }
}
