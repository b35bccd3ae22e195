//! Small programs: what they are made of, and the event graph that the analysis sees of them.

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

/// Bytes of every buffer; a half is half of them. Uploads of 64 KiB and less wait for nothing.
const fn bytes(scenario: &Scenario) -> u64 {
    if scenario.small { 1 << 14 } else { 1 << 20 }
}

/// The buffers. `Host` and `Device` are the pair of one-pair programs; `Other` ones make m:n; `Pinned` is a third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Buffer {
    Host,
    Device,
    OtherHost,
    OtherDevice,
    Pinned,
}

pub(crate) const BUFFERS: [Buffer; 5] =
    [Buffer::Host, Buffer::Device, Buffer::OtherHost, Buffer::OtherDevice, Buffer::Pinned];

/// Which part of a buffer: 0 is all, 1 and 2 are its halves.
pub(crate) type Part = u8;

/// 0 is the legacy stream, 1 and 2 are created ones.
pub(crate) type StreamNumber = u8;

/// A step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    HostWrite(Buffer, Part),
    HostRead(Buffer, Part),
    /// Overwrites a part without reading.
    KernelWrite(Buffer, StreamNumber, Part),
    KernelRead(Buffer, StreamNumber),
    /// Reads and then overwrites all.
    KernelUpdate(Buffer, StreamNumber),
    /// Reads the first and overwrites the second.
    KernelMove(Buffer, Buffer, StreamNumber),
    Fill(Buffer),
    Copy {
        to: Buffer,
        from: Buffer,
        part: Part,
        stream: Option<StreamNumber>,
    },
    WaitForDevice,
    WaitForStream(StreamNumber),
    Record(StreamNumber),
    StreamWaits(StreamNumber),
    WaitForMarker,
    Free(Buffer),
}

/// A program: steps in sequence, of which some repeat or are optional.
#[derive(Debug, Clone)]
pub(crate) struct Scenario {
    pub(crate) before: Vec<Step>,
    /// Runs any number of times, or, if `once`, not at all or once.
    pub(crate) middle: Vec<Step>,
    pub(crate) once: bool,
    pub(crate) after: Vec<Step>,
    /// Stream 2 does not take part in legacy barriers.
    pub(crate) second_is_non_blocking: bool,
    /// The buffers are small.
    pub(crate) small: bool,
}

impl Scenario {
    /// All steps in order of their numbers.
    pub(crate) fn steps(&self) -> Vec<Step> {
        [&self.before[..], &self.middle, &self.after].concat()
    }

    /// The runs to check: step numbers in order of execution.
    pub(crate) fn runs(&self) -> Vec<Vec<usize>> {
        let (a, b) = (self.before.len(), self.before.len() + self.middle.len());
        let times: &[usize] = match (self.middle.is_empty(), self.once) {
            (true, _) => &[0],
            (false, true) => &[0, 1],
            (false, false) => &[0, 1, 2, 3],
        };
        times
            .iter()
            .map(|&times| {
                let mut run: Vec<usize> = (0..a).collect();
                for _ in 0..times {
                    run.extend(a..b);
                }
                run.extend(b..b + self.after.len());
                run
            })
            .collect()
    }

    fn uses(&self, buffer: Buffer) -> bool {
        self.steps().iter().any(|step| match *step {
            Step::HostWrite(b, _)
            | Step::HostRead(b, _)
            | Step::KernelWrite(b, _, _)
            | Step::KernelRead(b, _)
            | Step::KernelUpdate(b, _)
            | Step::Fill(b)
            | Step::Free(b) => b == buffer,
            Step::KernelMove(a, b, _) => a == buffer || b == buffer,
            Step::Copy { to, from, .. } => to == buffer || from == buffer,
            Step::WaitForDevice
            | Step::WaitForStream(_)
            | Step::Record(_)
            | Step::StreamWaits(_)
            | Step::WaitForMarker => false,
        })
    }
}

/// The graph of a scenario, and per step its event.
pub(crate) struct Built {
    pub(crate) program: Program,
    pub(crate) graph: EventGraph,
    pub(crate) objects: Vec<(Buffer, ObjectId)>,
    /// Number of events before that of step 0.
    pub(crate) first_step: usize,
}

/// Builds the graph: an allocation of each buffer, then the steps. Each event is a statement of its own.
pub(crate) fn build(scenario: &Scenario) -> Built {
    let mut program = Program {
        files: vec![SourceFile {
            path: "law.cu".to_owned(),
            text: vec![b' '; 4096],
            editable: true,
            conditional_branches: Vec::new(),
            suppressions: Vec::new(),
            macro_body_names: Vec::new(),
        }],
        types: vec![Type {
            spelling: "float *".to_owned(),
            bytes: Some(8),
            kind: TypeKind::Unknown,
        }],
        ..Program::default()
    };
    let mut graph = EventGraph {
        root: "main".to_owned(),
        root_is_main: true,
        contexts: vec![Context { caller: None, function: FunctionId(0) }],
        streams: vec![
            Stream { name: "first".to_owned(), non_blocking: Some(false), several: false },
            Stream {
                name: "second".to_owned(),
                non_blocking: Some(scenario.second_is_non_blocking),
                several: false,
            },
        ],
        markers: vec![Marker { name: "marker".to_owned(), several: false }],
        ..EventGraph::default()
    };
    let mut objects: Vec<(Buffer, ObjectId)> = Vec::new();
    for buffer in BUFFERS {
        if !scenario.uses(buffer) {
            continue;
        }
        let name = format!("{buffer:?}");
        let variable = VariableId::new(program.variables.len());
        program.variables.push(variable_named(&name));
        let holder = Holder { context: ContextId(0), variable, path: String::new() };
        let object = ObjectId::new(graph.objects.len());
        graph.objects.push(Object {
            kind: match buffer {
                Buffer::Host | Buffer::OtherHost => ObjectKind::HostHeap(HostAllocator::Malloc),
                Buffer::Device | Buffer::OtherDevice => ObjectKind::Cuda(DeviceMemory::Device),
                Buffer::Pinned => ObjectKind::Cuda(DeviceMemory::Pinned),
            },
            bytes: Some(Size::constant(i128::from(bytes(scenario)))),
            name,
            holder: Some(holder.clone()),
            allocation: Some(EventId::new(graph.events.len())),
            volatile: false,
            nontrivial_elements: false,
            several: false,
        });
        objects.push((buffer, object));
        push(&mut graph, EventKind::Allocate(object));
        let value = Target { objects: vec![object], unknown: false };
        push(&mut graph, EventKind::Store { holder, value, exact: true });
    }
    let first_step = graph.events.len();
    for step in scenario.steps() {
        let kind = event_kind(step, &objects, bytes(scenario));
        push(&mut graph, kind);
    }
    let count = |n: usize| u32::try_from(n).unwrap();
    let (a, b) = (
        first_step + scenario.before.len(),
        first_step + scenario.before.len() + scenario.middle.len(),
    );
    let block = |first: usize, end: usize, to: &[u32], loops: &[u32]| EventBlock {
        first: count(first),
        count: count(end - first),
        successors: to.iter().map(|&i| EventBlockId(i)).collect(),
        loops: loops.iter().map(|&i| LoopId(i)).collect(),
    };
    let events = graph.events.len();
    graph.blocks = match (scenario.middle.is_empty(), scenario.once) {
        (true, _) => vec![block(0, events, &[], &[])],
        (false, true) => {
            vec![block(0, a, &[1, 2], &[]), block(a, b, &[2], &[]), block(b, events, &[], &[])]
        }
        (false, false) => vec![
            block(0, a, &[1], &[]),
            block(a, a, &[2, 3], &[0]),
            block(a, b, &[1], &[0]),
            block(b, events, &[], &[]),
        ],
    };
    Built { program, graph, objects, first_step }
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

fn push(graph: &mut EventGraph, kind: EventKind) {
    let index = u32::try_from(graph.events.len()).unwrap();
    graph.events.push(Event {
        kind,
        at: StatementRef { function: FunctionId(0), block: BlockId(0), index },
        context: ContextId(0),
        source: SourceRef {
            span: Span { file: FileId(0), start: 10 + index, end: 11 + index },
            spelling: Spelling::Text,
        },
    });
}

fn range(part: Part, size: u64) -> Range {
    match part {
        0 => Range::Whole,
        1 => Range::Bytes { start: 0, end: size / 2 },
        _ => Range::Bytes { start: size / 2, end: size },
    }
}

fn stream_use(stream: StreamNumber) -> StreamUse {
    match stream {
        0 => StreamUse::Default,
        n => StreamUse::Created(StreamId(u32::from(n) - 1)),
    }
}

fn event_kind(step: Step, objects: &[(Buffer, ObjectId)], size: u64) -> EventKind {
    let target = |buffer: Buffer| Target {
        objects: objects.iter().filter(|(b, _)| *b == buffer).map(|(_, o)| *o).collect(),
        unknown: false,
    };
    let access = |buffer, range, mode, must| Access { target: target(buffer), range, mode, must };
    let work = |kind, stream, accesses| {
        EventKind::Work(Work {
            kind,
            name: "work".to_owned(),
            stream: stream_use(stream),
            accesses,
            unknown: false,
            host_waits: false,
            may_spin: false,
        })
    };
    // What kernels do is only known as what they may do.
    let may = |buffer, mode| access(buffer, Range::Some, mode, false);
    match step {
        Step::HostWrite(b, part) => {
            EventKind::Host(access(b, range(part, size), Mode::Write, true))
        }
        Step::HostRead(b, part) => EventKind::Host(access(b, range(part, size), Mode::Read, true)),
        Step::KernelWrite(b, s, _) => work(WorkKind::Kernel, s, vec![may(b, Mode::Write)]),
        Step::KernelRead(b, s) => work(WorkKind::Kernel, s, vec![may(b, Mode::Read)]),
        Step::KernelUpdate(b, s) => work(WorkKind::Kernel, s, vec![may(b, Mode::ReadWrite)]),
        Step::KernelMove(a, b, s) => {
            work(WorkKind::Kernel, s, vec![may(a, Mode::Read), may(b, Mode::Write)])
        }
        Step::Fill(b) => work(WorkKind::Fill, 0, vec![access(b, Range::Whole, Mode::Write, true)]),
        Step::Copy { to, from, part, stream } => {
            let offset = if part == 2 { size / 2 } else { 0 };
            let bytes = if part == 0 { size } else { size / 2 };
            let end = |buffer| CopyEnd {
                target: target(buffer),
                offset: Some(Size::constant(i128::from(offset))),
                range: range(part, size),
            };
            EventKind::Copy(Copy {
                to: end(to),
                from: end(from),
                bytes: Some(Size::constant(i128::from(bytes))),
                kind: TransferKind::Default,
                stream: stream.map(stream_use),
                strided: false,
            })
        }
        Step::WaitForDevice => EventKind::Synchronize(Scope::Device),
        Step::WaitForStream(s) => EventKind::Synchronize(Scope::Stream(stream_use(s))),
        Step::Record(s) => EventKind::Record { marker: Some(MarkerId(0)), stream: stream_use(s) },
        Step::StreamWaits(s) => {
            EventKind::StreamWait { stream: stream_use(s), marker: Some(MarkerId(0)) }
        }
        Step::WaitForMarker => EventKind::Synchronize(Scope::Marker(Some(MarkerId(0)))),
        Step::Free(b) => match b {
            Buffer::Host | Buffer::OtherHost => EventKind::HostRelease {
                target: target(b),
                by: HostDeallocator::Free,
                at_start: true,
            },
            Buffer::Device | Buffer::OtherDevice => EventKind::DeviceRelease {
                target: target(b),
                by: DeviceRelease::Free,
                at_start: true,
            },
            Buffer::Pinned => EventKind::DeviceRelease {
                target: target(b),
                by: DeviceRelease::FreeHost,
                at_start: true,
            },
        },
    }
}
