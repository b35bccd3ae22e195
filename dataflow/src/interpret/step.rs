//! The transfer function of each step.

use crate::event::{ContextId, EventKind, Mode};
use crate::program::{
    Expr, FunctionId, HostAllocation, Place, PlaceBase, Projection, SourceRef, Statement,
    StatementKind, StatementRef, Terminator, TypeId, TypeKind,
};
use crate::size::Size;

use super::emit::{Draft, DraftAccess};
use super::expand::Step;
use super::machine::{Machine, Position, constant_offset};
use super::regions::RegionKind;
use super::state::ANYWHERE;
use super::value::{Pointer, Region, Value};

impl Machine<'_> {
    /// Runs one step on `self.state`.
    pub(crate) fn step(&mut self, block: usize, index: usize, step: Step) {
        self.produced = 0;
        let program = self.program;
        let before = self.drafts.as_ref().map(|drafts| (self.state.cells.clone(), drafts.len()));
        match step {
            Step::Statement { context, at } => {
                let statement = program.statement(at);
                let source = self.shown(context, statement.source);
                self.position = Position { block, step: index, context, at, source };
                self.statement(statement);
            }
            Step::Enter { caller, at, callee } => {
                let statement = program.statement(at);
                let source = self.shown(caller, statement.source);
                self.position = Position { block, step: index, context: caller, at, source };
                if let StatementKind::Call(call) = &statement.kind {
                    self.enter(&call.arguments, callee);
                }
            }
            Step::EnterCallback { caller, at, callee } => {
                let statement = program.statement(at);
                let source = self.shown(caller, statement.source);
                self.position = Position { block, step: index, context: caller, at, source };
                if let StatementKind::Call(call) = &statement.kind {
                    self.enter_callback(&call.arguments, callee);
                }
            }
            Step::Leave { callee, block: end, caller, at } => {
                let statement = program.statement(at);
                let function = program.function(self.graph.contexts[callee.index()].function);
                let written = function.blocks[end.index()].end.unwrap_or(statement.source);
                let source = self.shown(callee, written);
                self.position = Position { block, step: index, context: callee, at, source };
                if let Terminator::Return(value) = &function.blocks[end.index()].terminator {
                    self.leave(value.as_ref(), statement, caller);
                }
                self.end_lifetimes(callee);
            }
            Step::Test { context, block: end } => {
                let function = self.graph.contexts[context.index()].function;
                self.at_end(block, index, context, function, end);
                match &program.function(function).blocks[end.index()].terminator {
                    Terminator::Branch { condition, .. } => {
                        self.eval(condition);
                        // Once all that may reach it is known.
                        if self.drafts.is_some()
                            && let Some(decided) = self.decided(condition)
                        {
                            self.decided.insert(block, decided);
                        }
                    }
                    Terminator::Switch { value, .. } => {
                        self.eval(value);
                    }
                    Terminator::Goto(_)
                    | Terminator::Return(_)
                    | Terminator::Exit
                    | Terminator::Unreachable => {}
                }
            }
            Step::Return { block: end } => {
                let context = ContextId(0);
                let function = self.graph.contexts[0].function;
                self.at_end(block, index, context, function, end);
                if let Terminator::Return(value) =
                    &program.function(function).blocks[end.index()].terminator
                {
                    self.root_returns(value.as_ref());
                }
            }
            Step::Exit { context, block: end } => {
                let function = self.graph.contexts[context.index()].function;
                self.at_end(block, index, context, function, end);
                self.emit(EventKind::Exit);
            }
        }
        if let Some((cells, drafts)) = before {
            let enters = matches!(step, Step::Enter { .. } | Step::EnterCallback { .. });
            self.note_changes(&cells, drafts, enters);
        }
    }

    /// Positions the machine at the end of a block of the source function.
    fn at_end(
        &mut self,
        block: usize,
        step: usize,
        context: ContextId,
        function: FunctionId,
        end: crate::program::BlockId,
    ) {
        let of = self.program.function(function);
        let ended = &of.blocks[end.index()];
        let statements = &ended.statements;
        let index = u32::try_from(statements.len().saturating_sub(1)).unwrap_or(u32::MAX);
        let written = ended.end.or_else(|| statements.last().map(|s| s.source));
        let source = self.shown(context, written.unwrap_or(of.source));
        self.position = Position {
            block,
            step,
            context,
            at: StatementRef { function, block: end, index },
            source,
        };
    }

    /// `source` in `context`, or the nearest call around it that is in a file whose text is at hand.
    fn shown(&self, context: ContextId, source: SourceRef) -> SourceRef {
        let (mut context, mut source) = (context, source);
        while self.program.file(source.span.file).text.is_empty()
            && let Some((caller, at)) = self.graph.contexts[context.index()].caller
        {
            (context, source) = (caller, self.program.statement(at).source);
        }
        source
    }

    /// The name of what runs here: of a function that stands in for a library's, the one that the program calls.
    pub(super) fn shown_name<'a>(&'a self, name: &'a str) -> &'a str {
        let (mut context, mut shown) = (self.position.context, name);
        loop {
            let here = &self.graph.contexts[context.index()];
            let function = self.program.function(here.function);
            match here.caller {
                Some((caller, _))
                    if self.program.file(function.source.span.file).text.is_empty() =>
                {
                    (context, shown) = (caller, &function.name);
                }
                Some(_) | None => return shown,
            }
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declare(variable) => {
                let region = self.variable_region(*variable);
                self.state.forget(region, i64::MIN, i64::MAX);
                self.state.escaped.remove(&region);
                if self.is_scalar(self.program.variable(*variable).ty) {
                    self.state.set((region, 0), Value::Nothing);
                }
            }
            StatementKind::Assign { place, ty, value: Expr::Load { place: from, .. } }
                if self.is_aggregate(*ty) =>
            {
                // A class has more than one value.
                let from = self.address(from);
                let to = self.address(place);
                self.copy_aggregate(&to, &from, self.program.ty(*ty).bytes);
            }
            StatementKind::Assign { place, ty, value: of } => {
                let value = self.eval(of);
                let value = self.settled(of, value);
                self.assign(place, *ty, value);
            }
            StatementKind::CopyAggregate { to, from, ty } => {
                let from = self.address(from);
                let to = self.address(to);
                self.copy_aggregate(&to, &from, self.program.ty(*ty).bytes);
            }
            StatementKind::Evaluate(value) => {
                self.eval(value);
            }
            StatementKind::HostAllocate(allocation) => self.host_allocate(allocation),
            StatementKind::HostRelease(release) => {
                let pointer = self.eval(&release.pointer).pointer();
                self.release(&pointer);
                self.emit_draft(Draft::host_release(pointer, release.deallocator));
            }
            StatementKind::Cuda { operation, name, result } => {
                self.cuda(operation, name);
                if let Some(result) = result {
                    let address = self.address(result);
                    self.clobber(&address, Some(&Size::constant(4)));
                }
            }
            StatementKind::Launch(launch) => self.launch(launch),
            StatementKind::Call(call) => self.call(call),
            StatementKind::Opaque { why } => {
                let why = why.clone();
                self.opaque(&why);
            }
        }
    }

    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        match self.program.ty(ty).kind {
            TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. } => true,
            TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        }
    }

    /// `place = value`, with the facts that the rewriter's names rest on.
    pub(crate) fn assign(&mut self, place: &Place, ty: TypeId, value: Value) {
        let address = self.address(place);
        if let PlaceBase::Variable(variable) = &place.base
            && place.path.is_empty()
        {
            let name = &self.program.variable(*variable).name;
            if let Value::Unknown(symbol) = &value {
                self.symbols.name(*symbol, name);
            } else if let Value::Any = value
                && matches!(self.program.ty(ty).kind, TypeKind::Integer { .. })
            {
                let symbol = self.produce();
                self.symbols.name(symbol, name);
                self.store(&address, ty, Value::Unknown(symbol));
                return;
            }
        }
        self.note_holder(place, &address, Some(ty), &value);
        self.store(&address, ty, value);
    }

    /// A pointer result of an allocation is stored in `target`.
    pub(crate) fn store_pointer(&mut self, target: &Place, ty: Option<TypeId>, value: Value) {
        let address = self.address(target);
        self.note_holder(target, &address, ty, &value);
        self.access(&address, Some(Size::constant(8)), Mode::Write);
        self.poke(&address, Some(8), value);
    }

    fn host_allocate(&mut self, allocation: &HostAllocation) {
        let bytes = self.eval(&allocation.bytes).integer();
        let kind = RegionKind::Host {
            allocator: allocation.allocator,
            context: self.position.context,
            at: self.position.at,
        };
        let region = self.regions.intern(kind);
        self.allocated(region, bytes, &allocation.result, None);
    }

    /// `region` comes into being, with indeterminate contents, and `target` points to it.
    pub(crate) fn allocated(
        &mut self,
        region: Region,
        bytes: Option<Size>,
        target: &Place,
        ty: Option<TypeId>,
    ) {
        self.regions.info_mut(region).bytes = bytes;
        // A second block of the same site: what the first one held is unknown from here, unless it is gone.
        if self.state.released.remove(&region).is_some() || !self.in_loop() {
            self.state.forget(region, i64::MIN, i64::MAX);
        }
        let address = self.address(target);
        let exact = matches!(address.regions.as_slice(), [(_, Some(o))] if constant_offset(Some(o)).is_some())
            && !address.unknown;
        if !exact {
            self.regions.info_mut(region).several = true;
        }
        self.emit_draft(Draft::allocate(region));
        let value = Value::Pointer(Pointer::to(region, Some(Size::constant(0))));
        self.store_pointer(target, ty, value);
    }

    pub(crate) fn in_loop(&self) -> bool {
        !self.loops.loops_of[self.position.block].is_empty()
    }

    pub(crate) fn release(&mut self, pointer: &Pointer) {
        if let ([(region, _)], false) = (pointer.regions.as_slice(), pointer.unknown) {
            self.state.released.insert(*region);
        }
    }

    /// Copies a class or array value.
    pub(crate) fn copy_aggregate(&mut self, to: &Pointer, from: &Pointer, bytes: Option<u64>) {
        let size = bytes.map(|b| Size::constant(i128::from(b)));
        self.access(from, size.clone(), Mode::Read);
        self.access(to, size, Mode::Write);
        if let ([(source, from_offset)], [(target, to_offset)], false, false) =
            (from.regions.as_slice(), to.regions.as_slice(), from.unknown, to.unknown)
            && let (Some(from_offset), Some(to_offset)) =
                (constant_offset(from_offset.as_ref()), constant_offset(to_offset.as_ref()))
            && let Some(length) = bytes.and_then(|b| i64::try_from(b).ok())
            && !self.regions.info(*target).several
        {
            let (source, target) = (*source, *target);
            let mut held: Vec<(i64, Value)> = Vec::new();
            let mut anywhere = None;
            for (offset, value) in self.state.cells_of(source) {
                if offset == ANYWHERE {
                    anywhere = Some(value.clone());
                } else if (from_offset..from_offset.saturating_add(length)).contains(&offset) {
                    held.push((offset, value.clone()));
                }
            }
            if matches!(
                self.regions.info(source).kind,
                RegionKind::External(_)
                    | RegionKind::Variable { context: None, .. }
                    | RegionKind::Constant
            ) && anywhere.is_none()
            {
                anywhere = Some(Value::Any);
            }
            self.state.forget(target, to_offset, to_offset.saturating_add(length));
            if let Some(value) = anywhere {
                self.weaken(target, None, &value);
            }
            for (offset, value) in held {
                let at = offset - from_offset + to_offset;
                self.regions.copy_lengths((source, offset), (target, at));
                let address = Pointer::to(target, Some(Size::constant(i128::from(at))));
                self.poke(&address, None, value);
            }
            return;
        }
        let held = self.pointers_in(from, bytes);
        let value = if held.regions.is_empty() {
            Value::Any
        } else {
            Value::Pointer(held.join(&Pointer::anywhere()))
        };
        self.clobber(to, None);
        self.poke(&to.moved(None), bytes, value);
    }

    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        match self.program.ty(ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => true,
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        }
    }

    /// A host access through `pointer` of unknown extent and certainty.
    pub(crate) fn touch(&mut self, pointer: &Pointer, mode: Mode) {
        if pointer.regions.iter().any(|(r, _)| self.regions.is_memory(*r)) {
            self.emit_draft(Draft::host(DraftAccess {
                pointer: pointer.moved(None),
                bytes: None,
                mode,
                must: false,
            }));
        }
    }

    /// A statement that was not understood: everything its function can name is reachable for it.
    pub(crate) fn opaque(&mut self, why: &str) {
        let context = self.position.context;
        let function = self.graph.contexts[context.index()].function;
        let lambda = self.program.function(function).may_capture();
        self.opaque_in((!lambda).then_some(context), why);
    }

    /// Code that is not understood and may name the variables of all functions that have run.
    pub(crate) fn opaque_everywhere(&mut self, why: &str) {
        self.opaque_in(None, why);
    }

    fn opaque_in(&mut self, context: Option<ContextId>, why: &str) {
        let own: Vec<(Region, Option<Size>)> = self
            .regions
            .iter()
            .filter(|(_, info)| match info.kind {
                RegionKind::Variable { context: of, .. } => {
                    of.is_none() || context.is_none() || of == context
                }
                RegionKind::Host { .. }
                | RegionKind::Cuda { .. }
                | RegionKind::Stream(_)
                | RegionKind::Marker(_)
                | RegionKind::Handle(_)
                | RegionKind::External(_)
                | RegionKind::Constant => false,
            })
            .map(|(region, _)| (region, None))
            .collect();
        let all = Pointer { regions: own, unknown: true, null: true };
        let how = format!("within reach of code that is not understood: {why}");
        self.escape(&all, &how);
        self.escape_handles(&how);
        self.unknown_code(why, true, true);
    }

    /// Code that is not described runs.
    pub(crate) fn unknown_code(&mut self, why: &str, may_use_cuda: bool, of_program: bool) {
        self.reached_by_unknown(why, may_use_cuda, of_program);
        let of_program = may_use_cuda && of_program;
        self.emit(EventKind::UnknownCode { why: why.to_owned(), may_use_cuda, of_program });
    }

    /// A function of CUDA runs that is not described; it may call functions of the program, but does not do by itself
    /// what only the program can ask for.
    pub(crate) fn unknown_api(&mut self, why: &str) {
        self.reached_by_unknown(why, true, true);
        let why = why.to_owned();
        self.emit(EventKind::UnknownCode { why, may_use_cuda: true, of_program: false });
    }

    fn reached_by_unknown(&mut self, why: &str, may_use_cuda: bool, of_program: bool) {
        let how = format!("within reach of unknown code: {why}");
        if may_use_cuda || of_program {
            // It may be code of this program, which can name every static variable.
            let statics: Vec<(Region, Option<Size>)> =
                self.regions.statics().iter().map(|&region| (region, None)).collect();
            let all = Pointer { regions: statics, unknown: false, null: true };
            self.escape(&all, &how);
        }
        if may_use_cuda {
            self.escape_handles(&how);
            self.unknown_streams = true;
        }
        self.unknown_code_writes();
    }
}

/// `.a[2].b`, or with `[]` for an index that is not constant.
pub(crate) fn path_text(place: &Place) -> String {
    let mut text = String::new();
    for step in &place.path {
        match step {
            Projection::Field { name, .. } => {
                text.push('.');
                text.push_str(name);
            }
            Projection::Index { index, .. } => match **index {
                Expr::Integer(value) => {
                    text.push('[');
                    text.push_str(&value.to_string());
                    text.push(']');
                }
                Expr::Null
                | Expr::Literal
                | Expr::Load { .. }
                | Expr::AddressOf(_)
                | Expr::Arithmetic { .. }
                | Expr::PointerAdd { .. }
                | Expr::PointerDifference { .. }
                | Expr::Compare { .. }
                | Expr::Cast { .. }
                | Expr::Function(_)
                | Expr::Closure(_)
                | Expr::Computed(_)
                | Expr::Unknown => text.push_str("[]"),
            },
        }
    }
    text
}
