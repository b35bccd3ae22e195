//! S2 (order), S5 (exclusive access) and what replaces each removed copy.
//!
//! One forward analysis, run on two programs. On the *original* it looks for races of the original itself between
//! accesses to one side of a pair: a racy original proves nothing. On the *merged* program linking copies of
//! accepted pairs are waits and frees follow R4; there an access through one side must be ordered with every unfinished
//! access through the other. See [`crate::analysis`] for what "unfinished" and "ordered" mean.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::analysis::fixpoint::{State, forward};
use crate::analysis::pending::{Class, Classes, Pending};
use crate::analysis::queues::{Queue, Queues};
use crate::event::{
    Access, Copy, EventBlockId, EventGraph, EventId, EventKind, Mode, ObjectId, ObjectKind, Scope,
    StreamUse, Target,
};
use crate::mutation::is_on;
use crate::program::{DeviceMemory, HostAllocator};
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Repair, Replacement, Side};

use super::exclusive;
use super::transfer::{Edges, edges, wait_of};
use super::{Pairs, actor, place, source};

/// Which program is analysed.
pub(crate) enum View<'a> {
    /// As written.
    Original,
    /// With these pairs merged.
    Merged(Merged<'a>),
}

/// How accepted pairs are rewritten.
pub(crate) struct Merged<'a> {
    /// Which pairs are merged, by index.
    pub(crate) pairs: &'a [bool],
    /// Frees of merged buffers (R4), each with its pair: a wait precedes or replaces each unless nothing is unfinished.
    pub(crate) frees: BTreeMap<EventId, usize>,
    /// Some device of the target lacks concurrent managed access.
    pub(crate) exclusive: bool,
}

/// Results.
#[derive(Default)]
pub(crate) struct Findings {
    /// Objections other than exclusive access.
    pub(crate) objections: Vec<(usize, Objection)>,
    /// Exclusive access.
    pub(crate) exclusive: Vec<(usize, Objection)>,
    /// What replaces each removed copy.
    pub(crate) replacements: BTreeMap<EventId, Replacement>,
    /// Retained copies with a merged end: the pair, and the wait they need.
    pub(crate) retained: BTreeMap<EventId, (usize, Replacement)>,
    /// Frees that need a wait.
    pub(crate) waits: BTreeSet<EventId>,
}

/// Analyses one view of the program.
pub(crate) fn check(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
    view: &View<'_>,
) -> Findings {
    let mut slots = vec![None; graph.objects.len()];
    for (index, pair) in pairs.list.iter().enumerate() {
        match view {
            View::Original => {
                slots[pair.host.index()] = Some((pair.host.index(), Side::Host));
                slots[pair.device.index()] = Some((pair.device.index(), Side::Device));
            }
            View::Merged(merged) if merged.pairs[index] => {
                slots[pair.host.index()] = Some((index, Side::Host));
                slots[pair.device.index()] = Some((index, Side::Device));
            }
            View::Merged(_) => {}
        }
    }
    let queues = Queues::new(graph);
    let classes = Classes::new(graph, &queues, |access| {
        access.target.objects.iter().any(|o| slots[o.index()].is_some())
    });
    let analysis = Analysis { graph, pairs, options, view, slots, queues, classes };
    let entry = Running {
        pending: if graph.root_is_main { Pending::default() } else { Pending::of_caller() },
        ..Running::default()
    };
    let states = forward(graph, entry, |block, state| analysis.block(block, state, &mut None));
    let mut reports = Reports::default();
    for (index, state) in states.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        analysis.block(EventBlockId::new(index), &mut state, &mut Some(&mut reports));
    }
    reports.findings
}

/// An access of device work to a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    class: Class,
    device: bool,
    writes: bool,
    by: EventId,
}

/// The state: what is unfinished, and which buffers it touches.
#[derive(Clone, Default)]
struct Running {
    pending: Pending,
    /// Per buffer, ascending. Touches of finished work may remain: they are looked up in `pending`.
    touches: OrdMap<usize, Rc<[Touch]>>,
    /// Per merged buffer: work that was unfinished when it was allocated.
    born_busy: OrdMap<usize, Class>,
    /// A stream capture may be going on.
    capturing: bool,
}

impl State for Running {
    fn join(&mut self, other: &Self) -> bool {
        let mut grew = self.pending.join(&other.pending);
        if !self.touches.ptr_eq(&other.touches) {
            let mut changes: Vec<(usize, Rc<[Touch]>)> = Vec::new();
            for item in self.touches.diff(&other.touches) {
                match item {
                    DiffItem::Add(&slot, new) => changes.push((slot, new.clone())),
                    DiffItem::Update { old: (&slot, old), new: (_, new) } => {
                        let joined = union(old, new);
                        if joined.len() != old.len() {
                            changes.push((slot, joined.into()));
                        }
                    }
                    DiffItem::Remove(..) => {}
                }
            }
            grew |= !changes.is_empty();
            for (slot, touches) in changes {
                self.touches.insert(slot, touches);
            }
        }
        if !self.born_busy.ptr_eq(&other.born_busy) {
            let new: Vec<(usize, Class)> = other
                .born_busy
                .iter()
                .filter(|&(slot, _)| !self.born_busy.contains_key(slot))
                .map(|(&slot, &class)| (slot, class))
                .collect();
            grew |= !new.is_empty();
            for (slot, class) in new {
                self.born_busy.insert(slot, class);
            }
        }
        grew |= other.capturing && !self.capturing;
        self.capturing |= other.capturing;
        grew
    }
}

fn union(left: &[Touch], right: &[Touch]) -> Vec<Touch> {
    let mut all: Vec<Touch> = left.iter().chain(right).copied().collect();
    all.sort_unstable();
    all.dedup_by_key(|touch| (touch.class, touch.device, touch.writes));
    all
}

/// Collects at most one objection of each sort per pair.
#[derive(Default)]
struct Reports {
    findings: Findings,
    seen: BTreeSet<(usize, u8)>,
}

impl Reports {
    fn object(&mut self, pair: usize, sort: u8, objection: impl FnOnce() -> Objection) {
        if self.seen.insert((pair, sort)) {
            self.findings.objections.push((pair, objection()));
        }
    }
}

type Sink<'s, 'r> = &'s mut Option<&'r mut Reports>;

struct Analysis<'g> {
    graph: &'g EventGraph,
    pairs: &'g Pairs,
    options: &'g Options,
    view: &'g View<'g>,
    /// Per object: the buffer it is in the analysed program, and through which side its name accesses it.
    slots: Vec<Option<(usize, Side)>>,
    queues: Queues,
    classes: Classes,
}

impl Analysis<'_> {
    fn block(&self, block: EventBlockId, state: &mut Running, sink: Sink<'_, '_>) {
        for (id, event) in self.graph.events_of(block) {
            match &event.kind {
                EventKind::Host(access) => {
                    self.host(state, id, &access.target, access.mode, sink);
                }
                EventKind::Allocate(object) => self.allocate(state, id, *object, sink),
                EventKind::Work(work) => {
                    let queue = self.queues.queue(&work.stream);
                    self.submit(state, id, queue, &targets(&work.accesses), sink);
                    if work.host_waits {
                        state.pending.wait(&self.queues, queue);
                    }
                }
                EventKind::HostCallback { stream, accesses, .. } => {
                    let queue = self.queues.queue(stream);
                    self.submit(state, id, queue, &targets(accesses), sink);
                }
                EventKind::Copy(copy) => self.copy(state, id, copy, sink),
                EventKind::Synchronize(scope) => match scope {
                    Scope::Device => state.pending.wait_for_all(),
                    Scope::Stream(stream) => {
                        state.pending.wait(&self.queues, self.queues.queue(stream));
                    }
                    Scope::Marker(marker) => {
                        if let Some(marker) = self.queues.marker(*marker) {
                            state.pending.wait_for_marker(marker);
                        }
                    }
                },
                EventKind::Record { marker, stream } => {
                    let marker = self.queues.marker(*marker);
                    let queue = self.queues.queue(stream);
                    state.pending.update(|o| self.queues.recorded(o, marker, queue));
                }
                EventKind::StreamWait { stream, marker } => {
                    if let Some(marker) = self.queues.marker(*marker) {
                        let queue = self.queues.queue(stream);
                        state.pending.update(|o| self.queues.waited(o, marker, queue));
                    }
                }
                EventKind::HostRelease { target, .. } | EventKind::DeviceRelease { target, .. } => {
                    self.release(state, id, target, sink);
                }
                EventKind::UnknownCode { may_use_cuda: true, .. } | EventKind::Opaque { .. } => {
                    state.pending.add_undescribed(&self.queues, id);
                }
                EventKind::ThreadStart { .. } => state.pending.add_thread(id),
                EventKind::ThreadJoin => state.pending.join_threads(),
                EventKind::DeviceReset => state.pending.wait_for_all(),
                EventKind::Capture { begins } => state.capturing = *begins,
                EventKind::Store { .. }
                | EventKind::Observe { .. }
                | EventKind::Escape { .. }
                | EventKind::SetDevice
                | EventKind::SetDeviceFlags
                | EventKind::ProcessControl { .. }
                | EventKind::ReadClock { .. }
                | EventKind::UnknownCode { may_use_cuda: false, .. }
                | EventKind::Return { .. }
                | EventKind::Exit => {}
            }
        }
    }

    /// The host accesses memory.
    fn host(&self, state: &Running, id: EventId, target: &Target, mode: Mode, sink: Sink<'_, '_>) {
        let Some(reports) = sink else { return };
        for &object in &target.objects {
            let Some((slot, side)) = self.slots[object.index()] else { continue };
            if is_on(self.options, "host-against-device") {
                let touches = state.touches.get(&slot).map_or(&[][..], |t| t);
                let unfinished = |touch: &Touch| state.pending.is_pending(touch.class);
                self.conflicts(id, object, side, mode, touches, false, unfinished, reports);
            }
            if let View::Merged(merged) = self.view
                && merged.exclusive
            {
                self.exclusive(state, id, slot, side, mode, reports);
            }
        }
    }

    fn exclusive(
        &self,
        state: &Running,
        id: EventId,
        slot: usize,
        side: Side,
        mode: Mode,
        reports: &mut Reports,
    ) {
        if !is_on(self.options, "exclusive-access") {
            return;
        }
        let busy = exclusive::busy(&state.pending, |class| self.is_activity(class));
        let Some(busy) = busy else { return };
        if reports.seen.insert((slot, 9)) {
            let born = state.born_busy.get(&slot).filter(|&&c| state.pending.is_pending(c));
            let found = exclusive::objection(
                self.graph,
                &self.classes,
                id,
                side,
                mode,
                &busy,
                born.copied(),
            );
            reports.findings.exclusive.push((slot, found));
        }
    }

    /// Whether work of `class` is activity for S5. The tail of an upload between memory that is not managed is not
    /// (notes/semantics.md section 12, item 2), unless the literal reading is asked for.
    fn is_activity(&self, class: Class) -> bool {
        let EventKind::Copy(copy) = &self.graph.events[self.classes.event(class).index()].kind
        else {
            return true;
        };
        if self.options.strict_exclusive_access || self.touches_slot(copy) {
            return true;
        }
        let managed = |target: &Target| {
            target.unknown
                || target.objects.iter().any(|&object| {
                    matches!(
                        self.graph.object(object).kind,
                        ObjectKind::Cuda(DeviceMemory::Managed) | ObjectKind::DeviceVariable(_)
                    )
                })
        };
        !matches!(edges(self.graph, copy), Edges::Staged { .. })
            || managed(&copy.to.target)
            || managed(&copy.from.target)
    }

    fn touches_slot(&self, copy: &Copy) -> bool {
        let of = |target: &Target| target.objects.iter().any(|o| self.slots[o.index()].is_some());
        of(&copy.to.target) || of(&copy.from.target)
    }

    /// Work is submitted to `queue`.
    fn submit(
        &self,
        state: &mut Running,
        id: EventId,
        queue: Queue,
        accesses: &[(&Target, Mode)],
        sink: Sink<'_, '_>,
    ) {
        let Some(class) = self.classes.of(id) else { return };
        for &(target, mode) in accesses {
            for &object in &target.objects {
                let Some((slot, side)) = self.slots[object.index()] else { continue };
                let earlier = state.touches.get(&slot).cloned().unwrap_or_default();
                if let Some(reports) = sink {
                    self.suspicious(state, id, object, queue, reports);
                    if is_on(self.options, "device-against-device") {
                        let unordered = |touch: &Touch| {
                            touch.by != id
                                && state.pending.is_unordered(&self.queues, touch.class, queue)
                        };
                        self.conflicts(id, object, side, mode, &earlier, true, unordered, reports);
                    }
                }
                let mut touches: Vec<Touch> = earlier
                    .iter()
                    .filter(|touch| touch.by == id || state.pending.is_pending(touch.class))
                    .copied()
                    .collect();
                let device = side == Side::Device;
                touches.push(Touch { class, device, writes: mode != Mode::Read, by: id });
                if mode == Mode::ReadWrite {
                    touches.push(Touch { class, device, writes: false, by: id });
                }
                state.touches.insert(slot, union(&touches, &[]).into());
            }
        }
        state.pending.submit(&self.queues, class, queue);
    }

    /// Work on a candidate in a stream that is not known, or inside a capture.
    fn suspicious(
        &self,
        state: &Running,
        id: EventId,
        object: ObjectId,
        queue: Queue,
        reports: &mut Reports,
    ) {
        for &(pair, _) in self.pairs.of(object) {
            if queue == Queue::Unknown && is_on(self.options, "unknown-stream") {
                reports.object(pair, 0, || {
                    let role = PlaceRole::Busy { by: actor(self.graph, id) };
                    self.objection(Reason::UnknownStream, id, role, false)
                });
            }
            if state.capturing && is_on(self.options, "captured") {
                reports.object(pair, 1, || {
                    let role = PlaceRole::Busy { by: actor(self.graph, id) };
                    self.objection(Reason::Captured, id, role, true)
                });
            }
        }
    }

    /// `id` accesses `object`, a name of `side`: objects to each earlier touch of the same buffer that `unordered`
    /// holds for, if one of the two writes.
    #[allow(clippy::too_many_arguments, reason = "the two accesses of a conflict")]
    fn conflicts(
        &self,
        id: EventId,
        object: ObjectId,
        side: Side,
        mode: Mode,
        touches: &[Touch],
        between_streams: bool,
        unordered: impl Fn(&Touch) -> bool,
        reports: &mut Reports,
    ) {
        for touch in touches {
            if (mode == Mode::Read && !touch.writes) || !unordered(touch) {
                continue;
            }
            let same_side = touch.device == (side == Side::Device);
            let (sort, reason) = match (same_side, between_streams) {
                (true, _) => (2, Reason::RacyOriginal),
                (false, false) => (3, Reason::Unordered { between_streams }),
                (false, true) => (4, Reason::Unordered { between_streams }),
            };
            if same_side && !is_on(self.options, "racy-original") {
                continue;
            }
            for &(pair, _) in self.pairs.of(object) {
                if let View::Merged(merged) = self.view
                    && !merged.pairs[pair]
                {
                    continue;
                }
                reports.object(pair, sort, || {
                    let by = actor(self.graph, id);
                    let role = match mode {
                        Mode::Read => PlaceRole::Read { side, by },
                        Mode::Write | Mode::ReadWrite => PlaceRole::Write { side, by },
                    };
                    let mut objection = self.objection(reason.clone(), id, role, true);
                    let by = actor(self.graph, touch.by);
                    objection.places.push(place(self.graph, touch.by, PlaceRole::Busy { by }));
                    objection.repair = Some(Repair::SynchronizeBefore(source(self.graph, id)));
                    objection
                });
            }
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

    fn allocate(&self, state: &mut Running, id: EventId, object: ObjectId, sink: Sink<'_, '_>) {
        let Some((slot, _)) = self.slots[object.index()] else { return };
        if matches!(self.view, View::Original) {
            return;
        }
        match state.pending.classes().find(|&class| self.is_activity(class)) {
            Some(class) => {
                state.born_busy.insert(slot, class);
            }
            None => {
                state.born_busy.remove(&slot);
            }
        }
        // A zero-filling allocation stays a host write at its place.
        if let ObjectKind::HostHeap(HostAllocator::Calloc | HostAllocator::NewArrayZeroed) =
            self.graph.object(object).kind
        {
            let target = Target { objects: vec![object], unknown: false };
            self.host(state, id, &target, Mode::Write, sink);
        }
    }

    fn release(&self, state: &mut Running, id: EventId, target: &Target, sink: Sink<'_, '_>) {
        let merged = match self.view {
            View::Original => {
                // Whatever still uses the memory loses it: as bad as a write.
                if let EventKind::HostRelease { .. } = &self.graph.events[id.index()].kind {
                    self.host(state, id, target, Mode::Write, sink);
                }
                return;
            }
            View::Merged(merged) => merged,
        };
        let Some(&pair) = merged.frees.get(&id) else { return };
        if state.pending.is_idle() {
            return;
        }
        if let Some(reports) = sink {
            reports.findings.waits.insert(id);
            if state.capturing && is_on(self.options, "captured") {
                reports.object(pair, 1, || {
                    self.objection(Reason::Captured, id, PlaceRole::Free(Side::Device), true)
                });
            }
            let spinning =
                state.pending.classes().map(|class| self.classes.event(class)).find(|other| {
                    matches!(&self.graph.events[other.index()].kind, EventKind::Work(work) if work.may_spin)
                });
            if let Some(spinning) = spinning {
                reports.object(pair, 5, || {
                    let role = PlaceRole::Free(Side::Device);
                    let mut objection =
                        self.objection(Reason::ReplacementImpossible, id, role, false);
                    let by = actor(self.graph, spinning);
                    objection.places.push(place(self.graph, spinning, PlaceRole::Busy { by }));
                    objection
                });
            }
        }
        if is_on(self.options, "free-wait") {
            state.pending.wait_for_all();
        }
    }

    fn copy(&self, state: &mut Running, id: EventId, copy: &Copy, sink: Sink<'_, '_>) {
        let queue = self.queues.queue(copy.stream.as_ref().unwrap_or(&StreamUse::Default));
        let read = (&copy.from.target, Mode::Read);
        let write = (&copy.to.target, Mode::Write);
        if let View::Merged(_) = self.view {
            let merged =
                |target: &Target| target.single().and_then(|object| self.slots[object.index()]);
            if let (Some((to, _)), Some((from, _))) =
                (merged(&copy.to.target), merged(&copy.from.target))
                && to == from
            {
                self.remove(state, id, to, copy, queue, sink);
                return;
            }
            if self.touches_slot(copy) {
                self.submit(state, id, queue, &[read, write], sink);
                self.retain(state, id, copy, queue, sink);
                return;
            }
        }
        match edges(self.graph, copy) {
            Edges::OnHost => {
                self.host(state, id, read.0, read.1, sink);
                self.host(state, id, write.0, write.1, sink);
            }
            Edges::Completes => {
                self.submit(state, id, queue, &[read, write], sink);
                state.pending.wait(&self.queues, queue);
            }
            Edges::Staged { waits } => {
                if waits {
                    state.pending.wait(&self.queues, queue);
                }
                self.host(state, id, read.0, read.1, sink);
                self.submit(state, id, queue, &[write], sink);
            }
            Edges::Later => self.submit(state, id, queue, &[read, write], sink),
        }
    }

    /// R3: the linking copy goes away; what replaces it waits as the copy did.
    fn remove(
        &self,
        state: &mut Running,
        id: EventId,
        pair: usize,
        copy: &Copy,
        queue: Queue,
        sink: Sink<'_, '_>,
    ) {
        let host = self.pairs.list[pair].host;
        if let Some(reports) = sink {
            self.suspicious(state, id, host, queue, reports);
        }
        let name = if copy.stream.is_none() { "replace-copy" } else { "replace-async-copy" };
        // Left out only where nothing at all is unfinished.
        let wait = if state.pending.is_idle() || !is_on(self.options, name) {
            Replacement::Nothing
        } else {
            wait_of(self.graph, copy)
        };
        if wait != Replacement::Nothing {
            state.pending.wait(&self.queues, queue);
        }
        if let Some(reports) = sink {
            reports.findings.replacements.insert(id, wait);
        }
    }

    /// a copy that stays changes its class; a wait keeps what it ordered.
    fn retain(
        &self,
        state: &mut Running,
        id: EventId,
        copy: &Copy,
        queue: Queue,
        sink: Sink<'_, '_>,
    ) {
        let wait = if is_on(self.options, "retained-wait") {
            wait_of(self.graph, copy)
        } else {
            Replacement::Nothing
        };
        if wait != Replacement::Nothing {
            state.pending.wait(&self.queues, queue);
        }
        let Some(reports) = sink else { return };
        let mut ends = copy.to.target.objects.iter().chain(&copy.from.target.objects);
        if let Some((pair, _)) = ends.find_map(|object| self.slots[object.index()]) {
            reports.findings.retained.insert(id, (pair, wait));
        }
    }
}

fn targets(accesses: &[Access]) -> Vec<(&Target, Mode)> {
    accesses.iter().map(|access| (&access.target, access.mode)).collect()
}
