//! What becomes of the places that a merge changes: allocations, linking copies (R3), retained copies, frees (R4).

use crate::analysis::queues::Queue;
use crate::event::{Copy, EventId, EventKind, Mode, ObjectId, StreamUse, Target};
use crate::mutation::is_on;
use crate::verdict::{PlaceRole, Reason, Replacement, Side};

use super::exclusive::{self, Busy};
use super::state::Running;
use super::transfer::{Edges, edges, wait_of};
use super::{Analysis, Sink, Sort};
use crate::condition::{actor, is_zero_filled, place};

impl Analysis<'_> {
    /// A buffer comes into being.
    pub(super) fn allocate(
        &self,
        state: &mut Running,
        id: EventId,
        object: ObjectId,
        sink: Sink<'_, '_>,
    ) {
        let Some((slot, _)) = self.slots[object.index()] else { return };
        match state.pending.classes().find(|&class| self.is_activity(class)) {
            Some(class) => {
                state.born_busy.insert(slot, class);
            }
            None => {
                state.born_busy.remove(&slot);
            }
        }
        // A zero-filling allocation stays a host write at its place.
        if is_zero_filled(self.graph, object) && is_on(self.options, "zero-fill") {
            let target = Target { objects: vec![object], unknown: false };
            self.host(state, id, &target, Mode::Write, sink);
        }
    }

    /// R4: a wait precedes or replaces the free of a merged buffer, unless nothing is unfinished.
    pub(super) fn release(&self, state: &mut Running, id: EventId, sink: Sink<'_, '_>) {
        let Some(&pair) = self.merged.frees.get(&id) else { return };
        if self.is_idle(state, pair) {
            return;
        }
        if let Some(reports) = sink {
            if is_on(self.options, "free-wait") {
                reports.findings.waits.insert(id);
            }
            if state.capturing && is_on(self.options, "captured") {
                reports.object(pair, Sort::Captured, || {
                    self.objection(Reason::Captured, id, PlaceRole::Free(Side::Device), true)
                });
            }
            let spinning =
                state.pending.classes().map(|class| self.classes.event(class)).find(|other| {
                    matches!(&self.graph.events[other.index()].kind, EventKind::Work(work) if work.may_spin)
                });
            if let Some(spinning) = spinning
                && is_on(self.options, "spinning")
            {
                reports.object(pair, Sort::Spinning, || {
                    let role = PlaceRole::Free(Side::Device);
                    let mut objection =
                        self.objection(Reason::ReplacementImpossible, id, role, false);
                    let by = actor(self.graph, spinning);
                    objection.places.push(place(self.graph, spinning, PlaceRole::Busy { by }));
                    objection
                });
            }
        }
        state.pending.wait_for_all();
    }

    /// A copy between two buffers.
    pub(super) fn copy(&self, state: &mut Running, id: EventId, copy: &Copy, sink: Sink<'_, '_>) {
        let queue = self.queues.queue(copy.stream.as_ref().unwrap_or(&StreamUse::Default));
        let read = (&copy.from.target, Mode::Read);
        let write = (&copy.to.target, Mode::Write);
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
                if waits || !is_on(self.options, "small-upload") {
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
            self.captured(state, id, host, reports);
        }
        self.carries_order(state, id, pair, queue, sink);
        let name = if copy.stream.is_none() { "replace-copy" } else { "replace-async-copy" };
        // Left out only where nothing at all is unfinished.
        let wait = if self.is_idle(state, pair) {
            Replacement::Nothing
        } else {
            wait_of(self.graph, copy)
        };
        if wait != Replacement::Nothing {
            state.pending.wait(&self.queues, queue);
        }
        if let Some(reports) = sink {
            let wait = if is_on(self.options, name) { wait } else { Replacement::Nothing };
            reports.findings.replacements.insert(id, wait);
        }
    }

    // The copy waited for the legacy stream's work, and what waits for the copy did too, whatever memory that is about. A
    // wait that replaces it does not: only work in its stream would.
    fn carries_order(
        &self,
        state: &Running,
        id: EventId,
        pair: usize,
        queue: Queue,
        sink: Sink<'_, '_>,
    ) {
        let Some(reports) = sink else { return };
        let described = state.pending.behind_barrier(&self.queues, queue).map(Busy::Work);
        let undescribed = state.pending.undescribed().filter(|_| self.queues.may_block(queue));
        let Some(busy) = described.or(undescribed.map(Busy::Undescribed)) else { return };
        if is_on(self.options, "order-lost") {
            reports.object(pair, Sort::OrderLost, || {
                let mut found = self.objection(Reason::OrderLost, id, PlaceRole::Link, false);
                found.places.extend(exclusive::work(self.graph, &self.classes, &busy));
                found
            });
        }
    }

    /// Whether no device work at all may be unfinished, so that a wait would be for nothing.
    fn is_idle(&self, state: &Running, pair: usize) -> bool {
        if is_on(self.options, "left-out") {
            return state.pending.is_idle();
        }
        let touches = state.touches.get(&pair).map_or(&[][..], |touches| touches);
        !touches.iter().any(|touch| state.pending.is_pending(touch.class))
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
        let wait = wait_of(self.graph, copy);
        if wait != Replacement::Nothing {
            state.pending.wait(&self.queues, queue);
        }
        let Some(reports) = sink else { return };
        let wait = if is_on(self.options, "retained-wait") { wait } else { Replacement::Nothing };
        let mut ends = copy.to.target.objects.iter().chain(&copy.from.target.objects);
        if let Some((pair, _)) = ends.find_map(|object| self.slots[object.index()]) {
            reports.findings.retained.insert(id, (pair, wait));
        }
    }
}
