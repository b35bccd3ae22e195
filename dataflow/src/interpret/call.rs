//! The transfer function of calls that are not folded: effect models, summaries, and unknown code.

use crate::effect::{
    ArgumentEffect, BytesExpr, EffectModel, Execution, ResultEffect, Retention, ThreadEffect,
};
use crate::event::{EventKind, Mode, Observation, WorkKind};
use crate::program::{Argument, Call, Callee, FunctionId, TypeId, TypeKind};
use crate::size::Size;
use crate::summary::ParameterEffect;

use super::emit::{Draft, DraftAccess, DraftWork};
use super::machine::Machine;
use super::regions::RegionKind;
use super::threads;
use super::value::{Pointer, Value};

impl Machine<'_> {
    pub(crate) fn call(&mut self, call: &Call) {
        match &call.callee {
            Callee::Function(callee) => self.call_summarised(call, *callee),
            Callee::External { name, usr, may_use_cuda, callbacks, system, .. } => {
                let models = self.models;
                let model = models.get(name);
                let runs_later = model.is_none_or(|m| m.thread.is_some() || !m.calls_back);
                // What a thread is started with is looked at there.
                let starts = model.is_some_and(|m| m.thread.is_some());
                // CUDA's functions ask about kernels; those that call back are operations of their own.
                let of_cuda = *system && is_of_cuda(name);
                let mut kept = if starts || of_cuda {
                    Vec::new()
                } else {
                    self.functions_in_arguments(call, name, callbacks)
                };
                if runs_later {
                    kept.extend(callbacks);
                }
                if callbacks.iter().any(|callback| self.graph.unfolded.contains(callback)) {
                    self.opaque_everywhere(&format!(
                        "`{name}` runs a function that is not followed"
                    ));
                }
                if !kept.is_empty() {
                    // It keeps the callable and may run it at any time, on any thread, with all it has captured.
                    match threads::named(self.program, models, self.owners, &kept) {
                        Some(variables) => self.runs_later(&variables, name),
                        None => {
                            let why = format!("`{name}` may run a function of the program later");
                            self.opaque(&why);
                        }
                    }
                }
                match models.get(name) {
                    Some(model) => self.call_modelled(call, name, model, callbacks),
                    None => {
                        let name = name.clone();
                        let may_use_cuda = *may_use_cuda && !models.is_host_only(usr);
                        let what = format!("call of `{name}`");
                        self.call_unknown(call, &what, may_use_cuda, !*system);
                    }
                }
            }
            Callee::Indirect(callee) => {
                self.eval(callee);
                self.call_unknown(call, "a call through a pointer", true, true);
            }
        }
    }

    /// Nothing is known of the callee, but whether it may use CUDA and whether it may be of this program.
    fn call_unknown(&mut self, call: &Call, what: &str, may_use_cuda: bool, of_program: bool) {
        let mut all = Pointer::null();
        for argument in &call.arguments {
            let pointer = self.argument_pointer(argument);
            all = all.join(&pointer);
            // A handle gives the callee all that the handle holds.
            let value = self.peek_value(argument);
            let is_pointer = matches!(self.program.ty(argument.ty).kind, TypeKind::Pointer { .. });
            // Some handles are numbers (`cufftHandle`).
            if is_pointer || self.created_handle(&value).is_some() {
                self.escape_handle(
                    &value,
                    &format!("held by a handle that is passed to unknown code: {what}"),
                );
            }
        }
        let closure = self.closure(&all);
        self.touch(&closure, Mode::ReadWrite);
        self.escape(&all, &format!("passed to unknown code: {what}"));
        self.unknown_code(what, may_use_cuda, of_program);
        self.result(call, Value::Any);
    }

    /// A function of the program that was not folded (recursion, size, opaque body).
    fn call_summarised(&mut self, call: &Call, callee: FunctionId) {
        let function = self.program.function(callee);
        let name = function.name.clone();
        let summaries = self.summaries;
        let summary = &summaries[callee.index()];
        if summary.effectful || summary.unknown || function.opaque.is_some() {
            let why = match &function.opaque {
                Some(reason) => format!("call of `{name}`, which was not understood: {reason}"),
                None => format!("call of `{name}`, which is recursive or too large to fold in"),
            };
            self.call_unknown(call, &why, true, summary.controls);
            if !summary.captures.is_empty() || summary.lost_captures {
                self.opaque_everywhere(&why);
            }
            return;
        }
        let arguments: Vec<Pointer> =
            call.arguments.iter().map(|a| self.argument_pointer(a)).collect();
        let mut returned = Pointer::null();
        let mut writes = Vec::new();
        // In the order of the bits of the summary's roots.
        let mut uses: Vec<(Pointer, ParameterEffect)> = Vec::new();
        let mut arguments = arguments.into_iter();
        for effect in &summary.parameters {
            uses.push((arguments.next().unwrap_or_else(Pointer::null), *effect));
        }
        for pointer in arguments {
            self.escape(&pointer, &format!("passed to `{name}` as a variadic argument"));
        }
        for capture in &summary.captures {
            uses.push((self.captured(capture.variable), capture.effect));
        }
        for (index, (pointer, effect)) in uses.iter().enumerate() {
            let reached = if effect.deep { self.closure(pointer) } else { pointer.moved(None) };
            if effect.reads || effect.deep {
                self.touch(&reached, Mode::Read);
            }
            if effect.writes || effect.deep {
                self.touch(&reached, Mode::Write);
                writes.push(reached.clone());
            }
            if effect.captured {
                self.escape(pointer, &format!("kept by `{name}`"));
            }
            if effect.observed {
                self.observe(pointer, Observation::Converted);
            }
            let bit = 1u64.checked_shl(u32::try_from(index).unwrap_or(u32::MAX)).unwrap_or(0);
            if summary.returns.parameters & bit != 0 {
                returned = returned.join(&pointer.moved(None));
            }
            if summary.returns.loaded & bit != 0 {
                let closure = self.closure(pointer);
                returned = returned.join(&closure).join(&Pointer::anywhere());
            }
        }
        for pointer in writes {
            for (region, _) in pointer.regions.clone() {
                self.weaken(region, None, &Value::Any);
            }
            if pointer.unknown {
                self.unknown_code_writes();
            }
        }
        for (&variable, &(_, written)) in &summary.variables {
            if written {
                let region = self.variable_region(variable);
                self.weaken(region, None, &Value::Any);
            }
        }
        for capture in summary.captures.iter().filter(|capture| capture.stored) {
            let region = self.variable_region(capture.variable);
            self.weaken(region, None, &Value::Any);
        }
        if summary.returns.unknown {
            returned = returned.join(&Pointer::anywhere());
        }
        let value = if self.is_pointer_result(call.returns) {
            Value::Pointer(returned)
        } else {
            Value::Any
        };
        self.result(call, value);
    }

    fn is_pointer_result(&self, ty: TypeId) -> bool {
        matches!(self.program.ty(ty).kind, TypeKind::Pointer { .. })
    }

    /// Stores the result of a call.
    fn result(&mut self, call: &Call, value: Value) {
        let Some(result) = &call.result else { return };
        match self.program.ty(call.returns).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                let address = self.address(result);
                self.touch(&address, Mode::Write);
                self.clobber(&address, None);
                if let Value::Pointer(_) = value {
                    for (region, _) in address.regions {
                        self.weaken(region, None, &value);
                    }
                }
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let value =
                    if let Value::Any = value { Value::Unknown(self.produce()) } else { value };
                self.assign(result, call.returns, value);
            }
        }
    }

    fn call_modelled(
        &mut self,
        call: &Call,
        name: &str,
        model: &EffectModel,
        callbacks: &[FunctionId],
    ) {
        let values: Vec<(Pointer, Option<Size>, Value)> = call
            .arguments
            .iter()
            .map(|argument| {
                let pointer = self.argument_pointer(argument);
                let value = self.peek_value(argument);
                (pointer, value.integer(), value)
            })
            .collect();
        let thread_uses_cuda = model.thread == Some(ThreadEffect::Starts) && {
            let mut runs: Vec<Value> = values.iter().map(|(_, _, value)| value.clone()).collect();
            // A callable may be passed by reference.
            for (region, _) in values.iter().flat_map(|(pointer, _, _)| &pointer.regions) {
                runs.extend(self.state.get(&(*region, 0)).cloned());
            }
            threads::may_use_cuda(self.program, self.models, callbacks, &runs)
        };
        if let Some((handle, stream)) = model.sets_stream {
            self.bind_stream(&values, handle, stream);
        }
        if let Some((handle, mode)) = model.sets_pointer_mode {
            self.bind_pointer_mode(&values, handle, mode);
        }
        let scalars_on_host = self.scalars_on_host(model, &values);
        let on_device = match model.execution {
            Execution::Host => None,
            Execution::Device(source) => Some((source, false)),
            Execution::DeviceWaits(source) => Some((source, true)),
        };
        let mut host = Vec::new();
        let mut results = Vec::new();
        let mut device = Vec::new();
        let mut scalars = false;
        let mut unknown = false;
        for (index, argument) in call.arguments.iter().enumerate() {
            let position = u32::try_from(index).unwrap_or(u32::MAX);
            let effect = model.arguments.get(&position).unwrap_or(&model.rest);
            let (pointer, _, value) = &values[index];
            if effect.observes_address && !self.points_to_text(argument.ty) {
                self.observe(pointer, Observation::Converted);
            }
            let does = effect.access.of_type(&self.program.ty(argument.ty).spelling);
            let mode = match (does.reads, does.writes) {
                (false, false) => None,
                (true, false) => Some(Mode::Read),
                (false, true) => Some(Mode::Write),
                (true, true) => Some(Mode::ReadWrite),
            };
            let target = if effect.through_handle {
                let (held, complete) = self.retained(value);
                unknown |= !complete && mode.is_some();
                held
            } else if effect.deep {
                let table = DraftAccess {
                    pointer: pointer.moved(None),
                    bytes: None,
                    mode: Mode::Read,
                    must: false,
                };
                if on_device.is_some() {
                    unknown |= pointer.unknown;
                    device.push(table);
                } else {
                    host.push(table);
                }
                self.pointers_through(pointer)
            } else {
                pointer.clone()
            };
            if let Some(mode) = mode {
                let bytes = effect.bytes.as_ref().and_then(|b| self.bytes(b, call, &values));
                let draft = DraftAccess {
                    must: bytes.is_some() && (mode == Mode::Read || effect.must_write),
                    pointer: if bytes.is_some() { target.clone() } else { target.moved(None) },
                    bytes,
                    mode,
                };
                let scalar = on_device.is_some() && effect.on_host;
                scalars |= scalar;
                if on_device.is_some() && !(scalar && scalars_on_host) {
                    unknown |= target.unknown;
                    device.push(draft.clone());
                }
                if scalar && mode != Mode::Read {
                    results.push(draft);
                } else if scalar || on_device.is_none() {
                    host.push(draft);
                }
                if mode != Mode::Write && !effect.through_handle && !effect.deep {
                    self.carry(&target, effect, name);
                }
            }
            match effect.retention {
                Retention::Call => {}
                Retention::Handle(_) => {}
                Retention::Any => self.escape(pointer, &format!("kept by `{name}`")),
            }
        }
        self.host_accesses(&host, Mode::Read);
        self.host_accesses(&host, Mode::Write);
        // In host pointer mode a scalar that is read and written is read first.
        self.host_accesses(&results, Mode::Read);
        for access in host.iter().chain(&results).chain(&device) {
            if access.mode != Mode::Read {
                self.write_unknown(&access.pointer, access.bytes.as_ref());
            }
        }
        for (index, _) in call.arguments.iter().enumerate() {
            let position = u32::try_from(index).unwrap_or(u32::MAX);
            let effect = model.arguments.get(&position).unwrap_or(&model.rest);
            if let Retention::Handle(handle) = effect.retention {
                let pointer = if effect.through_handle {
                    self.retained(&values[index].2).0
                } else {
                    values[index].0.clone()
                };
                self.retain(&values, handle, &pointer, name);
            }
        }
        if let Some((source, waits)) = on_device {
            let stream = self.source_stream(source, &values);
            self.emit_draft(Draft::work(DraftWork {
                kind: WorkKind::Library,
                name: self.shown_name(name).to_owned(),
                stream,
                accesses: device,
                unknown,
                // A scalar result on the device is not waited for.
                host_waits: waits && (!scalars || scalars_on_host),
                may_spin: false,
            }));
        }
        self.host_accesses(&results, Mode::Write);
        if model.reads_clock {
            self.emit(EventKind::ReadClock { between: None });
        }
        if model.process_control {
            self.emit(EventKind::ProcessControl { name: name.to_owned() });
        }
        match model.thread {
            Some(ThreadEffect::Starts) => {
                let mut all = Pointer::null();
                for (pointer, _, _) in &values {
                    all = all.join(pointer);
                }
                self.escape(&all, &format!("passed to another thread by `{name}`"));
                self.emit_draft(Draft::thread_start(thread_uses_cuda));
            }
            Some(ThreadEffect::Joins) => {
                // What the thread wrote is certainly there.
                self.unknown_code_writes();
                self.emit(EventKind::ThreadJoin);
            }
            None => {}
        }
        let value = match model.result {
            ResultEffect::Unrelated => Value::Any,
            ResultEffect::Into(position) => values
                .get(position as usize)
                .map_or(Value::Any, |(pointer, _, _)| Value::Pointer(pointer.moved(None))),
            // Whatever it may lead to: what it was given, above all.
            ResultEffect::Unknown => {
                if self.may_hold_pointers(call.returns) {
                    let given = values.iter().map(|(pointer, _, _)| pointer.moved(None));
                    Value::Pointer(given.fold(Pointer::anywhere(), |all, one| all.join(&one)))
                } else {
                    Value::Any
                }
            }
        };
        self.result(call, value);
    }

    fn may_hold_pointers(&self, ty: TypeId) -> bool {
        self.is_pointer_result(ty)
            || matches!(self.program.ty(ty).kind, TypeKind::Record { may_hold_pointers: true, .. })
    }

    /// The value of an argument, without its reads.
    pub(super) fn peek_value(&mut self, argument: &Argument) -> Value {
        match self.program.ty(argument.ty).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => Value::Any,
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let drafts = self.drafts.take();
                let value = self.eval(&argument.value);
                self.drafts = drafts;
                value
            }
        }
    }

    /// Emits those host accesses that read (or write).
    fn host_accesses(&mut self, accesses: &[DraftAccess], phase: Mode) {
        for access in accesses {
            let applies = match (access.mode, phase) {
                (Mode::ReadWrite, _) | (Mode::Read, Mode::Read) | (Mode::Write, Mode::Write) => {
                    true
                }
                (Mode::Read | Mode::Write, _) => false,
            };
            if applies && access.pointer.regions.iter().any(|(r, _)| self.regions.is_memory(*r)) {
                self.emit_draft(Draft::host(DraftAccess { mode: phase, ..access.clone() }));
            }
        }
    }

    /// A modelled function reads memory that holds pointers: where they end up is not modelled.
    fn carry(&mut self, pointer: &Pointer, effect: &ArgumentEffect, name: &str) {
        if effect.retention == Retention::Call {
            let held = self.pointers_in(pointer, None);
            if held.regions.iter().any(|(r, _)| self.regions.is_memory(*r)) {
                self.escape(&held, &format!("held in memory that `{name}` reads"));
            }
        }
    }

    /// Something unknown was written through `pointer`.
    fn write_unknown(&mut self, pointer: &Pointer, bytes: Option<&Size>) {
        if bytes.is_some() {
            self.clobber(pointer, bytes);
            return;
        }
        if let ([(region, Some(offset))], false) = (pointer.regions.as_slice(), pointer.unknown)
            && offset.as_constant() == Some(0)
        {
            // `scanf("%d", &n)`, `f(&handle)`: a scalar is overwritten as a whole.
            let size = self.regions.info(*region).bytes.clone();
            if size.as_ref().and_then(Size::as_constant).is_some_and(|b| b <= 16) {
                self.clobber(pointer, size.as_ref());
                return;
            }
        }
        if let ([(region, None)], false) = (pointer.regions.as_slice(), pointer.unknown) {
            let region = *region;
            let info = self.regions.info(region);
            let scalar = info.bytes.as_ref().and_then(Size::as_constant).is_some_and(|b| b <= 8);
            if scalar && matches!(info.kind, RegionKind::Variable { .. }) {
                let whole = Pointer::to(region, Some(Size::constant(0)));
                let bytes = info.bytes.clone();
                self.clobber(&whole, bytes.as_ref());
                if let Some(Value::Unknown(symbol)) = self.state.get(&(region, 0)) {
                    self.symbols.mark_created(*symbol);
                }
                return;
            }
        }
        self.clobber(pointer, None);
    }

    fn points_to_text(&self, ty: TypeId) -> bool {
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

    fn bytes(
        &mut self,
        expr: &BytesExpr,
        call: &Call,
        values: &[(Pointer, Option<Size>, Value)],
    ) -> Option<Size> {
        match expr {
            BytesExpr::Constant(value) => Some(Size::constant(i128::from(*value))),
            BytesExpr::Argument(position) => values.get(*position as usize)?.1.clone(),
            BytesExpr::SizeOf(position) => {
                let ty = call.arguments.get(*position as usize)?.ty;
                let TypeKind::Pointer { to } = self.program.ty(ty).kind else { return None };
                self.program.ty(to).bytes.map(|b| Size::constant(i128::from(b)))
            }
            BytesExpr::Sum(terms) => {
                let mut sum = Size::constant(0);
                for term in terms {
                    sum = sum.add(&self.bytes(term, call, values)?)?;
                }
                Some(sum)
            }
            BytesExpr::Product(factors) => {
                let mut product = Size::constant(1);
                for factor in factors {
                    product = product.multiply(&self.bytes(factor, call, values)?)?;
                }
                Some(product)
            }
        }
    }
}

/// `cudaX` or `cuX`.
fn is_of_cuda(name: &str) -> bool {
    name.starts_with("cuda")
        || name.strip_prefix("cu").is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
}
