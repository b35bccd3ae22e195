//! S1, value: no access needs a value that merging has overwritten.
//!
//! For each byte the original program's two copies are compared with the merged byte: each of (h, d) is Valid, Stale or
//! Undefined. The abstract value is a set of these nine states, as a bit mask, one per byte range; join is union, bottom
//! the empty set. DESIGN section 4 has the transfer table; brute force says it is exact.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use imbl::OrdMap;

use crate::analysis::fixpoint::{State, forward};
use crate::candidate::{ends, is_linking};
use crate::event::{
    Copy, EventBlockId, EventGraph, EventId, EventKind, Mode, ObjectId, Range, Role, Touch,
};
use crate::mutation::is_on;
use crate::size::Size;
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Repair, Side};

use super::{Pairs, actor, is_zero_filled, link_place, place, source};

/// Bit of the state (host, device), each 0 Valid, 1 Stale, 2 Undefined.
const fn bit(host: u16, device: u16) -> u16 {
    1 << (host * 3 + device)
}

const VALID: u16 = 0;
const STALE: u16 = 1;
const UNDEFINED: u16 = 2;
const BOTH_UNDEFINED: u16 = bit(UNDEFINED, UNDEFINED);

/// Applies `f` to each state of a mask.
fn map(mask: u16, f: impl Fn(u16, u16) -> (u16, u16)) -> u16 {
    let mut result = 0;
    for host in 0..3 {
        for device in 0..3 {
            if mask & bit(host, device) != 0 {
                let (h, d) = f(host, device);
                result |= bit(h, d);
            }
        }
    }
    result
}

fn any(mask: u16, f: impl Fn(u16, u16) -> bool) -> bool {
    (0..3).any(|h| (0..3).any(|d| mask & bit(h, d) != 0 && f(h, d)))
}

/// Per pair: one mask per byte range. Absent: both undefined everywhere.
#[derive(Clone, Default)]
struct Values(OrdMap<usize, Rc<[u16]>>);

/// A pair's masks on either side of a join.
type Change = (usize, Option<Rc<[u16]>>, Option<Rc<[u16]>>);

impl State for Values {
    fn join(&mut self, other: &Self) -> bool {
        if self.0.ptr_eq(&other.0) {
            return false;
        }
        let changes: Vec<Change> = self
            .0
            .diff(&other.0)
            .map(|item| match item {
                imbl::ordmap::DiffItem::Add(&pair, new) => (pair, None, Some(new.clone())),
                imbl::ordmap::DiffItem::Update { old: (&pair, old), new: (_, new) } => {
                    (pair, Some(old.clone()), Some(new.clone()))
                }
                imbl::ordmap::DiffItem::Remove(&pair, old) => (pair, Some(old.clone()), None),
            })
            .collect();
        let mut grew = false;
        for (pair, old, new) in changes {
            let length = old.as_ref().or(new.as_ref()).map_or(0, |m| m.len());
            let at = |masks: &Option<Rc<[u16]>>, i: usize| {
                masks.as_ref().map_or(BOTH_UNDEFINED, |m| m[i])
            };
            let joined: Rc<[u16]> = (0..length).map(|i| at(&old, i) | at(&new, i)).collect();
            if (0..length).any(|i| joined[i] != at(&old, i)) {
                grew = true;
                self.0.insert(pair, joined);
            }
        }
        grew
    }
}

/// What was found about the pairs.
#[derive(Default)]
pub(crate) struct Findings {
    pub(crate) objections: Vec<(usize, Objection)>,
    /// Pairs some of whose reads may be of bytes that were never written.
    pub(crate) may_read_undefined: BTreeSet<usize>,
}

/// Checks all pairs in one pass.
pub(crate) fn check(graph: &EventGraph, pairs: &Pairs, options: &Options) -> Findings {
    let bounds = boundaries(graph, pairs);
    let writers = OnceCell::new();
    let analysis = Analysis { graph, pairs, options, bounds, writers };
    let states = forward(graph, Values::default(), |block, state| {
        analysis.block(block, state, &mut |_| {});
    });
    let mut findings = Findings::default();
    let mut found: Vec<Option<(EventId, Side, Reason)>> = vec![None; pairs.list.len()];
    let mut stale_copies: BTreeSet<(usize, EventId)> = BTreeSet::new();
    for (index, state) in states.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        analysis.block(EventBlockId::new(index), &mut state, &mut |finding| match finding {
            Finding::Undefined(pair) => {
                findings.may_read_undefined.insert(pair);
            }
            Finding::StaleCopy { pair, event } => {
                stale_copies.insert((pair, event));
            }
            Finding::Objection { pair, event, side, reason } => {
                found[pair].get_or_insert((event, side, reason));
            }
        });
    }
    for (pair, found) in found.into_iter().enumerate() {
        if let Some((event, side, reason)) = found {
            let objection = analysis.objection(pair, event, side, reason, &stale_copies);
            findings.objections.push((pair, objection));
        }
    }
    findings
}

enum Finding {
    Undefined(usize),
    /// A linking copy may copy bytes that are stale: what its target holds is stale from there.
    StaleCopy {
        pair: usize,
        event: EventId,
    },
    Objection {
        pair: usize,
        event: EventId,
        side: Side,
        reason: Reason,
    },
}

struct Analysis<'g> {
    graph: &'g EventGraph,
    pairs: &'g Pairs,
    options: &'g Options,
    /// Per pair: ascending starts of its byte ranges, the first 0.
    bounds: Vec<Vec<u64>>,
    /// Per object: events that may write it, in order. Made when something is first objected to.
    writers: OnceCell<HashMap<ObjectId, Vec<EventId>>>,
}

/// The constant offsets at which accesses to each pair start or end.
fn boundaries(graph: &EventGraph, pairs: &Pairs) -> Vec<Vec<u64>> {
    let mut bounds: Vec<Vec<u64>> = vec![vec![0]; pairs.list.len()];
    let mut note = |object: ObjectId, range: &Range| {
        if let Range::Bytes { start, end } = range {
            for &(pair, _) in pairs.of(object) {
                bounds[pair].push(*start);
                bounds[pair].push(*end);
            }
        }
    };
    for event in &graph.events {
        for touch in event.kind.touches() {
            for &object in &touch.target.objects {
                note(object, touch.range);
            }
        }
    }
    for (pair, list) in bounds.iter_mut().enumerate() {
        list.sort_unstable();
        list.dedup();
        let bytes = graph.object(pairs.list[pair].host).bytes.as_ref().and_then(Size::as_constant);
        // Nothing lies beyond the end.
        list.retain(|&start| start == 0 || bytes.is_none_or(|end| i128::from(start) < end));
        // Few offsets matter; beyond that, one set for the whole buffer stays sound.
        if list.len() > 64 {
            list.truncate(1);
        }
    }
    bounds
}

impl Analysis<'_> {
    fn masks(&self, state: &Values, pair: usize) -> Vec<u16> {
        match state.0.get(&pair) {
            Some(masks) => masks.to_vec(),
            None => vec![BOTH_UNDEFINED; self.bounds[pair].len()],
        }
    }

    /// The byte ranges of `pair` that `range` covers, and whether it covers them exactly.
    fn covered(&self, pair: usize, range: &Range) -> (std::ops::Range<usize>, bool) {
        let bounds = &self.bounds[pair];
        match range {
            Range::Whole => (0..bounds.len(), true),
            Range::Some => (0..bounds.len(), false),
            Range::Bytes { start, end } => {
                let first = bounds.binary_search(start);
                // The end of the buffer starts no range.
                let last = bounds.binary_search(end).or_else(|at| {
                    if at == bounds.len() && bounds.len() > 1 { Ok(at) } else { Err(at) }
                });
                match (first, last) {
                    (Ok(first), Ok(last)) => (first..last, true),
                    (Ok(_) | Err(_), Ok(_) | Err(_)) => (0..bounds.len(), false),
                }
            }
        }
    }

    fn block(&self, block: EventBlockId, state: &mut Values, report: &mut impl FnMut(Finding)) {
        for (id, event) in self.graph.events_of(block) {
            match event.kind.role() {
                Role::Birth(object) => {
                    self.undefine(state, object);
                    if is_zero_filled(self.graph, object) && is_on(self.options, "zero-fill") {
                        self.write(state, object, &Range::Whole, true);
                    }
                }
                Role::Death(target) => {
                    if let Some(object) = target.single() {
                        self.undefine(state, object);
                    }
                }
                Role::Memory => {
                    if let EventKind::Copy(copy) = &event.kind {
                        self.copy(state, id, copy, report);
                    } else {
                        self.accesses(state, id, &event.kind.touches(), report);
                    }
                }
                // What code may touch has escaped, and escapes are objections of their own.
                Role::Code
                | Role::Order
                | Role::Pointer
                | Role::Environment
                | Role::Stretch
                | Role::End => {}
            }
        }
    }

    fn undefine(&self, state: &mut Values, object: ObjectId) {
        for &(pair, side) in self.pairs.of(object) {
            let mut masks = self.masks(state, pair);
            for mask in &mut masks {
                *mask = map(*mask, |h, d| match side {
                    Side::Host => (UNDEFINED, d),
                    Side::Device => (h, UNDEFINED),
                });
            }
            state.0.insert(pair, masks.into());
        }
    }

    /// Reads of all accesses, then their writes.
    fn accesses(
        &self,
        state: &mut Values,
        event: EventId,
        accesses: &[Touch<'_>],
        report: &mut impl FnMut(Finding),
    ) {
        for access in accesses {
            if access.mode != Mode::Write {
                for &object in &access.target.objects {
                    self.read(state, event, object, access.range, access.must, report);
                }
            }
        }
        for access in accesses {
            if access.mode != Mode::Read {
                for &object in &access.target.objects {
                    self.write(state, object, access.range, access.must);
                }
            }
        }
    }

    fn read(
        &self,
        state: &Values,
        event: EventId,
        object: ObjectId,
        range: &Range,
        must: bool,
        report: &mut impl FnMut(Finding),
    ) {
        for &(pair, side) in self.pairs.of(object) {
            let masks = self.masks(state, pair);
            let (covered, _) = self.covered(pair, range);
            let own = |h: u16, d: u16| match side {
                Side::Host => (h, d),
                Side::Device => (d, h),
            };
            for &mask in &masks[covered] {
                let stale = any(mask, |h, d| own(h, d).0 == STALE);
                if stale && is_on(self.options, "stale-read") {
                    let reason = Reason::StaleRead { side, across_iterations: false };
                    report(Finding::Objection { pair, event, side, reason });
                } else if any(mask, |h, d| own(h, d).0 == UNDEFINED) {
                    let always = !any(mask, |h, d| own(h, d).0 != UNDEFINED);
                    if must
                        && always
                        && any(mask, |h, d| own(h, d).1 == VALID)
                        && !self.options.paper_conditions
                        && is_on(self.options, "uninitialised-read")
                    {
                        report(Finding::Objection {
                            pair,
                            event,
                            side,
                            reason: Reason::UninitialisedRead { side },
                        });
                    } else {
                        report(Finding::Undefined(pair));
                    }
                }
            }
        }
    }

    fn write(&self, state: &mut Values, object: ObjectId, range: &Range, must: bool) {
        let paper = self.options.paper_conditions;
        let stales = is_on(self.options, "stale-partner");
        let certain = !is_on(self.options, "weak-write");
        for &(pair, side) in self.pairs.of(object) {
            let mut masks = self.masks(state, pair);
            let (covered, exact) = self.covered(pair, range);
            for mask in &mut masks[covered] {
                let written = map(*mask, |h, d| {
                    let partner = |p: u16| match p {
                        _ if !stales => p,
                        UNDEFINED if !paper => UNDEFINED,
                        _ => STALE,
                    };
                    match side {
                        Side::Host => (VALID, partner(d)),
                        Side::Device => (partner(h), VALID),
                    }
                });
                *mask = if (must && exact) || certain { written } else { *mask | written };
            }
            state.0.insert(pair, masks.into());
        }
    }

    fn copy(
        &self,
        state: &mut Values,
        event: EventId,
        copy: &Copy,
        report: &mut impl FnMut(Finding),
    ) {
        let linked = ends(self.graph, copy).filter(|_| is_linking(copy));
        let linked_pair = linked.and_then(|(host, device, written)| {
            self.pairs
                .of(host)
                .iter()
                .find(|(pair, _)| self.pairs.list[*pair].device == device)
                .map(|&(pair, _)| (pair, written))
        });
        // For every pair but the linked one the copy reads one buffer and writes another.
        for &object in &copy.from.target.objects {
            self.read_others(
                state,
                event,
                object,
                (
                    &copy.from.range,
                    copy.from.target.single().is_some() && copy.from.range != Range::Some,
                ),
                linked_pair.map(|(p, _)| p),
                report,
            );
        }
        for &object in &copy.to.target.objects {
            self.write_others(
                state,
                object,
                &copy.to.range,
                copy.to.target.single().is_some(),
                linked_pair.map(|(p, _)| p),
            );
        }
        if let Some((pair, written)) = linked_pair {
            let mut masks = self.masks(state, pair);
            let (covered, exact) = self.covered(pair, &copy.to.range);
            let source_stale = |mask: &u16| {
                any(*mask, |h, d| match written {
                    Side::Device => h == STALE,
                    Side::Host => d == STALE,
                })
            };
            if masks[covered.clone()].iter().any(source_stale) {
                report(Finding::StaleCopy { pair, event });
            }
            for mask in &mut masks[covered] {
                if self.options.paper_conditions && source_stale(mask) {
                    let side = match written {
                        Side::Device => Side::Host,
                        Side::Host => Side::Device,
                    };
                    let reason = Reason::StaleCopy { side };
                    report(Finding::Objection { pair, event, side, reason });
                }
                let copied = map(*mask, |h, d| {
                    let source = match written {
                        Side::Device => h,
                        Side::Host => d,
                    };
                    if self.options.paper_conditions || !is_on(self.options, "copied-state") {
                        (VALID, VALID)
                    } else {
                        (source, source)
                    }
                });
                *mask = if exact { copied } else { *mask | copied };
            }
            state.0.insert(pair, masks.into());
        }
    }

    fn read_others(
        &self,
        state: &Values,
        event: EventId,
        object: ObjectId,
        (range, must): (&Range, bool),
        except: Option<usize>,
        report: &mut impl FnMut(Finding),
    ) {
        self.read(state, event, object, range, must, &mut |finding| {
            let pair = match &finding {
                Finding::Undefined(pair)
                | Finding::StaleCopy { pair, .. }
                | Finding::Objection { pair, .. } => *pair,
            };
            if Some(pair) != except {
                report(finding);
            }
        });
    }

    fn write_others(
        &self,
        state: &mut Values,
        object: ObjectId,
        range: &Range,
        must: bool,
        except: Option<usize>,
    ) {
        let kept = except.map(|pair| (pair, state.0.get(&pair).cloned()));
        self.write(state, object, range, must);
        if let Some((pair, masks)) = kept {
            match masks {
                Some(masks) => {
                    state.0.insert(pair, masks);
                }
                None => {
                    state.0.remove(&pair);
                }
            }
        }
    }

    /// The objection with its three points: the need, the link, the write.
    fn objection(
        &self,
        pair: usize,
        event: EventId,
        side: Side,
        reason: Reason,
        stale_copies: &BTreeSet<(usize, EventId)>,
    ) -> Objection {
        let candidate = &self.pairs.list[pair];
        let (own, partner) = match side {
            Side::Host => (candidate.host, candidate.device),
            Side::Device => (candidate.device, candidate.host),
        };
        let other = |side: Side| match side {
            Side::Host => Side::Device,
            Side::Device => Side::Host,
        };
        let all = self.writers.get_or_init(|| writers(self.graph));
        // The last write that is no linking copy, in order of event, or else the first one.
        let last_write = |object: ObjectId, before: EventId| {
            let writes = all.get(&object).map_or(&[][..], Vec::as_slice);
            let (earlier, later) = writes.split_at(writes.partition_point(|&w| w < before));
            let linking = |write: &&EventId| candidate.linking_copies.binary_search(write).is_ok();
            let last = earlier.iter().rfind(|w| !linking(w)).copied();
            last.or_else(|| earlier.iter().chain(later).find(|w| !linking(w)).copied())
        };
        let write = last_write(partner, event);
        // What was read may be stale since a copy brought it, whose source was stale.
        let brought = candidate.linking_copies.iter().rfind(|&&copy| {
            let EventKind::Copy(moved) = &self.graph.events[copy.index()].kind else {
                return false;
            };
            copy < event
                && moved.to.target.may_be(own)
                && stale_copies.contains(&(pair, copy))
                && write.is_none_or(|write| write < copy || write > event)
        });
        let by_copy = brought.and_then(|&copy| Some((copy, last_write(own, copy)?)));
        let mut places =
            vec![place(self.graph, event, PlaceRole::Read { side, by: actor(self.graph, event) })];
        let written = |write: EventId, side: Side| {
            place(self.graph, write, PlaceRole::Write { side, by: actor(self.graph, write) })
        };
        let (reason, repair) = match (reason, by_copy) {
            (Reason::StaleRead { .. }, Some((copy, write))) => {
                places.push(place(self.graph, copy, PlaceRole::Link));
                places.push(written(write, side));
                let across_iterations = write > copy;
                (Reason::StaleRead { side: other(side), across_iterations }, None)
            }
            (reason, _) => {
                places.extend(link_place(self.graph, candidate));
                places.extend(write.map(|write| written(write, other(side))));
                let across = write.is_some_and(|w| w > event);
                let by_host = matches!(self.graph.events[event.index()].kind, EventKind::Host(_));
                if let Reason::StaleRead { side, .. } = reason {
                    let repair = write
                        .filter(|_| side == Side::Host && by_host && !across)
                        .map(|write| Repair::ReadBefore(source(self.graph, write)));
                    (Reason::StaleRead { side, across_iterations: across }, repair)
                } else {
                    (reason, None)
                }
            }
        };
        Objection { condition: Condition::Value, reason, certain: true, places, repair }
    }
}

/// Per object: events that may write it, in order.
fn writers(graph: &EventGraph) -> HashMap<ObjectId, Vec<EventId>> {
    let mut writers: HashMap<ObjectId, Vec<EventId>> = HashMap::new();
    let mut note = |object: ObjectId, event: EventId| {
        let own = writers.entry(object).or_default();
        if own.last() != Some(&event) {
            own.push(event);
        }
    };
    for (index, event) in graph.events.iter().enumerate() {
        let id = EventId::new(index);
        if let Role::Birth(object) = event.kind.role()
            && is_zero_filled(graph, object)
        {
            note(object, id);
        }
        for touch in event.kind.touches().iter().filter(|touch| touch.mode != Mode::Read) {
            touch.target.objects.iter().for_each(|&object| note(object, id));
        }
    }
    writers
}
