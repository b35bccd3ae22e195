//! Drafts of events, still in terms of regions, and their translation into an [`EventGraph`].

use std::collections::HashMap;

use crate::event::{
    Access, Copy, CopyEnd, Event, EventBlock, EventBlockId, EventGraph, EventId, EventKind, Holder,
    LoopId, Marker, Mode, Object, ObjectId, ObjectKind, Observation, Range, Stream, StreamUse,
    Target, Through, Work, WorkKind,
};
use crate::program::{DeviceRelease, Function, HostDeallocator, Program, Storage, TransferKind};
use crate::size::Size;

use super::feasible;
use super::fill::Fill;
use super::machine::{Machine, Position};
use super::regions::{RegionInfo, RegionKind};
use super::value::{Pointer, Region};

/// An event whose pointers are not yet translated.
#[derive(Debug, Clone)]
pub(crate) struct Draft {
    pub(crate) kind: DraftKind,
    pub(crate) position: Option<Position>,
}

/// Events by how their pointers are given.
#[derive(Debug, Clone)]
pub(crate) enum DraftKind {
    Event(EventKind),
    Allocate(Region),
    HostRelease { pointer: Pointer, by: HostDeallocator },
    DeviceRelease { pointer: Pointer, by: DeviceRelease },
    Host(DraftAccess),
    Work(DraftWork),
    Copy(Box<DraftCopy>),
    Store { holder: Holder, value: Pointer, exact: bool },
    Observe { regions: Vec<Region>, how: Observation },
    Escape { regions: Vec<Region>, how: String },
    HostCallback { stream: StreamUse },
    ThreadStart { may_use_cuda: bool },
    Return { value: Pointer },
}

/// An access by pointer.
#[derive(Debug, Clone)]
pub(crate) struct DraftAccess {
    pub(crate) pointer: Pointer,
    /// Bytes from the pointer; `None` if unknown.
    pub(crate) bytes: Option<Size>,
    pub(crate) mode: Mode,
    /// All those bytes are accessed on every execution.
    pub(crate) must: bool,
}

/// Device work by pointers.
#[derive(Debug, Clone)]
pub(crate) struct DraftWork {
    pub(crate) kind: WorkKind,
    pub(crate) name: String,
    pub(crate) stream: StreamUse,
    pub(crate) accesses: Vec<DraftAccess>,
    pub(crate) unknown: bool,
    pub(crate) host_waits: bool,
    pub(crate) may_spin: bool,
}

/// A copy by pointers.
#[derive(Debug, Clone)]
pub(crate) struct DraftCopy {
    pub(crate) to: Pointer,
    pub(crate) from: Pointer,
    pub(crate) bytes: Option<Size>,
    pub(crate) kind: TransferKind,
    pub(crate) stream: Option<StreamUse>,
    pub(crate) strided: bool,
}

impl Draft {
    fn new(kind: DraftKind) -> Self {
        Self { kind, position: None }
    }

    /// An event that needs no translation.
    pub(crate) fn event(kind: EventKind) -> Self {
        Self::new(DraftKind::Event(kind))
    }

    pub(crate) fn allocate(region: Region) -> Self {
        Self::new(DraftKind::Allocate(region))
    }

    pub(crate) fn host_release(pointer: Pointer, by: HostDeallocator) -> Self {
        Self::new(DraftKind::HostRelease { pointer, by })
    }

    pub(crate) fn device_release(pointer: Pointer, by: DeviceRelease) -> Self {
        Self::new(DraftKind::DeviceRelease { pointer, by })
    }

    pub(crate) fn host(access: DraftAccess) -> Self {
        Self::new(DraftKind::Host(access))
    }

    pub(crate) fn work(work: DraftWork) -> Self {
        Self::new(DraftKind::Work(work))
    }

    pub(crate) fn copy(copy: DraftCopy) -> Self {
        Self::new(DraftKind::Copy(Box::new(copy)))
    }

    pub(crate) fn store(holder: Holder, value: Pointer, exact: bool) -> Self {
        Self::new(DraftKind::Store { holder, value, exact })
    }

    pub(crate) fn observe(regions: Vec<Region>, how: Observation) -> Self {
        Self::new(DraftKind::Observe { regions, how })
    }

    pub(crate) fn escape(regions: Vec<Region>, how: String) -> Self {
        Self::new(DraftKind::Escape { regions, how })
    }

    pub(crate) fn host_callback(stream: StreamUse) -> Self {
        Self::new(DraftKind::HostCallback { stream })
    }

    pub(crate) fn thread_start(may_use_cuda: bool) -> Self {
        Self::new(DraftKind::ThreadStart { may_use_cuda })
    }

    pub(crate) fn returned(value: Pointer) -> Self {
        Self::new(DraftKind::Return { value })
    }

    /// The draft at `position`, unless it has one already.
    pub(crate) fn at(mut self, position: Position) -> Self {
        self.position.get_or_insert(position);
        self
    }
}

/// Builds the event graph of a root from the drafts of its blocks.
pub(crate) fn translate(
    machine: Machine<'_>,
    root: &Function,
    mut drafts: Vec<Vec<Draft>>,
    fills: &[(usize, usize, Vec<Fill>)],
) -> EventGraph {
    let program = machine.program;
    let mut translation =
        Translation { program, machine: &machine, objects: HashMap::new(), list: Vec::new() };
    let mut graph = EventGraph {
        root: root.name.clone(),
        root_is_main: machine.root_is_main,
        root_source: Some(root.source),
        contexts: machine.graph.contexts.clone(),
        unseen: machine.graph.unfolded.iter().copied().collect(),
        per_thread_default_stream: program.per_thread_default_stream,
        unknown_streams: machine.unknown_streams,
        ..EventGraph::default()
    };
    let successors = feasible::successors(machine.graph, &drafts, &machine.decided);
    let reachable = feasible::reachable(&successors);
    let fills: Vec<&(usize, usize, Vec<Fill>)> = fills
        .iter()
        .filter(|(from, to, _)| reachable[*from] && successors[*from].contains(to))
        .collect();
    let mut number = vec![None; drafts.len()];
    let mut next = 0;
    let mut in_order: Vec<usize> = (0..drafts.len()).filter(|&b| reachable[b]).collect();
    in_order.sort_by_key(|&b| machine.loops.order[b]);
    for &block in &in_order {
        number[block] = Some(EventBlockId::new(next));
        next += 1;
    }
    let mut fill_blocks: HashMap<(usize, usize), EventBlockId> = HashMap::new();
    for (from, to, _) in &fills {
        fill_blocks.insert((*from, *to), EventBlockId::new(next));
        next += 1;
    }
    let filled: usize = fills.iter().map(|(_, _, fills)| fills.len()).sum();
    graph
        .events
        .reserve_exact(in_order.iter().map(|&block| drafts[block].len()).sum::<usize>() + filled);
    for &block in &in_order {
        let first = graph.events.len();
        for draft in std::mem::take(&mut drafts[block]) {
            translation.event(draft, &mut graph);
        }
        let successors = successors[block]
            .iter()
            .filter_map(|&to| fill_blocks.get(&(block, to)).copied().or(number[to]))
            .collect();
        push_block(&mut graph, first, successors, machine.loops.loops_of[block].clone());
    }
    for (from, to, fill) in &fills {
        let first = graph.events.len();
        for fill in fill {
            translation.fill(fill, &mut graph);
        }
        let loops: Vec<LoopId> = machine.loops.loops_of[*from]
            .iter()
            .copied()
            .filter(|id| machine.loops.contains(*id, *to))
            .collect();
        push_block(&mut graph, first, number[*to].into_iter().collect(), loops);
    }
    graph.objects = translation.list;
    let (streams, markers) = created(&machine);
    graph.streams = streams;
    graph.markers = markers;
    graph.symbols = machine.symbols.into_names();
    graph
}

fn push_block(
    graph: &mut EventGraph,
    first: usize,
    successors: Vec<EventBlockId>,
    loops: Vec<LoopId>,
) {
    graph.blocks.push(EventBlock {
        first: u32::try_from(first).unwrap_or(u32::MAX),
        count: u32::try_from(graph.events.len() - first).unwrap_or(u32::MAX),
        successors,
        loops,
    });
}

fn created(machine: &Machine<'_>) -> (Vec<Stream>, Vec<Marker>) {
    let mut streams = Vec::new();
    let mut markers = Vec::new();
    for (_, info) in machine.regions.iter() {
        match info.kind {
            RegionKind::Stream(id) => streams.push((id, info.clone())),
            RegionKind::Marker(id) => markers.push((id, info.clone())),
            RegionKind::Variable { .. }
            | RegionKind::Host { .. }
            | RegionKind::Cuda { .. }
            | RegionKind::Handle(_)
            | RegionKind::External(_)
            | RegionKind::Constant => {}
        }
    }
    streams.sort_by_key(|(id, _)| *id);
    markers.sort_by_key(|(id, _)| *id);
    (
        streams
            .into_iter()
            .map(|(_, info)| Stream {
                name: info.name,
                non_blocking: match info.bytes.as_ref().and_then(Size::as_constant) {
                    Some(0) => Some(false),
                    Some(1) => Some(true),
                    Some(_) | None => None,
                },
                several: info.several,
                given_away: info.given_away,
            })
            .collect(),
        markers
            .into_iter()
            .map(|(_, info)| Marker { name: info.name, several: info.several })
            .collect(),
    )
}

struct Translation<'m, 'p> {
    program: &'p Program,
    machine: &'m Machine<'p>,
    objects: HashMap<Region, ObjectId>,
    list: Vec<Object>,
}

impl Translation<'_, '_> {
    fn object(&mut self, region: Region) -> ObjectId {
        if let Some(&id) = self.objects.get(&region) {
            return id;
        }
        let info = self.machine.regions.info(region);
        let id = ObjectId::new(self.list.len());
        self.list.push(Object {
            kind: self.kind(info),
            bytes: info.bytes.clone(),
            name: info.name.clone(),
            named_after: info.named_after.map(|(variable, _)| variable),
            holder: info.holder.clone().map(|holder| self.settled(holder)),
            allocation: None,
            several: info.several,
        });
        self.objects.insert(region, id);
        id
    }

    /// Without the pointer through which it was written, if that changes.
    fn settled(&self, holder: Holder) -> Holder {
        let changes = |through: &Through| {
            self.machine.reassigned.contains(&(through.context, through.pointer))
        };
        Holder { through: holder.through.filter(|through| !changes(through)), ..holder }
    }

    fn kind(&self, info: &RegionInfo) -> ObjectKind {
        match info.kind {
            RegionKind::Variable { variable, .. } => {
                match self.program.variable(variable).storage {
                    Storage::Device | Storage::Managed => ObjectKind::DeviceVariable(variable),
                    Storage::Local
                    | Storage::Parameter
                    | Storage::Temporary
                    | Storage::Global
                    | Storage::InternalGlobal
                    | Storage::StaticLocal => ObjectKind::Variable(variable),
                }
            }
            RegionKind::Host { allocator, .. } => ObjectKind::HostHeap(allocator),
            RegionKind::Cuda { memory, .. } => ObjectKind::Cuda(memory),
            RegionKind::Stream(_) | RegionKind::Marker(_) | RegionKind::Handle(_) => {
                ObjectKind::Handle
            }
            RegionKind::External(_) => ObjectKind::External,
            RegionKind::Constant => ObjectKind::Constant,
        }
    }

    fn target(&mut self, pointer: &Pointer) -> Target {
        let mut objects: Vec<ObjectId> = Vec::new();
        let mut unknown = pointer.unknown;
        for (region, _) in &pointer.regions {
            match self.machine.regions.info(*region).kind {
                RegionKind::External(_) => unknown = true,
                RegionKind::Variable { .. }
                | RegionKind::Host { .. }
                | RegionKind::Cuda { .. }
                | RegionKind::Stream(_)
                | RegionKind::Marker(_)
                | RegionKind::Handle(_)
                | RegionKind::Constant => objects.push(self.object(*region)),
            }
        }
        objects.sort_unstable();
        objects.dedup();
        Target { objects, unknown }
    }

    fn range(&self, pointer: &Pointer, bytes: Option<&Size>) -> Range {
        let ([(region, Some(offset))], false, Some(bytes)) =
            (pointer.regions.as_slice(), pointer.unknown, bytes)
        else {
            return Range::Some;
        };
        let whole = self.machine.regions.info(*region).bytes.as_ref();
        if offset.as_constant() == Some(0) && whole == Some(bytes) {
            return Range::Whole;
        }
        let as_u64 = |size: &Size| size.as_constant().and_then(|v| u64::try_from(v).ok());
        match (as_u64(offset), as_u64(bytes)) {
            (Some(start), Some(length)) => match start.checked_add(length) {
                Some(end) => Range::Bytes { start, end },
                None => Range::Some,
            },
            (Some(_) | None, Some(_) | None) => Range::Some,
        }
    }

    fn access(&mut self, draft: &DraftAccess) -> Access {
        let range = self.range(&draft.pointer, draft.bytes.as_ref());
        let target = self.target(&draft.pointer);
        let single = match draft.pointer.regions.as_slice() {
            [(region, _)] => !self.machine.regions.info(*region).several,
            _ => false,
        };
        let must = draft.must && single && target.single().is_some() && range != Range::Some;
        Access { target, range, mode: draft.mode, must }
    }

    fn fill(&mut self, fill: &Fill, graph: &mut EventGraph) {
        let pointer = Pointer::to(fill.region, Some(fill.offset.clone()));
        let draft =
            DraftAccess { pointer, bytes: Some(fill.bytes.clone()), mode: Mode::Write, must: true };
        let access = self.access(&draft);
        if access.must {
            push(graph, EventKind::Host(access), fill.position);
        }
    }

    fn event(&mut self, draft: Draft, graph: &mut EventGraph) {
        let Some(position) = draft.position else { return };
        let kind = match draft.kind {
            DraftKind::Event(kind) => kind,
            DraftKind::Allocate(region) => {
                let id = self.object(region);
                self.list[id.index()].allocation = Some(EventId::new(graph.events.len()));
                EventKind::Allocate(id)
            }
            DraftKind::HostRelease { pointer, by } => EventKind::HostRelease {
                target: self.target(&pointer),
                by,
                at_start: at_start(&pointer),
            },
            DraftKind::DeviceRelease { pointer, by } => EventKind::DeviceRelease {
                target: self.target(&pointer),
                by,
                at_start: at_start(&pointer),
            },
            DraftKind::Host(access) => EventKind::Host(self.access(&access)),
            DraftKind::Work(work) => EventKind::Work(Work {
                kind: work.kind,
                name: work.name,
                stream: work.stream,
                accesses: work.accesses.iter().map(|a| self.access(a)).collect(),
                unknown: work.unknown,
                host_waits: work.host_waits,
                may_spin: work.may_spin,
            }),
            DraftKind::Copy(copy) => {
                let mut end = |pointer: &Pointer| CopyEnd {
                    range: self.range(pointer, copy.bytes.as_ref()),
                    target: self.target(pointer),
                    offset: match pointer.regions.as_slice() {
                        [(_, offset)] if !pointer.unknown => offset.clone(),
                        _ => None,
                    },
                };
                EventKind::Copy(Box::new(Copy {
                    to: end(&copy.to),
                    from: end(&copy.from),
                    kind: copy.kind,
                    bytes: copy.bytes,
                    stream: copy.stream,
                    strided: copy.strided,
                }))
            }
            DraftKind::Store { holder, value, exact } => {
                EventKind::Store { holder: self.settled(holder), value: self.target(&value), exact }
            }
            DraftKind::Observe { regions, how } => {
                EventKind::Observe { target: self.regions(&regions), how }
            }
            DraftKind::Escape { regions, how } => {
                EventKind::Escape { target: self.regions(&regions), how }
            }
            DraftKind::HostCallback { stream } => {
                EventKind::HostCallback { stream, accesses: Vec::new(), unknown: true }
            }
            DraftKind::ThreadStart { may_use_cuda } => {
                EventKind::ThreadStart { accesses: Vec::new(), unknown: true, may_use_cuda }
            }
            DraftKind::Return { value } => EventKind::Return { value: self.target(&value) },
        };
        push(graph, kind, position);
    }

    fn regions(&mut self, regions: &[Region]) -> Target {
        let mut objects: Vec<ObjectId> = regions.iter().map(|r| self.object(*r)).collect();
        objects.sort_unstable();
        objects.dedup();
        Target { objects, unknown: false }
    }
}

fn push(graph: &mut EventGraph, kind: EventKind, position: Position) {
    graph.events.push(Event {
        kind,
        at: position.at,
        context: position.context,
        source: position.source,
    });
}

/// Every region the pointer may point into, it points to the start of.
pub(crate) fn at_start(pointer: &Pointer) -> bool {
    !pointer.unknown
        && pointer.regions.iter().all(|(_, o)| o.as_ref().and_then(Size::as_constant) == Some(0))
}
