//! S2 (order) and S5 (exclusive access), and what replaces each removed copy.
//!
//! A forward analysis of the *merged* program: linking copies of accepted pairs are waits, frees follow R4. It tracks the
//! device work that may be unfinished: per piece of work the streams whose later work, or waits, certainly come after it.
//! Documented edges only: an upload waits for nothing that is provable unless it is pageable and above 64 KiB.

use imbl::{OrdMap, OrdSet};

use crate::analysis::fixpoint::{State, forward};
use crate::event::{
    Access, Copy, EventBlockId, EventGraph, EventId, EventKind, MarkerId, Mode, ObjectId,
    ObjectKind, Range, Scope, StreamId, StreamUse, Target,
};
use crate::program::{DeviceMemory, Storage};
use crate::size::Size;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Repair, Replacement, Side};

use super::{Pairs, actor, place, source};

/// A queue of device work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Queue {
    Legacy,
    PerThread,
    Created(StreamId),
    Unknown,
}

/// Work that may be unfinished.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unfinished {
    queue: Queue,
    /// Other queues whose later work comes after it.
    before: OrdSet<Queue>,
    /// All blocking queues' later work comes after it: a legacy-stream operation came in between.
    barrier: bool,
    /// It is only the tail of an upload from staged memory: device activity, but not on managed memory.
    upload_tail: bool,
}

#[derive(Clone, Default)]
struct Pending {
    work: OrdMap<EventId, Unfinished>,
    /// Work of code that is not described may be unfinished.
    unknown: bool,
    /// What was certainly submitted before each marker's last record.
    markers: OrdMap<MarkerId, OrdSet<EventId>>,
}

impl State for Pending {
    fn join(&mut self, other: &Self) -> bool {
        let mut grew = false;
        if !self.work.ptr_eq(&other.work) {
            let mut changes = Vec::new();
            for item in self.work.diff(&other.work) {
                match item {
                    imbl::ordmap::DiffItem::Add(&id, new) => changes.push((id, new.clone())),
                    imbl::ordmap::DiffItem::Update { old: (&id, old), new: (_, new) } => {
                        let queue = if old.queue == new.queue { old.queue } else { Queue::Unknown };
                        let joined = Unfinished {
                            queue,
                            before: old.before.clone().intersection(new.before.clone()),
                            barrier: old.barrier && new.barrier,
                            upload_tail: old.upload_tail && new.upload_tail,
                        };
                        if joined != *old {
                            changes.push((id, joined));
                        }
                    }
                    imbl::ordmap::DiffItem::Remove(..) => {}
                }
            }
            grew |= !changes.is_empty();
            for (id, work) in changes {
                self.work.insert(id, work);
            }
        }
        if other.unknown && !self.unknown {
            self.unknown = true;
            grew = true;
        }
        if self.markers != other.markers {
            let mut joined = OrdMap::new();
            for (marker, covered) in &self.markers {
                if let Some(also) = other.markers.get(marker) {
                    joined.insert(*marker, covered.clone().intersection(also.clone()));
                }
            }
            if joined != self.markers {
                self.markers = joined;
                grew = true;
            }
        }
        grew
    }
}

/// How a pair that is judged merged is to be rewritten.
pub(crate) struct Merged<'a> {
    /// Which pairs are merged, by index.
    pub(crate) pairs: &'a [bool],
    /// Frees that go away, by event: a wait takes their place if something may be unfinished.
    pub(crate) early_frees: &'a [(usize, EventId)],
    /// Frees that stay: preceded by a wait if something may be unfinished.
    pub(crate) last_frees: &'a [(usize, EventId)],
    /// S5 applies: the merged memory is managed, and some target device lacks concurrent managed access.
    pub(crate) exclusive: bool,
    /// Count the tails of uploads as device activity for S5.
    pub(crate) strict: bool,
}

/// Results on the merged program.
#[derive(Default)]
pub(crate) struct Findings {
    /// Objections other than exclusive access.
    pub(crate) objections: Vec<(usize, Objection)>,
    /// Exclusive access.
    pub(crate) exclusive: Vec<(usize, Objection)>,
    /// What replaces each removed copy.
    pub(crate) replacements: Vec<(EventId, Replacement)>,
    /// Retained copies of which an end is merged, with the wait they need.
    pub(crate) retained: Vec<(EventId, Replacement)>,
    /// Frees that need a wait.
    pub(crate) waits: Vec<EventId>,
}

/// Analyses the program in which the pairs of `merged` are merged.
pub(crate) fn check(graph: &EventGraph, pairs: &Pairs, merged: &Merged<'_>) -> Findings {
    let mut object_pair = vec![None; graph.objects.len()];
    for (index, pair) in pairs.list.iter().enumerate() {
        if merged.pairs[index] {
            object_pair[pair.host.index()] = Some((index, Side::Host));
            object_pair[pair.device.index()] = Some((index, Side::Device));
        }
    }
    let mut frees = vec![None; graph.events.len()];
    for &(_, event) in merged.early_frees.iter().chain(merged.last_frees) {
        frees[event.index()] = Some(());
    }
    let analysis = Analysis { graph, merged, object_pair, frees };
    let states = forward(graph, Pending::default(), |block, state| {
        analysis.block(block, state, &mut Sink::Ignore);
    });
    let mut findings = Findings::default();
    for (index, state) in states.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        analysis.block(EventBlockId::new(index), &mut state, &mut Sink::Collect(&mut findings));
    }
    findings
}

enum Sink<'f> {
    Ignore,
    Collect(&'f mut Findings),
}

impl Sink<'_> {
    fn with(&mut self, f: impl FnOnce(&mut Findings)) {
        if let Sink::Collect(findings) = self {
            f(findings);
        }
    }
}

struct Analysis<'g> {
    graph: &'g EventGraph,
    merged: &'g Merged<'g>,
    /// Per object: the merged pair it is a side of.
    object_pair: Vec<Option<(usize, Side)>>,
    frees: Vec<Option<()>>,
}

/// How a copy's end behaves for synchronization.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EndKind {
    Pageable,
    Pinned,
    Device,
    /// Managed or merged memory: no documented edge.
    Managed,
    Unknown,
}

impl Analysis<'_> {
    fn queue(&self, stream: &StreamUse) -> Queue {
        match stream {
            StreamUse::Default if self.graph.per_thread_default_stream => Queue::PerThread,
            StreamUse::Default | StreamUse::Legacy => Queue::Legacy,
            StreamUse::PerThread => Queue::PerThread,
            StreamUse::Created(id) if self.graph.streams[id.index()].several => Queue::Unknown,
            StreamUse::Created(id) => Queue::Created(*id),
            StreamUse::Unknown => Queue::Unknown,
        }
    }

    /// Whether the queue takes part in legacy-stream barriers, for certain.
    fn blocking(&self, queue: Queue) -> bool {
        match queue {
            Queue::Legacy | Queue::PerThread => true,
            Queue::Created(id) => self.graph.streams[id.index()].non_blocking == Some(false),
            Queue::Unknown => false,
        }
    }

    /// Whether later work in `queue`, or a wait for it, certainly comes after `work`.
    fn ordered(&self, work: &Unfinished, queue: Queue) -> bool {
        if queue == Queue::Unknown || work.queue == Queue::Unknown {
            return work.before.contains(&queue) && queue != Queue::Unknown;
        }
        work.queue == queue
            || work.before.contains(&queue)
            || (queue == Queue::Legacy && self.blocking(work.queue))
            || (work.queue == Queue::Legacy && self.blocking(queue))
            || (work.barrier && self.blocking(queue))
    }

    /// Whether a wait for `queue`, or a marker recorded there now, certainly covers `work`. Weaker than [`Self::ordered`]:
    /// legacy-stream work comes before *later* work of a blocking stream, but that stream's wait does not wait for it.
    fn covered(&self, work: &Unfinished, queue: Queue) -> bool {
        if queue == Queue::Unknown || work.queue == Queue::Unknown {
            return queue != Queue::Unknown && work.before.contains(&queue);
        }
        work.queue == queue
            || work.before.contains(&queue)
            || (queue == Queue::Legacy && self.blocking(work.queue))
    }

    fn block(&self, block: EventBlockId, state: &mut Pending, sink: &mut Sink<'_>) {
        for (id, event) in self.graph.events_of(block) {
            match &event.kind {
                EventKind::Host(access) => self.host_access(state, id, access, sink),
                EventKind::Work(work) => {
                    let queue = self.queue(&work.stream);
                    self.submit(state, id, queue, &work.accesses, false, sink);
                    if work.unknown && self.touches_unknown_stream(&work.accesses, queue) {
                        // Reported by `submit`.
                    }
                    if work.host_waits {
                        self.wait_queue(state, queue);
                    }
                }
                EventKind::Copy(copy) => self.copy(state, id, copy, sink),
                EventKind::Synchronize(scope) => self.synchronize(state, scope),
                EventKind::Record { marker, stream } => {
                    let queue = self.queue(stream);
                    match marker {
                        Some(marker) if !self.graph.markers[marker.index()].several => {
                            let covered: OrdSet<EventId> = state
                                .work
                                .iter()
                                .filter(|(_, w)| self.covered(w, queue))
                                .map(|(id, _)| *id)
                                .collect();
                            state.markers.insert(*marker, covered);
                        }
                        Some(marker) => {
                            state.markers.remove(marker);
                        }
                        None => state.markers.clear(),
                    }
                }
                EventKind::StreamWait { stream, marker } => {
                    let queue = self.queue(stream);
                    let covered =
                        marker.and_then(|m| state.markers.get(&m)).cloned().unwrap_or_default();
                    if queue != Queue::Unknown {
                        for id in covered {
                            if let Some(work) = state.work.get(&id) {
                                let mut work = work.clone();
                                work.before.insert(queue);
                                state.work.insert(id, work);
                            }
                        }
                    }
                }
                EventKind::HostRelease { .. } | EventKind::DeviceRelease { .. } => {
                    if self.frees[id.index()].is_some() {
                        self.merged_free(state, id, sink);
                    }
                }
                EventKind::UnknownCode { may_use_cuda: true, .. } | EventKind::Opaque { .. } => {
                    state.unknown = true;
                    state.markers.clear();
                }
                EventKind::HostCallback { .. } => state.unknown = true,
                EventKind::DeviceReset => {
                    state.work.clear();
                    state.unknown = false;
                }
                EventKind::Allocate(_)
                | EventKind::Store { .. }
                | EventKind::Observe { .. }
                | EventKind::Escape { .. }
                | EventKind::SetDevice
                | EventKind::SetDeviceFlags
                | EventKind::ProcessControl { .. }
                | EventKind::Capture { .. }
                | EventKind::ReadClock
                | EventKind::ThreadStart { .. }
                | EventKind::ThreadJoin
                | EventKind::UnknownCode { may_use_cuda: false, .. }
                | EventKind::Return { .. }
                | EventKind::Exit => {}
            }
        }
    }

    fn touches_unknown_stream(&self, accesses: &[Access], queue: Queue) -> bool {
        queue == Queue::Unknown
            && accesses
                .iter()
                .any(|a| a.target.objects.iter().any(|o| self.object_pair[o.index()].is_some()))
    }

    fn synchronize(&self, state: &mut Pending, scope: &Scope) {
        match scope {
            Scope::Device => {
                state.work.clear();
                state.unknown = false;
            }
            Scope::Stream(stream) => self.wait_queue(state, self.queue(stream)),
            Scope::Marker(marker) => {
                if let Some(covered) = marker.and_then(|m| state.markers.get(&m)).cloned() {
                    for id in covered {
                        state.work.remove(&id);
                    }
                }
            }
        }
    }

    /// The host waits for everything that is ordered before later work in `queue`.
    fn wait_queue(&self, state: &mut Pending, queue: Queue) {
        let done: Vec<EventId> =
            state.work.iter().filter(|(_, w)| self.covered(w, queue)).map(|(id, _)| *id).collect();
        for id in done {
            state.work.remove(&id);
        }
    }

    /// Whether work may be unfinished that a wait for `queue` waits for.
    fn busy(&self, state: &Pending, queue: Queue) -> bool {
        state.unknown
            || queue == Queue::Unknown
            || state.work.values().any(|work| {
                // The wait's scope is at least what is certainly ordered; streams of unknown kind may be in it too.
                self.ordered(work, queue)
                    || work.queue == Queue::Unknown
                    || (queue == Queue::Legacy && self.may_block(work.queue))
            })
    }

    fn may_block(&self, queue: Queue) -> bool {
        match queue {
            Queue::Legacy | Queue::PerThread | Queue::Unknown => true,
            Queue::Created(id) => self.graph.streams[id.index()].non_blocking != Some(true),
        }
    }

    /// A piece of device work is submitted.
    fn submit(
        &self,
        state: &mut Pending,
        id: EventId,
        queue: Queue,
        accesses: &[Access],
        upload_tail: bool,
        sink: &mut Sink<'_>,
    ) {
        for access in accesses {
            for &object in &access.target.objects {
                let Some((pair, side)) = self.object_pair[object.index()] else { continue };
                if queue == Queue::Unknown {
                    sink.with(|f| {
                        let role = PlaceRole::Busy { by: actor(self.graph, id) };
                        f.objections
                            .push((pair, self.objection(Reason::UnknownStream, id, role, false)));
                    });
                }
                for (&other, work) in &state.work {
                    if other != id && !self.ordered(work, queue) {
                        self.conflict(id, pair, side, access.mode, other, true, sink);
                    }
                }
            }
        }
        // What is ordered before this work stays ordered before whatever comes after it.
        if queue == Queue::Legacy {
            let earlier: Vec<EventId> = state
                .work
                .iter()
                .filter(|(_, w)| !w.barrier && self.ordered(w, Queue::Legacy))
                .map(|(id, _)| *id)
                .collect();
            for earlier in earlier {
                if let Some(work) = state.work.get(&earlier) {
                    let mut work = work.clone();
                    work.barrier = true;
                    state.work.insert(earlier, work);
                }
            }
        }
        let markers: Vec<MarkerId> = state
            .markers
            .iter()
            .filter(|(_, covered)| covered.contains(&id))
            .map(|(m, _)| *m)
            .collect();
        for marker in markers {
            if let Some(covered) = state.markers.get(&marker) {
                let mut covered = covered.clone();
                covered.remove(&id);
                state.markers.insert(marker, covered);
            }
        }
        let queue = match state.work.get(&id) {
            Some(earlier) if earlier.queue != queue => Queue::Unknown,
            Some(_) | None => queue,
        };
        state
            .work
            .insert(id, Unfinished { queue, before: OrdSet::new(), barrier: false, upload_tail });
    }

    /// `id` accesses `side` of `pair` while `other` may be unfinished: a conflict if they touch the two sides, or the
    /// same side unordered (then the original was racy), and one writes.
    #[allow(clippy::too_many_arguments, reason = "the two accesses of a conflict")]
    fn conflict(
        &self,
        id: EventId,
        pair: usize,
        side: Side,
        mode: Mode,
        other: EventId,
        between_streams: bool,
        sink: &mut Sink<'_>,
    ) {
        for (object, other_mode) in self.work_accesses(other) {
            let Some((other_pair, other_side)) = self.object_pair[object.index()] else { continue };
            if other_pair != pair || (mode == Mode::Read && other_mode == Mode::Read) {
                continue;
            }
            sink.with(|f| {
                let reason = if other_side == side {
                    Reason::RacyOriginal
                } else {
                    Reason::Unordered { between_streams }
                };
                let role = match mode {
                    Mode::Read => PlaceRole::Read { side, by: actor(self.graph, id) },
                    Mode::Write | Mode::ReadWrite => {
                        PlaceRole::Write { side, by: actor(self.graph, id) }
                    }
                };
                let mut objection = self.objection(reason, id, role, true);
                objection.places.push(place(
                    self.graph,
                    other,
                    PlaceRole::Busy { by: actor(self.graph, other) },
                ));
                if !between_streams {
                    objection.repair = Some(Repair::SynchronizeBefore(source(self.graph, id)));
                }
                f.objections.push((pair, objection));
            });
            return;
        }
    }

    fn objection(&self, reason: Reason, at: EventId, role: PlaceRole, certain: bool) -> Objection {
        Objection {
            condition: Condition::Order,
            reason,
            certain,
            places: vec![place(self.graph, at, role)],
            repair: None,
        }
    }

    /// Objects that the device work `id` accesses.
    fn work_accesses(&self, id: EventId) -> Vec<(ObjectId, Mode)> {
        let of = |target: &Target, mode: Mode| {
            target.objects.iter().map(move |&o| (o, mode)).collect::<Vec<_>>()
        };
        let kind = &self.graph.events[id.index()].kind;
        if let EventKind::Work(work) = kind {
            work.accesses.iter().flat_map(|a| of(&a.target, a.mode)).collect()
        } else if let EventKind::Copy(copy) = kind {
            let mut all = of(&copy.from.target, Mode::Read);
            all.extend(of(&copy.to.target, Mode::Write));
            all
        } else {
            Vec::new()
        }
    }

    fn host_access(&self, state: &Pending, id: EventId, access: &Access, sink: &mut Sink<'_>) {
        for &object in &access.target.objects {
            let Some((pair, side)) = self.object_pair[object.index()] else { continue };
            for &other in state.work.keys() {
                self.conflict(id, pair, side, access.mode, other, false, sink);
            }
            if self.merged.exclusive {
                self.exclusive(state, id, pair, side, access.mode, sink);
            }
        }
    }

    /// S5: while anything may run on the device, the host may touch no managed memory.
    fn exclusive(
        &self,
        state: &Pending,
        id: EventId,
        pair: usize,
        side: Side,
        mode: Mode,
        sink: &mut Sink<'_>,
    ) {
        let busy = state
            .work
            .iter()
            .find(|(other, work)| {
                !work.upload_tail
                    || self.merged.strict
                    || self.work_accesses(**other).iter().any(|(o, _)| self.is_managed(*o))
            })
            .map(|(id, _)| *id);
        if busy.is_none() && !state.unknown {
            return;
        }
        sink.with(|f| {
            let role = match mode {
                Mode::Read => PlaceRole::Read { side, by: String::new() },
                Mode::Write | Mode::ReadWrite => PlaceRole::Write { side, by: String::new() },
            };
            let mut objection =
                self.objection(Reason::HostAccessWhileBusy, id, role, busy.is_some());
            objection.condition = Condition::ExclusiveAccess;
            if let Some(busy) = busy {
                objection.places.push(place(
                    self.graph,
                    busy,
                    PlaceRole::Busy { by: actor(self.graph, busy) },
                ));
            }
            objection.repair = Some(Repair::SynchronizeBefore(source(self.graph, id)));
            f.exclusive.push((pair, objection));
        });
    }

    fn is_managed(&self, object: ObjectId) -> bool {
        self.object_pair[object.index()].is_some()
            || matches!(self.graph.object(object).kind, ObjectKind::Cuda(DeviceMemory::Managed))
            || self.is_managed_variable(object)
    }

    fn is_managed_variable(&self, object: ObjectId) -> bool {
        let _ = Storage::Managed;
        matches!(self.graph.object(object).kind, ObjectKind::DeviceVariable(_))
    }

    fn end_kind(&self, target: &Target) -> EndKind {
        let Some(object) = target.single() else { return EndKind::Unknown };
        if self.object_pair[object.index()].is_some() {
            return EndKind::Managed;
        }
        match &self.graph.object(object).kind {
            ObjectKind::HostHeap(_) | ObjectKind::Variable(_) | ObjectKind::Constant => {
                EndKind::Pageable
            }
            ObjectKind::Cuda(DeviceMemory::Pinned | DeviceMemory::Mapped) => EndKind::Pinned,
            ObjectKind::Cuda(
                DeviceMemory::Device
                | DeviceMemory::Pitched
                | DeviceMemory::StreamOrdered
                | DeviceMemory::Array,
            ) => EndKind::Device,
            ObjectKind::Cuda(DeviceMemory::Managed) | ObjectKind::DeviceVariable(_) => {
                EndKind::Managed
            }
            ObjectKind::Handle | ObjectKind::External => EndKind::Unknown,
        }
    }

    fn copy(&self, state: &mut Pending, id: EventId, copy: &Copy, sink: &mut Sink<'_>) {
        let queue = self.queue(copy.stream.as_ref().unwrap_or(&StreamUse::Default));
        let merged_ends =
            |target: &Target| target.single().and_then(|o| self.object_pair[o.index()]);
        if let (Some((to, to_side)), Some((from, from_side))) =
            (merged_ends(&copy.to.target), merged_ends(&copy.from.target))
            && to == from
            && to_side != from_side
        {
            // R3: the linking copy goes away; what replaces it waits as the copy did.
            self.remove(state, id, to, copy, queue, sink);
            return;
        }
        let touches_merged = [&copy.to.target, &copy.from.target]
            .iter()
            .any(|t| t.objects.iter().any(|o| self.object_pair[o.index()].is_some()));
        let (to, from) = (self.end_kind(&copy.to.target), self.end_kind(&copy.from.target));
        let accesses = [
            Access {
                target: copy.from.target.clone(),
                range: Range::Some,
                mode: Mode::Read,
                must: false,
            },
            Access {
                target: copy.to.target.clone(),
                range: Range::Some,
                mode: Mode::Write,
                must: false,
            },
        ];
        let host = |kind: EndKind| matches!(kind, EndKind::Pageable | EndKind::Pinned);
        if host(to) && host(from) && !touches_merged {
            for access in &accesses {
                self.host_access(state, id, access, sink);
            }
            return;
        }
        self.submit(state, id, queue, &accesses, false, sink);
        let original_host_end = |target: &Target| {
            target.objects.iter().any(|o| match &self.graph.object(*o).kind {
                ObjectKind::HostHeap(_) | ObjectKind::Variable(_) | ObjectKind::Constant => true,
                ObjectKind::Cuda(DeviceMemory::Pinned | DeviceMemory::Mapped) => {
                    copy.stream.is_none()
                }
                ObjectKind::Cuda(_)
                | ObjectKind::DeviceVariable(_)
                | ObjectKind::Handle
                | ObjectKind::External => false,
            }) || target.unknown
        };
        if touches_merged {
            // the copy changes its class; a wait keeps what it ordered.
            let waits = original_host_end(&copy.to.target) || original_host_end(&copy.from.target);
            let wait = match (waits, &copy.stream) {
                (false, _) => Replacement::Nothing,
                (true, None) => Replacement::DefaultStream,
                (true, Some(_)) => Replacement::SameStream,
            };
            sink.with(|f| f.retained.push((id, wait.clone())));
            if wait != Replacement::Nothing {
                self.wait_queue(state, queue);
                if queue != Queue::Unknown {
                    state.work.remove(&id);
                }
            }
            return;
        }
        if copy.stream.is_some() {
            return;
        }
        // Documented edges of the synchronous forms.
        match (to, from) {
            (EndKind::Pageable | EndKind::Pinned, EndKind::Device)
            | (EndKind::Device, EndKind::Pinned) => self.wait_queue(state, queue),
            (EndKind::Device, EndKind::Pageable) => {
                let large =
                    copy.bytes.as_ref().and_then(Size::as_constant).is_some_and(|b| b > 65_536);
                let own = state.work.remove(&id);
                if large {
                    self.wait_queue(state, queue);
                }
                if let Some(own) = own {
                    state.work.insert(id, Unfinished { upload_tail: true, ..own });
                }
            }
            (
                EndKind::Device
                | EndKind::Managed
                | EndKind::Unknown
                | EndKind::Pageable
                | EndKind::Pinned,
                EndKind::Device
                | EndKind::Managed
                | EndKind::Unknown
                | EndKind::Pageable
                | EndKind::Pinned,
            ) => {}
        }
    }

    /// A linking copy of a merged pair (table of DESIGN section 4; the host side is pageable).
    fn remove(
        &self,
        state: &mut Pending,
        id: EventId,
        pair: usize,
        copy: &Copy,
        queue: Queue,
        sink: &mut Sink<'_>,
    ) {
        if queue == Queue::Unknown && copy.stream == Some(StreamUse::Unknown) {
            sink.with(|f| {
                f.objections.push((
                    pair,
                    self.objection(Reason::UnknownStream, id, PlaceRole::Link, false),
                ));
            });
        }
        let replacement = if self.busy(state, queue) {
            if copy.stream.is_none() { Replacement::DefaultStream } else { Replacement::SameStream }
        } else {
            Replacement::Nothing
        };
        sink.with(|f| f.replacements.push((id, replacement)));
        self.wait_queue(state, queue);
    }

    /// R4: a wait takes the place of a deleted free and stands before the surviving one, unless nothing is unfinished.
    fn merged_free(&self, state: &mut Pending, id: EventId, sink: &mut Sink<'_>) {
        if state.work.is_empty() && !state.unknown {
            return;
        }
        sink.with(|f| {
            f.waits.push(id);
            let spinning = state.work.keys().copied().find(|other| {
                matches!(&self.graph.events[other.index()].kind, EventKind::Work(work) if work.may_spin)
            });
            if let Some(spinning) = spinning {
                for &(pair, free) in self.merged.early_frees.iter().chain(self.merged.last_frees) {
                    if free == id {
                        let role = PlaceRole::Free(Side::Device);
                        let mut objection = self.objection(Reason::ReplacementImpossible, id, role, false);
                        let by = actor(self.graph, spinning);
                        objection.places.push(place(self.graph, spinning, PlaceRole::Busy { by }));
                        f.objections.push((pair, objection));
                    }
                }
            }
        });
        state.work.clear();
        state.unknown = false;
    }
}
