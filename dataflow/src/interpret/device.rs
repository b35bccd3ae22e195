//! The transfer function of CUDA operations and kernel launches.

use crate::event::{EventKind, MarkerId, Mode, Observation, Scope, StreamUse, WorkKind};
use crate::program::{
    Callee, Capture, CopyShape, CudaOperation, DeviceRelease, Expr, Launch, Place, Rows, Storage,
    TransferKind, VariableId, Wait,
};
use crate::size::Size;
use crate::summary::ParameterEffect;

use super::emit::{Draft, DraftAccess, DraftCopy, DraftWork};
use super::machine::Machine;
use super::regions::RegionKind;
use super::value::{Pointer, Region, Value};

impl Machine<'_> {
    pub(crate) fn cuda(&mut self, operation: &CudaOperation, name: &str) {
        match operation {
            CudaOperation::Allocate { memory, target, ty, bytes } => {
                let bytes = self.eval(bytes).integer();
                let kind = RegionKind::Cuda {
                    memory: *memory,
                    context: self.position.context,
                    at: self.position.at,
                };
                let region = self.regions.intern(kind);
                self.allocated(region, bytes, target, *ty);
            }
            CudaOperation::Release { by, pointer } => {
                let pointer = self.eval(pointer).pointer();
                if let DeviceRelease::FreeAsync(Some(stream)) = by {
                    self.eval(stream);
                }
                self.release(&pointer);
                self.emit_draft(Draft::device_release(pointer, by.clone()));
            }
            CudaOperation::Copy { to, from, shape, kind, stream } => {
                self.copy(to, from, shape, *kind, stream.as_ref());
            }
            CudaOperation::Fill { to, bytes, stream } => {
                let to = self.eval(to).pointer();
                let bytes = self.eval(bytes).integer();
                let stream = match stream {
                    None => StreamUse::Default,
                    Some(stream) => self.stream(stream.as_ref()),
                };
                self.clobber(&to, bytes.as_ref());
                self.emit_draft(Draft::work(DraftWork {
                    kind: WorkKind::Fill,
                    name: name.to_owned(),
                    stream,
                    unknown: to.unknown,
                    accesses: vec![DraftAccess {
                        pointer: to,
                        bytes,
                        mode: Mode::Write,
                        must: true,
                    }],
                    host_waits: false,
                    may_spin: false,
                }));
            }
            CudaOperation::Synchronize(wait) => {
                let scope = self.scope(wait);
                self.emit(EventKind::Synchronize(scope));
            }
            // A successful query orders like a wait; failure orders nothing, and which it was is not tracked.
            CudaOperation::Query(wait) => {
                self.scope(wait);
            }
            CudaOperation::StreamCreate { target, non_blocking } => {
                let id = self.regions.stream(self.position.context, self.position.at);
                let region = self.regions.intern(RegionKind::Stream(id));
                let flag = match non_blocking {
                    Some(false) => Some(Size::constant(0)),
                    Some(true) => Some(Size::constant(1)),
                    None => None,
                };
                self.regions.info_mut(region).bytes = flag;
                self.created(region, target);
            }
            CudaOperation::EventCreate(target) => {
                let id = self.regions.marker(self.position.context, self.position.at);
                let region = self.regions.intern(RegionKind::Marker(id));
                self.created(region, target);
            }
            CudaOperation::StreamDestroy(value) | CudaOperation::EventDestroy(value) => {
                self.eval(value);
            }
            CudaOperation::EventRecord { event, stream } => {
                let marker = self.marker(event);
                let stream = self.stream(stream.as_ref());
                self.emit(EventKind::Record { marker, stream });
            }
            CudaOperation::StreamWaitEvent { stream, event } => {
                let marker = self.marker(event);
                let stream = self.stream(stream.as_ref());
                self.emit(EventKind::StreamWait { stream, marker });
            }
            CudaOperation::ElapsedTime { start, stop, target } => {
                let between = self.marker(start).zip(self.marker(stop));
                self.store_unknown(target);
                self.emit(EventKind::ReadClock { between });
            }
            CudaOperation::SetDevice(device) => {
                let device = device.as_ref().map(|device| self.eval(device));
                let device = device.and_then(|device| device.integer()?.as_constant());
                self.emit(EventKind::SetDevice { device });
            }
            CudaOperation::SetDeviceFlags => self.emit(EventKind::SetDeviceFlags),
            CudaOperation::DeviceReset => self.emit(EventKind::DeviceReset),
            CudaOperation::HostRegister(pointer) => {
                let pointer = self.eval(pointer).pointer();
                self.observe(&pointer, Observation::KindSpecific(name.to_owned()));
            }
            CudaOperation::ObservePointer { pointer, target } => {
                let pointer = self.eval(pointer).pointer();
                self.observe(&pointer, Observation::Attributes);
                if let Some(target) = target {
                    let address = self.address(target);
                    // A device alias of the same memory.
                    let value = Value::Pointer(pointer.moved(None));
                    self.access(&address, Some(Size::constant(8)), Mode::Write);
                    self.clobber(&address, None);
                    self.poke(&address, Some(8), value);
                }
            }
            CudaOperation::Capture(capture) => match capture {
                Capture::Begin(stream) => {
                    self.stream(stream.as_ref());
                    self.emit(EventKind::Capture { begins: true });
                }
                Capture::End => self.emit(EventKind::Capture { begins: false }),
                Capture::Launch(stream) => {
                    let stream = self.stream(stream.as_ref());
                    self.emit_draft(Draft::work(DraftWork {
                        kind: WorkKind::Graph,
                        name: name.to_owned(),
                        stream,
                        accesses: Vec::new(),
                        unknown: true,
                        host_waits: false,
                        may_spin: false,
                    }));
                }
            },
            CudaOperation::HostCallback { stream, callee, data } => {
                let stream = self.stream(stream.as_ref());
                self.eval(callee);
                let data = self.eval(data).pointer();
                self.escape(&data, "passed to a function queued in a stream");
                self.emit_draft(Draft::host_callback(stream));
            }
            CudaOperation::Hint { pointer } => {
                let pointer = self.eval(pointer).pointer();
                self.observe(&pointer, Observation::KindSpecific(name.to_owned()));
            }
            CudaOperation::SymbolCopy { pointer, bytes, to_symbol, stream } => {
                let pointer = self.eval(pointer).pointer();
                let bytes = self.eval(bytes).integer();
                self.symbol_copy(pointer, bytes, *to_symbol, stream.as_ref(), name);
            }
            CudaOperation::Bind { pointer } => {
                let pointer = self.eval(pointer).pointer();
                self.escape(&pointer, &format!("bound by `{name}`"));
            }
            CudaOperation::Neutral { writes } => {
                for place in writes {
                    self.store_unknown(place);
                }
            }
            CudaOperation::MemoryInfo { writes } => {
                for place in writes {
                    self.store_unknown(place);
                }
                self.emit(EventKind::ReadMemoryInfo);
            }
            CudaOperation::Unmodelled { arguments } => {
                let mut all = Pointer::null();
                let mut runs_code = false;
                for argument in arguments {
                    let value = self.eval(argument);
                    runs_code |= self.leads_to_host_code(&value);
                    if let Value::Pointer(pointer) = value {
                        all = all.join(&pointer);
                    }
                }
                self.escape(&all, &format!("passed to `{name}`, which is not modelled"));
                let why = format!("call of `{name}`, which is not modelled");
                if runs_code {
                    // What a lambda has captured is found by the names in its body.
                    self.opaque_everywhere(&why);
                } else {
                    self.unknown_api(&why);
                }
            }
        }
    }

    fn created(&mut self, region: super::value::Region, target: &Place) {
        let address = self.address(target);
        let exact = address.regions.len() == 1
            && !address.unknown
            && address
                .regions
                .iter()
                .all(|(_, o)| super::machine::constant_offset(o.as_ref()).is_some());
        let name = address
            .regions
            .first()
            .map_or_else(String::new, |(r, _)| self.regions.info(*r).name.clone());
        let several = !exact || self.in_loop();
        let info = self.regions.info_mut(region);
        info.several |= several;
        if info.name.is_empty() {
            info.name = name;
        }
        self.access(&address, Some(Size::constant(8)), Mode::Write);
        self.poke(&address, Some(8), Value::Pointer(Pointer::to(region, Some(Size::constant(0)))));
    }

    fn store_unknown(&mut self, place: &Place) {
        let address = self.address(place);
        self.touch(&address, Mode::Write);
        self.clobber(&address, Some(&Size::constant(8)));
        for (region, _) in address.regions.clone() {
            let scalar = self
                .regions
                .info(region)
                .bytes
                .as_ref()
                .and_then(Size::as_constant)
                .is_some_and(|b| b <= 8);
            if !scalar {
                self.weaken(region, None, &Value::Any);
            }
        }
    }

    /// Which stream `value` names.
    pub(crate) fn stream(&mut self, value: Option<&Expr>) -> StreamUse {
        let Some(value) = value else { return StreamUse::Default };
        let value = self.eval(value);
        self.stream_of(&value)
    }

    /// Which stream a value names.
    pub(crate) fn stream_of(&self, value: &Value) -> StreamUse {
        match value {
            Value::Integer(size) => match size.as_constant() {
                Some(0) => StreamUse::Default,
                Some(1) => StreamUse::Legacy,
                Some(2) => StreamUse::PerThread,
                Some(_) | None => StreamUse::Unknown,
            },
            Value::Pointer(pointer) => {
                match (pointer.regions.as_slice(), pointer.unknown, pointer.null) {
                    ([], false, true) => StreamUse::Default,
                    ([(region, _)], false, false) => match self.regions.info(*region).kind {
                        RegionKind::Stream(id) if !self.regions.info(*region).several => {
                            StreamUse::Created(id)
                        }
                        RegionKind::Stream(_)
                        | RegionKind::Variable { .. }
                        | RegionKind::Host { .. }
                        | RegionKind::Cuda { .. }
                        | RegionKind::Marker(_)
                        | RegionKind::Handle(_)
                        | RegionKind::External(_)
                        | RegionKind::Constant => StreamUse::Unknown,
                    },
                    _ => StreamUse::Unknown,
                }
            }
            Value::Nothing | Value::Function(_) | Value::Unknown(_) | Value::Any => {
                StreamUse::Unknown
            }
        }
    }

    fn marker(&mut self, event: &Expr) -> Option<MarkerId> {
        let Value::Pointer(pointer) = self.eval(event) else { return None };
        match (pointer.regions.as_slice(), pointer.unknown) {
            ([(region, _)], false) => match self.regions.info(*region).kind {
                RegionKind::Marker(id) if !self.regions.info(*region).several => Some(id),
                RegionKind::Marker(_)
                | RegionKind::Variable { .. }
                | RegionKind::Host { .. }
                | RegionKind::Cuda { .. }
                | RegionKind::Stream(_)
                | RegionKind::Handle(_)
                | RegionKind::External(_)
                | RegionKind::Constant => None,
            },
            _ => None,
        }
    }

    fn scope(&mut self, wait: &Wait) -> Scope {
        match wait {
            Wait::Device => Scope::Device,
            Wait::Stream(stream) => Scope::Stream(self.stream(stream.as_ref())),
            Wait::Event(event) => Scope::Marker(self.marker(event)),
        }
    }

    fn copy(
        &mut self,
        to: &Expr,
        from: &Expr,
        shape: &CopyShape,
        kind: TransferKind,
        stream: Option<&Option<Expr>>,
    ) {
        let to = self.eval(to).pointer();
        let from = self.eval(from).pointer();
        for (region, _) in to.regions.iter().chain(&from.regions) {
            self.regions.info_mut(*region).name_is_settled = true;
        }
        let (bytes, strided) = match shape {
            CopyShape::Linear { bytes } => (self.eval(bytes).integer(), false),
            CopyShape::Rows(rows) => {
                let Rows { to_pitch, from_pitch, width, height } = rows.as_ref();
                let to_pitch = self.eval(to_pitch).integer();
                let from_pitch = self.eval(from_pitch).integer();
                let width = self.eval(width).integer();
                let height = self.eval(height).integer();
                // Rows without gaps are one contiguous block.
                if width.is_some() && to_pitch == width && from_pitch == width {
                    (width.zip(height).and_then(|(w, h)| w.multiply(&h)), false)
                } else {
                    (None, true)
                }
            }
        };
        let stream = stream.map(|s| self.stream(s.as_ref()));
        let carried = self.pointers_in(&from, bytes.as_ref().and_then(as_u64));
        if !carried.regions.is_empty() {
            self.escape(&carried, "copied as data");
        }
        self.emit_draft(Draft::copy(DraftCopy {
            to: to.clone(),
            from,
            bytes: bytes.clone(),
            kind,
            stream,
            strided,
        }));
        self.clobber(&to, bytes.as_ref());
    }

    fn symbol_copy(
        &mut self,
        pointer: Pointer,
        bytes: Option<Size>,
        to_symbol: bool,
        stream: Option<&Option<Expr>>,
        name: &str,
    ) {
        let stream = match stream {
            None => StreamUse::Default,
            Some(stream) => self.stream(stream.as_ref()),
        };
        let carried = self.pointers_in(&pointer, bytes.as_ref().and_then(as_u64));
        if !carried.regions.is_empty() {
            self.escape(&carried, "copied to a device variable");
        }
        let mode = if to_symbol { Mode::Read } else { Mode::Write };
        if !to_symbol {
            self.clobber(&pointer, bytes.as_ref());
        }
        self.emit_draft(Draft::work(DraftWork {
            kind: WorkKind::Library,
            name: name.to_owned(),
            stream,
            unknown: pointer.unknown,
            accesses: vec![DraftAccess { pointer, bytes, mode, must: true }],
            host_waits: false,
            may_spin: false,
        }));
    }

    pub(crate) fn launch(&mut self, launch: &Launch) {
        for value in &launch.configuration {
            self.eval(value);
        }
        let stream = match &launch.stream {
            None => StreamUse::Default,
            Some(stream) => self.stream(Some(stream)),
        };
        let arguments: Vec<Pointer> =
            launch.arguments.iter().map(|a| self.argument_pointer(a)).collect();
        let (name, summary) = match &launch.kernel {
            Callee::Function(id) => {
                (self.program.function(*id).name.clone(), Some(&self.summaries[id.index()]))
            }
            Callee::External { name, .. } => (name.to_string(), None),
            Callee::Indirect(value) => {
                self.eval(value);
                ("a kernel called through a pointer".to_owned(), None)
            }
        };
        let mut accesses = Vec::new();
        let mut unknown = false;
        let mut may_spin = launch.extended;
        match summary {
            Some(summary) => {
                may_spin |= summary.may_spin;
                unknown |= summary.unknown;
                if summary.lost_captures {
                    self.opaque_everywhere(&format!("a lambda in kernel `{name}`"));
                }
                let mut uses: Vec<(Pointer, ParameterEffect)> = Vec::new();
                for (index, pointer) in arguments.into_iter().enumerate() {
                    match summary.parameters.get(index) {
                        Some(effect) => uses.push((pointer, *effect)),
                        None => self.escape(&pointer, &format!("passed to kernel `{name}`")),
                    }
                }
                for capture in &summary.captures {
                    uses.push((self.captured(capture.variable), capture.effect));
                }
                for (pointer, effect) in &uses {
                    if effect.captured {
                        self.escape(pointer, &format!("kept by kernel `{name}`"));
                    }
                    if effect.observed {
                        self.observe(pointer, Observation::Converted);
                    }
                    let reached =
                        if effect.deep { self.closure(pointer) } else { pointer.moved(None) };
                    unknown |= effect.deep || (reached.unknown && (effect.reads || effect.writes));
                    let mode = match (effect.reads || effect.deep, effect.writes || effect.deep) {
                        (false, false) => continue,
                        (true, false) => Mode::Read,
                        (false, true) => Mode::Write,
                        (true, true) => Mode::ReadWrite,
                    };
                    accesses.push(DraftAccess { pointer: reached, bytes: None, mode, must: false });
                }
                for (&variable, &(reads, writes)) in &summary.variables {
                    let region = self.variable_region(variable);
                    self.escape_from_host_variable(variable, region, &name);
                    let mode = match (reads, writes) {
                        (true, false) => Mode::Read,
                        (false, true) => Mode::Write,
                        (true, true) | (false, false) => Mode::ReadWrite,
                    };
                    accesses.push(DraftAccess {
                        pointer: Pointer::to(region, None),
                        bytes: None,
                        mode,
                        must: false,
                    });
                }
            }
            None => {
                unknown = true;
                may_spin = true;
                for pointer in &arguments {
                    self.escape(
                        pointer,
                        &format!("passed to kernel `{name}`, whose body is not seen"),
                    );
                    accesses.push(DraftAccess {
                        pointer: self.closure(pointer),
                        bytes: None,
                        mode: Mode::ReadWrite,
                        must: false,
                    });
                }
            }
        }
        for access in &accesses {
            if access.mode != Mode::Read {
                for (region, _) in access.pointer.regions.clone() {
                    self.weaken(region, None, &Value::Any);
                }
            }
        }
        self.emit_draft(Draft::work(DraftWork {
            kind: WorkKind::Kernel,
            name,
            stream,
            accesses,
            unknown,
            host_waits: false,
            may_spin,
        }));
    }
}

impl Machine<'_> {
    /// Kernel `name` uses a variable that is one of the host for all that is seen: the toolkit's `__managed__` leaves no
    /// trace. What others hold has escaped when it was stored.
    fn escape_from_host_variable(&mut self, variable: VariableId, region: Region, name: &str) {
        match self.program.variable(variable).storage {
            Storage::Global | Storage::InternalGlobal | Storage::StaticLocal => {
                let held = self.pointers_in(&Pointer::to(region, None), None);
                self.escape(&held, &format!("held in a variable that kernel `{name}` uses"));
            }
            Storage::Local
            | Storage::Parameter
            | Storage::Temporary
            | Storage::Device
            | Storage::Managed => {}
        }
    }
}

fn as_u64(size: &Size) -> Option<u64> {
    size.as_constant().and_then(|v| u64::try_from(v).ok())
}
