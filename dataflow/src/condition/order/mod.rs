//! S2 (order), S5 (exclusive access) and what replaces each removed copy.
//!
//! One forward analysis of the program in which accepted pairs are merged: their linking copies are waits, their frees
//! follow R4. Each access to a merged buffer must be ordered with every unfinished access to it of which one writes. See
//! [`crate::analysis`] for what "unfinished" and "ordered" mean.
//!
//! Accesses through one name are compared too, so that nothing is left unordered and the merged program has one
//! behaviour: the one in which all work runs as soon as it is submitted. S1 makes that a behaviour of the original, even
//! where the original races with itself; where the race is still there after the merge, the pair is declined.

mod conflict;
mod exclusive;
mod replace;
mod state;
pub(crate) mod transfer;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::fixpoint::forward;
use crate::analysis::pending::{Classes, Pending};
use crate::analysis::queues::{Queue, Queues};
use crate::event::{
    Access, EventBlockId, EventGraph, EventId, EventKind, Mode, Scope, Target, WorkKind,
};
use crate::mutation::is_on;
use crate::target::Options;
use crate::verdict::{Objection, Replacement, Side};

use super::Pairs;
use state::{Running, Touch, union};

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

/// Analyses the program in which the pairs of `merged` are merged.
pub(crate) fn check(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
    merged: &Merged<'_>,
) -> Findings {
    let mut slots = vec![None; graph.objects.len()];
    for (index, pair) in pairs.list.iter().enumerate() {
        if merged.pairs[index] {
            slots[pair.host.index()] = Some((index, Side::Host));
            slots[pair.device.index()] = Some((index, Side::Device));
        }
    }
    let queues = Queues::new(graph, options);
    let classes = Classes::new(graph, &queues, |touch| {
        touch.target.objects.iter().any(|o| slots[o.index()].is_some())
    });
    let analysis = Analysis { graph, pairs, options, merged, slots, queues, classes };
    let entry = Running {
        pending: if graph.root_is_main || !is_on(options, "work-of-caller") {
            Pending::default()
        } else {
            Pending::of_caller()
        },
        device: graph.root_is_main.then_some(0),
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

/// Sorts of objections of which one per pair is enough.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Sort {
    Captured,
    SameSide,
    WithHost,
    BetweenStreams,
    Spinning,
    OrderLost,
    Exclusive,
}

/// Collects at most one objection of each sort per pair.
#[derive(Default)]
struct Reports {
    findings: Findings,
    seen: BTreeSet<(usize, Sort)>,
}

impl Reports {
    fn object(&mut self, pair: usize, sort: Sort, objection: impl FnOnce() -> Objection) {
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
    merged: &'g Merged<'g>,
    /// Per object: the buffer it is in the analysed program, and through which side its name accesses it.
    slots: Vec<Option<(usize, Side)>>,
    queues: Queues,
    classes: Classes,
}

impl Analysis<'_> {
    fn on(&self, check: &'static str) -> bool {
        is_on(self.options, check)
    }

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
                    let library = work.kind == WorkKind::Library;
                    if work.host_waits || (library && !self.on("library-work")) {
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
                    Scope::Stream(_) if !self.on("stream-scope") => state.pending.wait_for_all(),
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
                    let of_all = marker.filter(|_| !self.on("marker-scope"));
                    state.pending.update(|o| match of_all {
                        Some(marker) => o | 1 << marker,
                        None => self.queues.recorded(o, marker, queue),
                    });
                }
                EventKind::StreamWait { stream, marker } => {
                    if let Some(marker) = self.queues.marker(*marker) {
                        let queue = self.queues.queue(stream);
                        state.pending.update(|o| self.queues.waited(o, marker, queue));
                    }
                }
                EventKind::HostRelease { .. } | EventKind::DeviceRelease { .. } => {
                    self.release(state, id, sink);
                }
                EventKind::UnknownCode { may_use_cuda, of_program, .. } => {
                    if *of_program {
                        self.captured_by_unknown(state, id, sink);
                        state.device = None;
                    }
                    if *may_use_cuda && *of_program && self.on("device-of-unknown-code") {
                        state.pending.leave_device(&self.queues);
                    }
                    if *may_use_cuda && self.on("work-of-unknown-code") {
                        state.pending.add_undescribed(&self.queues, id);
                    }
                }
                EventKind::ThreadStart { may_use_cuda, .. } => {
                    if *may_use_cuda && self.on("work-of-threads") {
                        state.pending.add_thread(id);
                    }
                }
                EventKind::ThreadJoin => state.pending.join_threads(),
                EventKind::DeviceReset => state.pending.wait_for_all(),
                EventKind::SetDevice { device } => {
                    if device.is_none() || state.device != *device {
                        state.pending.leave_device(&self.queues);
                    }
                    state.device = *device;
                }
                EventKind::Capture { begins } => {
                    if !begins && !state.capturing {
                        self.captured_by_unknown(state, id, sink);
                    }
                    state.capturing = *begins;
                }
                EventKind::Store { .. }
                | EventKind::Observe { .. }
                | EventKind::Escape { .. }
                | EventKind::SetDeviceFlags
                | EventKind::ProcessControl { .. }
                | EventKind::ReadClock { .. }
                | EventKind::ReadMemoryInfo
                | EventKind::Return { .. }
                | EventKind::Exit => {}
            }
        }
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
                    self.captured(state, id, object, reports);
                    if self.on("device-against-device") {
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
}

fn targets(accesses: &[Access]) -> Vec<(&Target, Mode)> {
    accesses.iter().map(|access| (&access.target, access.mode)).collect()
}
