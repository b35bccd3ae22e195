//! The event graph that the analysis sees of a small program.

use echo_dataflow::event::{
    Access, Context, ContextId, Copy, CopyEnd, Event, EventBlock, EventBlockId, EventGraph,
    EventId, EventKind, Holder, LoopId, Marker, MarkerId, Mode, Object, ObjectId, ObjectKind,
    Range, Scope, Stream, StreamId, StreamUse, Target, Work, WorkKind,
};
use echo_dataflow::program::{
    BlockId, Declaration, DeviceMemory, DeviceRelease, FileId, FunctionId, HostAllocator,
    HostDeallocator, Program, SourceFile, SourceRef, Span, Spelling, StatementRef, Storage,
    TransferKind, Type, TypeId, TypeKind, Variable, VariableId,
};
use echo_dataflow::size::Size;

use super::scenario::{BUFFERS, Buffer, Element, Part, Scenario, Setting, Step, StreamNumber};

/// Pairs of fewer bytes are below the threshold.
pub(crate) const MIN_BYTES: u64 = 1 << 12;

/// The graph of a scenario.
pub(crate) struct Built {
    pub(crate) program: Program,
    pub(crate) graph: EventGraph,
    pub(crate) objects: Vec<(Buffer, ObjectId)>,
    /// Per event: the step it stands for.
    pub(crate) step_of: Vec<Option<usize>>,
}

/// Bytes of a buffer; a half is half of a whole one.
fn bytes(buffer: Buffer, setting: Setting) -> u64 {
    let whole = if setting.small { 1 << 14 } else { 1 << 20 };
    match buffer {
        Buffer::OtherHost | Buffer::OtherDevice if setting.other_is_small => MIN_BYTES / 2,
        Buffer::Host if setting.host_is_half => whole / 2,
        Buffer::Host
        | Buffer::Device
        | Buffer::OtherHost
        | Buffer::OtherDevice
        | Buffer::Pinned => whole,
    }
}

/// Builds the graph: allocations of the buffers, then the steps. Each event is a statement of its own.
pub(crate) fn build(scenario: &Scenario) -> Built {
    let mut builder = Builder::new(scenario);
    builder.open(&[]);
    for buffer in BUFFERS {
        if scenario.uses(buffer) && !scenario.steps.contains(&Step::Allocate(buffer)) {
            builder.allocate(buffer, None);
        }
    }
    builder.elements(&scenario.structure(), &mut Vec::new());
    let Builder { program, graph, objects, step_of, .. } = builder;
    Built { program, graph, objects, step_of }
}

struct Builder<'s> {
    scenario: &'s Scenario,
    program: Program,
    graph: EventGraph,
    objects: Vec<(Buffer, ObjectId)>,
    step_of: Vec<Option<usize>>,
    loops: u32,
}

impl<'s> Builder<'s> {
    fn new(scenario: &'s Scenario) -> Self {
        let program = Program {
            files: vec![SourceFile {
                path: "law.cu".to_owned(),
                text: Vec::new(),
                editable: true,
                conditional_branches: Vec::new(),
                suppressions: Vec::new(),
                expansions: Vec::new(),
                macro_body_names: Vec::new(),
                line_starts: Default::default(),
            }],
            types: vec![Type {
                spelling: "float *".to_owned(),
                bytes: Some(8),
                kind: TypeKind::Unknown,
            }],
            ..Program::default()
        };
        let stream = |name: &str, non_blocking| Stream {
            name: name.to_owned(),
            non_blocking: Some(non_blocking),
            several: false,
            given_away: false,
        };
        let graph = EventGraph {
            root: "main".to_owned(),
            root_is_main: true,
            contexts: vec![Context { caller: None, function: FunctionId(0) }],
            streams: vec![
                stream("first", false),
                stream("second", scenario.setting.second_is_non_blocking),
            ],
            markers: vec![Marker { name: "marker".to_owned(), several: false }],
            ..EventGraph::default()
        };
        let mut builder =
            Self { scenario, program, graph, objects: Vec::new(), step_of: Vec::new(), loops: 0 };
        for buffer in BUFFERS {
            if scenario.uses(buffer) {
                builder.object(buffer);
            }
        }
        builder
    }

    fn object(&mut self, buffer: Buffer) {
        let name = format!("{buffer:?}");
        let variable = VariableId::new(self.program.variables.len());
        self.program.variables.push(variable_named(&name));
        let object = ObjectId::new(self.graph.objects.len());
        let setting = self.scenario.setting;
        let allocator = if setting.zeroed { HostAllocator::Calloc } else { HostAllocator::Malloc };
        self.graph.objects.push(Object {
            kind: match buffer {
                Buffer::Host | Buffer::OtherHost => ObjectKind::HostHeap(allocator),
                Buffer::Device | Buffer::OtherDevice => ObjectKind::Cuda(DeviceMemory::Device),
                Buffer::Pinned => ObjectKind::Cuda(DeviceMemory::Pinned),
            },
            bytes: Some(Size::constant(i128::from(bytes(buffer, setting)))),
            name,
            named_after: Some(variable),
            holder: Some(Holder {
                context: ContextId(0),
                variable,
                offset: Some(0),
                path: String::new(),
                through: None,
                ty: None,
            }),
            allocation: None,
            several: false,
        });
        self.objects.push((buffer, object));
    }

    fn id(&self, buffer: Buffer) -> ObjectId {
        let found = self.objects.iter().find(|(own, _)| *own == buffer);
        found.expect("every buffer that is used has an object").1
    }

    /// Begins a block and returns its number.
    fn open(&mut self, loops: &[LoopId]) -> usize {
        let first = u32::try_from(self.graph.events.len()).expect("few events");
        let (count, successors, loops) = (0, Vec::new(), loops.to_vec());
        self.graph.blocks.push(EventBlock { first, count, successors, loops });
        self.graph.blocks.len() - 1
    }

    fn edge(&mut self, from: usize, to: usize) {
        self.graph.blocks[from].successors.push(EventBlockId::new(to));
    }

    /// Appends to the last block.
    fn push(&mut self, kind: EventKind, step: Option<usize>) {
        let index = u32::try_from(self.graph.events.len()).expect("few events");
        self.graph.events.push(Event {
            kind,
            at: StatementRef { function: FunctionId(0), block: BlockId(0), index },
            context: ContextId(0),
            source: SourceRef {
                span: Span { file: FileId(0), start: 10 + index, end: 11 + index },
                spelling: Spelling::Text,
            },
        });
        self.step_of.push(step);
        self.graph.blocks.last_mut().expect("a block is open").count += 1;
    }

    fn allocate(&mut self, buffer: Buffer, step: Option<usize>) {
        let object = self.id(buffer);
        let holder = self.graph.objects[object.index()].holder.clone().expect("set above");
        self.graph.objects[object.index()].allocation = Some(EventId::new(self.graph.events.len()));
        self.push(EventKind::Allocate(object), step);
        let value = Target { objects: vec![object], unknown: false };
        self.push(EventKind::Store { holder, value, exact: true }, step);
    }

    /// Appends elements from the last block on.
    fn elements(&mut self, elements: &[Element], loops: &mut Vec<LoopId>) {
        for element in elements {
            match element {
                Element::Step(number) => {
                    let step = self.scenario.steps[*number];
                    if let Step::Allocate(buffer) = step {
                        self.allocate(buffer, Some(*number));
                    } else {
                        let kind = self.kind(step);
                        self.push(kind, Some(*number));
                    }
                }
                Element::Optional(inner) => {
                    let before = self.graph.blocks.len() - 1;
                    let start = self.open(loops);
                    self.edge(before, start);
                    self.elements(inner, loops);
                    let end = self.graph.blocks.len() - 1;
                    let after = self.open(loops);
                    self.edge(end, after);
                    self.edge(before, after);
                }
                Element::Repeated(inner) => {
                    let before = self.graph.blocks.len() - 1;
                    loops.push(LoopId(self.loops));
                    self.loops += 1;
                    let header = self.open(loops);
                    self.edge(before, header);
                    let start = self.open(loops);
                    self.edge(header, start);
                    self.elements(inner, loops);
                    let end = self.graph.blocks.len() - 1;
                    self.edge(end, header);
                    loops.pop();
                    let after = self.open(loops);
                    self.edge(header, after);
                }
            }
        }
    }

    fn target(&self, buffer: Buffer) -> Target {
        Target { objects: vec![self.id(buffer)], unknown: false }
    }

    fn range(&self, buffer: Buffer, part: Part) -> Range {
        let own = bytes(buffer, self.scenario.setting);
        let whole = match buffer {
            Buffer::Host if self.scenario.setting.host_is_half => own * 2,
            Buffer::Host
            | Buffer::Device
            | Buffer::OtherHost
            | Buffer::OtherDevice
            | Buffer::Pinned => own,
        };
        match part {
            0 => Range::Whole,
            1 if own == whole / 2 => Range::Whole,
            1 => Range::Bytes { start: 0, end: whole / 2 },
            _ => Range::Bytes { start: whole / 2, end: whole },
        }
    }

    fn access(&self, buffer: Buffer, range: Range, mode: Mode, must: bool) -> Access {
        Access { target: self.target(buffer), range, mode, must }
    }

    /// What kernels do is only known as what they may do.
    fn may(&self, buffer: Buffer, mode: Mode) -> Access {
        self.access(buffer, Range::Some, mode, false)
    }

    fn copy(&self, (to, into): (Buffer, Part), (from, of): (Buffer, Part)) -> Copy {
        let end = |buffer, part| CopyEnd {
            target: self.target(buffer),
            offset: Some(Size::constant(i128::from(match self.range(buffer, part) {
                Range::Bytes { start, .. } => start,
                Range::Whole | Range::Some => 0,
            }))),
            range: self.range(buffer, part),
        };
        let whole = bytes(to, self.scenario.setting).max(bytes(from, self.scenario.setting));
        let moved = if into == 0 { whole } else { whole / 2 };
        Copy {
            to: end(to, into),
            from: end(from, of),
            bytes: Some(Size::constant(i128::from(moved))),
            kind: TransferKind::Default,
            stream: None,
            strided: false,
        }
    }

    fn kind(&self, step: Step) -> EventKind {
        let use_of = |stream| stream_use(stream, self.scenario.setting);
        let work = |kind, stream, accesses| work(kind, use_of(stream), accesses);
        let kernel = |stream, accesses| work(WorkKind::Kernel, stream, accesses);
        match step {
            Step::HostWrite(b, part) => {
                EventKind::Host(self.access(b, self.range(b, part), Mode::Write, true))
            }
            Step::HostRead(b, part) => {
                EventKind::Host(self.access(b, self.range(b, part), Mode::Read, true))
            }
            Step::KernelWrite(b, s, _) => kernel(s, vec![self.may(b, Mode::Write)]),
            Step::KernelRead(b, s) => kernel(s, vec![self.may(b, Mode::Read)]),
            Step::KernelUpdate(b, s) => kernel(s, vec![self.may(b, Mode::ReadWrite)]),
            Step::KernelMove(a, b, s) | Step::KernelMirror(a, b, s) => {
                kernel(s, vec![self.may(a, Mode::Read), self.may(b, Mode::Write)])
            }
            Step::Unrelated(s) => kernel(s, Vec::new()),
            Step::Fill(b, s) => {
                work(WorkKind::Fill, s, vec![self.access(b, Range::Whole, Mode::Write, true)])
            }
            Step::Copy { to, from, part, stream } => EventKind::Copy(Box::new(Copy {
                stream: stream.map(use_of),
                ..self.copy((to, part), (from, part))
            })),
            Step::CopyToEither { from, stream } => {
                let mut copy = self.copy((Buffer::Device, 0), (from, 0));
                copy.to.target.objects.push(self.id(Buffer::OtherDevice));
                copy.to.range = Range::Some;
                copy.to.offset = None;
                EventKind::Copy(Box::new(Copy { stream: stream.map(use_of), ..copy }))
            }
            Step::Shift { to, from } => EventKind::Copy(Box::new(self.copy((to, 2), (from, 1)))),
            Step::WaitForDevice => EventKind::Synchronize(Scope::Device),
            Step::WaitForStream(s) => EventKind::Synchronize(Scope::Stream(use_of(s))),
            Step::Record(s) => EventKind::Record { marker: Some(MarkerId(0)), stream: use_of(s) },
            Step::StreamWaits(s) => {
                EventKind::StreamWait { stream: use_of(s), marker: Some(MarkerId(0)) }
            }
            Step::WaitForMarker => EventKind::Synchronize(Scope::Marker(Some(MarkerId(0)))),
            Step::Allocate(b) => EventKind::Allocate(self.id(b)),
            Step::FreeEither => EventKind::HostRelease {
                target: Target {
                    objects: vec![self.id(Buffer::Host), self.id(Buffer::OtherHost)],
                    unknown: false,
                },
                by: HostDeallocator::Free,
                at_start: true,
            },
            Step::Reset => EventKind::DeviceReset,
            Step::Free(b) => {
                let (target, at_start) = (self.target(b), true);
                let device = |by| EventKind::DeviceRelease { target: self.target(b), by, at_start };
                match b {
                    Buffer::Host | Buffer::OtherHost => {
                        EventKind::HostRelease { target, by: HostDeallocator::Free, at_start }
                    }
                    Buffer::Device | Buffer::OtherDevice => device(DeviceRelease::Free),
                    Buffer::Pinned => device(DeviceRelease::FreeHost),
                }
            }
        }
    }
}

fn work(kind: WorkKind, stream: StreamUse, accesses: Vec<Access>) -> EventKind {
    EventKind::Work(Work {
        kind,
        name: "work".to_owned(),
        stream,
        accesses,
        unknown: false,
        host_waits: false,
        may_spin: false,
    })
}

fn stream_use(stream: StreamNumber, setting: Setting) -> StreamUse {
    match stream {
        0 => StreamUse::Default,
        2 if setting.second_is_unknown => StreamUse::Unknown,
        n => StreamUse::Created(StreamId(u32::from(n) - 1)),
    }
}

fn variable_named(name: &str) -> Variable {
    let span = |start, end| Span { file: FileId(0), start, end };
    Variable {
        name: name.to_owned(),
        usr: String::new(),
        ty: TypeId(0),
        storage: Storage::Local,
        assignable: true,
        restrict: false,
        volatile: false,
        declaration: Some(Declaration {
            name: span(0, 1),
            scope: span(0, 4096),
            spelling: Spelling::Text,
        }),
    }
}
