//! Accesses compared with unfinished work: S2 for all, S5 for those of the host.

use crate::analysis::pending::Class;
use crate::event::{Copy, EventId, EventKind, Mode, ObjectId, ObjectKind, StreamUse, Target};
use crate::mutation::is_on;
use crate::program::DeviceMemory;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Repair, Side};

use super::exclusive;
use super::state::{Running, Touch};
use super::transfer::{Edges, edges};
use super::{Analysis, Reports, Sink, Sort};
use crate::condition::{actor, place, source};

impl Analysis<'_> {
    /// The host accesses memory.
    pub(super) fn host(
        &self,
        state: &Running,
        id: EventId,
        target: &Target,
        mode: Mode,
        sink: Sink<'_, '_>,
    ) {
        let Some(reports) = sink else { return };
        for &object in &target.objects {
            let Some((slot, side)) = self.slots[object.index()] else { continue };
            if is_on(self.options, "host-against-device") {
                let touches = state.touches.get(&slot).map_or(&[][..], |t| t);
                let unfinished = |touch: &Touch| state.pending.is_pending(touch.class);
                self.conflicts(id, object, side, mode, touches, false, unfinished, reports);
            }
            if self.merged.exclusive {
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
        if reports.seen.insert((slot, Sort::Exclusive)) {
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
    pub(super) fn is_activity(&self, class: Class) -> bool {
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

    pub(super) fn touches_slot(&self, copy: &Copy) -> bool {
        let of = |target: &Target| target.objects.iter().any(|o| self.slots[o.index()].is_some());
        of(&copy.to.target) || of(&copy.from.target)
    }

    /// Work on a candidate inside a capture.
    pub(super) fn captured(
        &self,
        state: &Running,
        id: EventId,
        object: ObjectId,
        reports: &mut Reports,
    ) {
        if !state.capturing || !is_on(self.options, "captured") {
            return;
        }
        let pairs = self.pairs.of(object).iter().filter(|(pair, _)| self.merged.pairs[*pair]);
        for &(pair, _) in pairs {
            reports.object(pair, Sort::Captured, || {
                let role = PlaceRole::Other("this is captured, not run".to_owned());
                self.objection(Reason::Captured, id, role, true)
            });
        }
    }

    /// Unknown code runs while work is unfinished in a stream that it may have: it may have been capturing it all the
    /// time, so that the work runs later, as often as it likes.
    pub(super) fn captured_by_unknown(&self, state: &Running, id: EventId, sink: Sink<'_, '_>) {
        let Some(reports) = sink else { return };
        if !is_on(self.options, "captured") {
            return;
        }
        for (&slot, touches) in &state.touches {
            let captured =
                touches.iter().filter(|touch| state.pending.is_pending(touch.class)).find(
                    |touch| match self.graph.events[touch.by.index()].kind.queue() {
                        Some(StreamUse::Created(stream)) => {
                            self.graph.streams[stream.index()].given_away
                        }
                        Some(StreamUse::Unknown) => true,
                        // Nobody can capture the legacy stream; the one of the thread needs no handle, but is hardly used.
                        Some(StreamUse::Default | StreamUse::Legacy | StreamUse::PerThread)
                        | None => false,
                    },
                );
            if let Some(touch) = captured {
                reports.object(slot, Sort::Captured, || {
                    let role = PlaceRole::Other("this may be captured, not run".to_owned());
                    let mut found = self.objection(Reason::Captured, touch.by, role, false);
                    let role = PlaceRole::Other(
                        "this code is not seen and may have the stream".to_owned(),
                    );
                    found.places.push(place(self.graph, id, role));
                    found
                });
            }
        }
    }

    /// `id` accesses `object`, a name of `side`: objects to each earlier touch of the same buffer that `unordered`
    /// holds for, if one of the two writes.
    #[allow(clippy::too_many_arguments, reason = "the two accesses of a conflict")]
    pub(super) fn conflicts(
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
                (true, _) => (Sort::SameSide, Reason::RacyOriginal),
                (false, false) => (Sort::WithHost, Reason::Unordered { between_streams }),
                (false, true) => (Sort::BetweenStreams, Reason::Unordered { between_streams }),
            };
            if same_side && !is_on(self.options, "same-side") {
                continue;
            }
            for &(pair, _) in self.pairs.of(object) {
                if !self.merged.pairs[pair] {
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

    pub(super) fn objection(
        &self,
        reason: Reason,
        at: EventId,
        role: PlaceRole,
        certain: bool,
    ) -> Objection {
        Objection {
            condition: Condition::Order,
            reason,
            certain,
            places: vec![place(self.graph, at, role)],
            repair: None,
        }
    }
}
