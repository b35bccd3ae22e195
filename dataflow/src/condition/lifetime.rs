//! S4, lifetime: the merged buffer is live from the first access to either side to the last; with it the places of its
//! allocation and its free (R1, R4) and the name that the alias copies (R2).
//!
//! State per pair: the set of combinations of {unborn, live, freed} for (host, device), a 9-bit mask, with two facts that
//! hold on every path: the first pointer's variable still holds it, and nothing forbids allocating at the first site.

use std::collections::HashMap;

use imbl::{OrdMap, OrdSet};

use crate::analysis::dominators::Dominance;
use crate::analysis::fixpoint::{State, forward};
use crate::event::{
    ContextId, EventBlockId, EventGraph, EventId, EventKind, Holder, ObjectId, ObjectKind, Target,
};
use crate::mutation::is_on;
use crate::program::{DeviceRelease, HostAllocator, HostDeallocator, VariableId};
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Side};

use super::alias::{Names, Receivers, alias_source};
use super::{Pairs, actor, place};

const UNBORN: u16 = 0;
const LIVE: u16 = 1;
const FREED: u16 = 2;

const fn bit(host: u16, device: u16) -> u16 {
    1 << (host * 3 + device)
}

fn any(mask: u16, f: impl Fn(u16, u16) -> bool) -> bool {
    (0..3).any(|h| (0..3).any(|d| mask & bit(h, d) != 0 && f(h, d)))
}

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

#[derive(Clone, Copy, PartialEq, Eq)]
struct Life {
    mask: u16,
    /// The first pointer's holder certainly holds it.
    held: bool,
    /// Something that forbids hoisting may lie between the first allocation and here.
    barred: bool,
}

const START: Life = Life { mask: bit(UNBORN, UNBORN), held: false, barred: false };

#[derive(Clone, Default)]
struct Lives {
    pairs: OrdMap<usize, Life>,
    /// Pairs that may be between their two allocations, with nothing yet that forbids hoisting.
    between: OrdSet<usize>,
}

impl State for Lives {
    fn join(&mut self, other: &Self) -> bool {
        if self.pairs.ptr_eq(&other.pairs) {
            return false;
        }
        let mut changes = Vec::new();
        for item in self.pairs.diff(&other.pairs) {
            let (pair, old, new) = match item {
                imbl::ordmap::DiffItem::Add(&pair, new) => (pair, START, *new),
                imbl::ordmap::DiffItem::Update { old: (&pair, old), new: (_, new) } => {
                    (pair, *old, *new)
                }
                imbl::ordmap::DiffItem::Remove(&pair, old) => (pair, *old, START),
            };
            changes.push((pair, old, new));
        }
        let mut grew = false;
        if !self.between.ptr_eq(&other.between) {
            let new: Vec<usize> =
                other.between.iter().copied().filter(|p| !self.between.contains(p)).collect();
            grew |= !new.is_empty();
            self.between.extend(new);
        }
        for (pair, old, new) in changes {
            let joined = Life {
                mask: old.mask | new.mask,
                held: old.held && new.held,
                barred: old.barred || new.barred,
            };
            if joined != old {
                grew = true;
                self.pairs.insert(pair, joined);
            }
        }
        grew
    }
}

/// Where the merged buffer of a pair is born and dies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Plan {
    /// The side allocated first.
    pub(crate) first: Option<Side>,
    /// The variable that names the first buffer where the second one is allocated.
    pub(crate) name: Option<Holder>,
    /// That variable, and the one the second buffer is first stored in, never receive anything but these.
    pub(crate) named_alone: bool,
    /// Frees that become the free of p.
    pub(crate) last_frees: Vec<EventId>,
    /// Frees that are deleted.
    pub(crate) early_frees: Vec<EventId>,
}

/// What was found about the pairs.
pub(crate) struct Findings {
    pub(crate) objections: Vec<(usize, Objection)>,
    pub(crate) plans: Vec<Plan>,
}

/// Checks all pairs in one pass.
pub(crate) fn check(
    names: &Names<'_>,
    graph: &EventGraph,
    pairs: &Pairs,
    dominance: &Dominance,
    options: &Options,
) -> Findings {
    let mut findings =
        Findings { objections: Vec::new(), plans: vec![Plan::default(); pairs.list.len()] };
    let first: Vec<Option<Side>> = pairs
        .list
        .iter()
        .map(|pair| {
            let host = graph.object(pair.host).allocation?;
            let device = graph.object(pair.device).allocation?;
            if dominance.dominates(host, device) {
                Some(Side::Host)
            } else if dominance.dominates(device, host) {
                Some(Side::Device)
            } else {
                None
            }
        })
        .collect();
    for (index, pair) in pairs.list.iter().enumerate() {
        let assumed = (!is_on(options, "dominance")).then_some(Side::Host);
        findings.plans[index].first = first[index].or(assumed);
        let (Some(host), Some(device)) =
            (graph.object(pair.host).allocation, graph.object(pair.device).allocation)
        else {
            continue;
        };
        let several = graph.object(pair.host).several || graph.object(pair.device).several;
        if several && is_on(options, "several-live") {
            let side = if graph.object(pair.host).several { Side::Host } else { Side::Device };
            let at = if side == Side::Host { host } else { device };
            findings.objections.push((
                index,
                object_to(graph, Reason::SeveralLive, at, PlaceRole::Allocation(side)),
            ));
        }
        let loops = |event: EventId| &graph.blocks[dominance.block(event)].loops;
        if loops(host) != loops(device) && is_on(options, "rounds") {
            let mut objection = object_to(
                graph,
                Reason::DifferentRounds,
                device,
                PlaceRole::Allocation(Side::Device),
            );
            objection.places.push(place(graph, host, PlaceRole::Allocation(Side::Host)));
            findings.objections.push((index, objection));
        } else if first[index].is_none() && is_on(options, "dominance") {
            let mut objection = object_to(
                graph,
                Reason::Edit {
                    code: "no-dominating-site",
                    what: "neither allocation always comes before the other".to_owned(),
                },
                device,
                PlaceRole::Allocation(Side::Device),
            );
            objection.condition = Condition::Edit;
            objection.places.push(place(graph, host, PlaceRole::Allocation(Side::Host)));
            findings.objections.push((index, objection));
        }
    }
    let receivers = Receivers::new(graph);
    let mut first_holders: HashMap<_, Vec<NamedFirst>> = HashMap::new();
    for (index, pair) in pairs.list.iter().enumerate() {
        let planned = findings.plans[index].first;
        if let Some(holder) = alias_source(names, graph, &receivers, pair, planned) {
            if first[index].is_some() {
                first_holders.entry(holder.owner()).or_default().push((holder.offset, index));
            }
            findings.plans[index].name = Some(holder.clone());
            findings.plans[index].named_alone = planned.is_some_and(|first| {
                let (first, second) = match first {
                    Side::Host => (pair.host, pair.device),
                    Side::Device => (pair.device, pair.host),
                };
                receivers.holds_only(holder, first)
                    && graph
                        .object(second)
                        .holder
                        .as_ref()
                        .is_some_and(|holder| receivers.holds_only(holder, second))
            });
        }
    }
    let analysis = Analysis { graph, pairs, options, first, first_holders };
    let states = forward(graph, Lives::default(), |block, state| {
        analysis.block(block, state, &mut |_, _| {}, &mut |_, _, _| {});
    });
    let mut frees: Vec<(usize, EventId, bool)> = Vec::new();
    for (index, state) in states.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        analysis.block(
            EventBlockId::new(index),
            &mut state,
            &mut |pair, objection| findings.objections.push((pair, objection)),
            &mut |pair, event, last| frees.push((pair, event, last)),
        );
    }
    frees.sort_unstable();
    for (pair, event, last) in frees {
        let plan = &mut findings.plans[pair];
        if last {
            plan.last_frees.push(event);
        } else {
            plan.early_frees.push(event);
        }
    }
    findings
}

fn object_to(graph: &EventGraph, reason: Reason, at: EventId, role: PlaceRole) -> Objection {
    Objection {
        condition: Condition::Lifetime,
        reason,
        certain: true,
        places: vec![place(graph, at, role)],
        repair: None,
    }
}

/// A place in a variable, and the pair whose first pointer it names.
type NamedFirst = (Option<i64>, usize);

struct Analysis<'g> {
    graph: &'g EventGraph,
    pairs: &'g Pairs,
    options: &'g Options,
    first: Vec<Option<Side>>,
    /// Pairs whose first pointer is named by that variable, with its place in it.
    first_holders: HashMap<(ContextId, VariableId), Vec<NamedFirst>>,
}

impl Analysis<'_> {
    fn life(&self, state: &Lives, pair: usize) -> Life {
        state.pairs.get(&pair).copied().unwrap_or(START)
    }

    fn block(
        &self,
        block: EventBlockId,
        state: &mut Lives,
        object: &mut impl FnMut(usize, Objection),
        free: &mut impl FnMut(usize, EventId, bool),
    ) {
        for (id, event) in self.graph.events_of(block) {
            match &event.kind {
                EventKind::Allocate(allocated) => self.allocate(state, id, *allocated, object),
                EventKind::HostRelease { target, by, at_start } => {
                    self.release(state, id, target, *at_start, Some(*by), None, object, free);
                }
                EventKind::DeviceRelease { target, by, at_start } => {
                    self.release(state, id, target, *at_start, None, Some(by), object, free);
                }
                EventKind::Store { holder, value, exact } => {
                    let held = self.first_holders.get(&holder.owner()).into_iter().flatten();
                    let touched =
                        held.filter(|(at, _)| holder.offset.is_none() || *at == holder.offset);
                    for &(_, pair) in touched {
                        let first = match self.first[pair] {
                            Some(Side::Host) => self.pairs.list[pair].host,
                            Some(Side::Device) => self.pairs.list[pair].device,
                            None => continue,
                        };
                        let mut life = self.life(state, pair);
                        life.held =
                            *exact && holder.offset.is_some() && value.single() == Some(first);
                        state.pairs.insert(pair, life);
                    }
                }
                EventKind::SetDevice { .. }
                | EventKind::SetDeviceFlags
                | EventKind::ProcessControl { .. }
                | EventKind::UnknownCode { may_use_cuda: true, .. } => {
                    if let EventKind::ProcessControl { name } = &event.kind
                        && name.contains("fork")
                    {
                        self.fork(state, id, object);
                    }
                    for pair in std::mem::take(&mut state.between) {
                        let life = Life { barred: true, ..self.life(state, pair) };
                        state.pairs.insert(pair, life);
                    }
                }
                EventKind::DeviceReset => {
                    let live: Vec<usize> = state.pairs.keys().copied().collect();
                    for pair in live {
                        let mut life = self.life(state, pair);
                        let live = any(life.mask, |h, d| h == LIVE || d == LIVE);
                        if live && is_on(self.options, "device-reset") {
                            object(pair, object_to(self.graph, Reason::DeviceReset, id, PlaceRole::Other(
                                "the device is reset here, which would destroy the merged buffer".to_owned(),
                            )));
                            life.barred = true;
                            state.pairs.insert(pair, life);
                        }
                    }
                }
                EventKind::ReadMemoryInfo if is_on(self.options, "memory-info") => {
                    for (&pair, life) in &state.pairs {
                        if any(life.mask, |h, d| h == LIVE || d == LIVE) {
                            object(
                                pair,
                                object_to(
                                    self.graph,
                                    Reason::MemoryInfo,
                                    id,
                                    PlaceRole::Other(
                                        "the program looks here at how much memory is left"
                                            .to_owned(),
                                    ),
                                ),
                            );
                        }
                    }
                }
                EventKind::ReadMemoryInfo => {}
                EventKind::Host(_)
                | EventKind::Work(_)
                | EventKind::Copy(_)
                | EventKind::HostCallback { .. }
                | EventKind::ThreadStart { .. } => {
                    for touch in event.kind.touches() {
                        for &accessed in &touch.target.objects {
                            self.access(state, id, accessed, object);
                        }
                    }
                }
                EventKind::Synchronize(_)
                | EventKind::Record { .. }
                | EventKind::StreamWait { .. }
                | EventKind::Observe { .. }
                | EventKind::Escape { .. }
                | EventKind::Capture { .. }
                | EventKind::ReadClock { .. }
                | EventKind::ThreadJoin
                | EventKind::UnknownCode { may_use_cuda: false, .. }
                | EventKind::Return { .. }
                | EventKind::Exit => {}
            }
        }
    }

    /// what the child may do with managed memory is not defined.
    fn fork(&self, state: &Lives, id: EventId, object: &mut impl FnMut(usize, Objection)) {
        for (&pair, life) in &state.pairs {
            if any(life.mask, |h, d| h == LIVE || d == LIVE) && is_on(self.options, "fork") {
                let what = "the process forks while the buffer is alive, and managed memory cannot \
                            be used in the child";
                let reason = Reason::Kind { code: "fork", what: what.to_owned() };
                let role = PlaceRole::Other("the process forks here".to_owned());
                let mut objection = object_to(self.graph, reason, id, role);
                objection.condition = Condition::Kind;
                object(pair, objection);
            }
        }
    }

    fn allocate(
        &self,
        state: &mut Lives,
        id: EventId,
        allocated: ObjectId,
        object: &mut impl FnMut(usize, Objection),
    ) {
        for &(pair, side) in self.pairs.of(allocated) {
            let mut life = self.life(state, pair);
            let own = |h: u16, d: u16| if side == Side::Host { (h, d) } else { (d, h) };
            let is_first = self.first[pair] == Some(side);
            let in_order = self.first[pair].is_some();
            if any(life.mask, |h, d| own(h, d).0 == LIVE) {
                if is_on(self.options, "several-live") {
                    object(
                        pair,
                        object_to(self.graph, Reason::SeveralLive, id, PlaceRole::Allocation(side)),
                    );
                }
            } else if in_order
                && any(life.mask, |h, d| (own(h, d).1 == LIVE) == is_first)
                && is_on(self.options, "rounds")
            {
                object(
                    pair,
                    object_to(self.graph, Reason::DifferentRounds, id, PlaceRole::Allocation(side)),
                );
            }
            if is_first {
                life.held = false;
                life.barred = false;
                state.between.insert(pair);
            } else if in_order {
                state.between.remove(&pair);
                self.second_allocation(pair, side, life, id, object);
            }
            life.mask =
                map(life.mask, |h, d| if side == Side::Host { (LIVE, d) } else { (h, LIVE) });
            state.pairs.insert(pair, life);
        }
    }

    /// At the second site the alias is assigned: the first pointer must be nameable there.
    fn second_allocation(
        &self,
        pair: usize,
        side: Side,
        life: Life,
        id: EventId,
        object: &mut impl FnMut(usize, Objection),
    ) {
        let edit = |code: &'static str, what: &str| {
            let mut objection = object_to(
                self.graph,
                Reason::Edit { code, what: what.to_owned() },
                id,
                PlaceRole::Allocation(side),
            );
            objection.condition = Condition::Edit;
            objection
        };
        if life.barred && is_on(self.options, "allocation-place") {
            object(
                pair,
                edit(
                    "no-allocation-place",
                    "between the two allocations the current device changes, another process or unknown code runs, so \
                     the merged buffer cannot be allocated at the first one",
                ),
            );
        }
        if !life.held && is_on(self.options, "alias") {
            object(
                pair,
                edit(
                    "alias-not-expressible",
                    "the variable that held the first pointer may hold another one here",
                ),
            );
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one event and two sinks")]
    fn release(
        &self,
        state: &mut Lives,
        id: EventId,
        target: &Target,
        at_start: bool,
        host: Option<HostDeallocator>,
        device: Option<&DeviceRelease>,
        object: &mut impl FnMut(usize, Objection),
        free: &mut impl FnMut(usize, EventId, bool),
    ) {
        for &released in &target.objects {
            for &(pair, side) in self.pairs.of(released) {
                let mut life = self.life(state, pair);
                let own = |h: u16, d: u16| if side == Side::Host { (h, d) } else { (d, h) };
                let matches = match (&self.graph.object(released).kind, host, device) {
                    (
                        ObjectKind::HostHeap(HostAllocator::Malloc | HostAllocator::Calloc),
                        Some(HostDeallocator::Free),
                        None,
                    )
                    | (
                        ObjectKind::HostHeap(
                            HostAllocator::NewArray | HostAllocator::NewArrayZeroed,
                        ),
                        Some(HostDeallocator::DeleteArray),
                        None,
                    )
                    | (ObjectKind::Cuda(_), None, Some(DeviceRelease::Free)) => true,
                    (_, _, _) => false,
                };
                let clear = matches && at_start && target.single().is_some();
                let freed = any(life.mask, |h, d| own(h, d).0 == FREED);
                self.place_free(pair, side, life, id, (clear, freed), object, free);
                // Where the side is unborn, the pointer is null and nothing happens.
                life.mask = map(life.mask, |h, d| match (side, own(h, d).0) {
                    (_, UNBORN) => (h, d),
                    (Side::Host, _) => (FREED, d),
                    (Side::Device, _) => (h, FREED),
                });
                if self.first[pair] == Some(side) {
                    state.between.remove(&pair);
                }
                state.pairs.insert(pair, life);
            }
        }
    }

    /// R4: is this free the last of the two on every path, or the first on every path?
    #[allow(clippy::too_many_arguments, reason = "the parts of one event and two sinks")]
    fn place_free(
        &self,
        pair: usize,
        side: Side,
        life: Life,
        id: EventId,
        (clear, freed): (bool, bool),
        object: &mut impl FnMut(usize, Objection),
        free: &mut impl FnMut(usize, EventId, bool),
    ) {
        let on = |name| is_on(self.options, name);
        let role = PlaceRole::Free(side);
        let own = |h: u16, d: u16| if side == Side::Host { (h, d) } else { (d, h) };
        if !clear && on("unclear-free") {
            object(pair, object_to(self.graph, Reason::UnclearFree, id, role));
            return;
        }
        if freed && on("access-after-free") {
            object(pair, object_to(self.graph, Reason::AccessAfterFree, id, role));
            return;
        }
        let partner_live = any(life.mask, |h, d| own(h, d) == (LIVE, LIVE));
        let partner_gone =
            any(life.mask, |h, d| own(h, d).0 == LIVE && own(h, d).1 != LIVE) || !partner_live;
        if !on("free-order") {
            free(pair, id, true);
        } else if !on("early-free") {
            free(pair, id, partner_live);
        } else if partner_live && partner_gone {
            object(pair, object_to(self.graph, Reason::FreeOrder, id, role));
        } else {
            free(pair, id, !partner_live);
        }
    }

    fn access(
        &self,
        state: &Lives,
        id: EventId,
        accessed: ObjectId,
        object: &mut impl FnMut(usize, Objection),
    ) {
        for &(pair, side) in self.pairs.of(accessed) {
            let life = self.life(state, pair);
            let freed =
                any(life.mask, |h, d| if side == Side::Host { h == FREED } else { d == FREED });
            if freed && is_on(self.options, "access-after-free") {
                let role = PlaceRole::Read { side, by: actor(self.graph, id) };
                object(pair, object_to(self.graph, Reason::AccessAfterFree, id, role));
            }
        }
    }
}
