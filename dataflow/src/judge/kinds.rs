//! Kinds of memory and what devices can do with them (S6, R-75).

use std::collections::HashMap;

use crate::condition::order::transfer::{EndKind, end_kind};
use crate::condition::{Pairs, link_place, place};
use crate::event::{EventGraph, EventId, EventKind, Mode, ObjectId, WorkKind};
use crate::mutation::is_on;
use crate::program::TransferKind;
use crate::target::{MemoryKind, Options, Target};
use crate::verdict::{CandidatePair, Condition, Objection, PlaceRole, Reason};

/// Whether some device of the target lacks concurrentManagedAccess (notes/semantics.md section 2).
pub(super) fn lacks_concurrent_access(target: Target) -> bool {
    match target {
        Target::AnyUma | Target::Orin | Target::Xavier => true,
        Target::Thor | Target::Gb10 | Target::Gh200 | Target::Mi300a | Target::Dgpu => false,
    }
}

/// Whether every device of the target lets the GPU use ordinary host memory.
pub(super) fn has_pageable_access(target: Target) -> bool {
    match target {
        Target::Thor | Target::Gb10 | Target::Gh200 | Target::Mi300a => true,
        Target::AnyUma | Target::Orin | Target::Xavier | Target::Dgpu => false,
    }
}

/// On MI300A a kernel's floating-point atomics are only correct on the coarse-grained memory of `hipMalloc`. Which
/// read-modify-writes are atomic is not tracked, so all of them decline there.
pub(super) fn coarse_grain(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
) -> Vec<(usize, Objection)> {
    let mut found = Vec::new();
    if options.target != Target::Mi300a || !is_on(options, "float-atomics") {
        return found;
    }
    for (index, event) in graph.events.iter().enumerate() {
        let EventKind::Work(work) = &event.kind else { continue };
        for access in work.accesses.iter().filter(|a| a.mode == Mode::ReadWrite) {
            for &(pair, _) in access.target.objects.iter().flat_map(|&o| pairs.of(o)) {
                let what = "a kernel may use floating-point atomics on it, which need coarse-grained memory";
                found.push((
                    pair,
                    Objection {
                        condition: Condition::Kind,
                        reason: Reason::Kind { code: "float-atomics", what: what.to_owned() },
                        certain: false,
                        places: vec![place(
                            graph,
                            EventId::new(index),
                            PlaceRole::Other("this kernel".to_owned()),
                        )],
                        repair: None,
                    },
                ));
            }
        }
    }
    found
}

/// Copies whose kind contradicts their ends: what they do is undefined, mostly they fail, and what the merged
/// program has in their place would not.
pub(super) fn directions(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
) -> Vec<(usize, Objection)> {
    let mut found = Vec::new();
    if !is_on(options, "direction") {
        return found;
    }
    for (index, event) in graph.events.iter().enumerate() {
        let EventKind::Copy(copy) = &event.kind else { continue };
        let (to, from) = (end_kind(graph, &copy.to.target), end_kind(graph, &copy.from.target));
        let (host, device) = (EndKind::Pageable, EndKind::Device);
        let contradicts = match copy.kind {
            TransferKind::HostToHost => to == device || from == device,
            TransferKind::HostToDevice => to == host || from == device,
            TransferKind::DeviceToHost => to == device || from == host,
            TransferKind::DeviceToDevice => to == host || from == host,
            TransferKind::Default | TransferKind::Unknown => false,
        };
        if !contradicts {
            continue;
        }
        let ends = copy.to.target.objects.iter().chain(&copy.from.target.objects);
        for &(pair, _) in ends.flat_map(|&object| pairs.of(object)) {
            let what = "a copy is told another direction than that of its pointers, so what it does is not defined";
            let role = PlaceRole::Other("this copy".to_owned());
            found.push((
                pair,
                Objection {
                    condition: Condition::Kind,
                    reason: Reason::Kind { code: "wrong-direction", what: what.to_owned() },
                    certain: true,
                    places: vec![place(graph, EventId::new(index), role)],
                    repair: None,
                },
            ));
        }
    }
    found
}

/// What stands against ordinary host memory, per object: work that is only known to do the same on memory of CUDA's.
pub(super) struct Ordinary<'g> {
    graph: &'g EventGraph,
    touched: HashMap<ObjectId, Vec<EventId>>,
}

impl<'g> Ordinary<'g> {
    /// Of `graph`.
    pub(super) fn new(graph: &'g EventGraph) -> Self {
        let mut touched: HashMap<ObjectId, Vec<EventId>> = HashMap::new();
        for (index, event) in graph.events.iter().enumerate() {
            let looks = match &event.kind {
                EventKind::Copy(_) => true,
                EventKind::Work(work) => work.kind != WorkKind::Kernel,
                EventKind::Allocate(_)
                | EventKind::HostRelease { .. }
                | EventKind::DeviceRelease { .. }
                | EventKind::Host(_)
                | EventKind::Synchronize(_)
                | EventKind::Record { .. }
                | EventKind::StreamWait { .. }
                | EventKind::Store { .. }
                | EventKind::Observe { .. }
                | EventKind::Escape { .. }
                | EventKind::SetDevice { .. }
                | EventKind::SetDeviceFlags
                | EventKind::DeviceReset
                | EventKind::ProcessControl { .. }
                | EventKind::Capture { .. }
                | EventKind::ReadClock { .. }
                | EventKind::ReadMemoryInfo
                | EventKind::HostCallback { .. }
                | EventKind::ThreadStart { .. }
                | EventKind::ThreadJoin
                | EventKind::UnknownCode { .. }
                | EventKind::Return { .. }
                | EventKind::Exit => false,
            };
            if looks {
                for touch in event.kind.touches() {
                    for &object in &touch.target.objects {
                        touched.entry(object).or_default().push(EventId::new(index));
                    }
                }
            }
        }
        Self { graph, touched }
    }

    /// The first such work on the device side of `pair`, or on its host side if that stays as a copy.
    fn obstacle(&self, pair: &CandidatePair) -> Option<EventId> {
        [pair.host, pair.device]
            .iter()
            .flat_map(|object| self.touched.get(object).into_iter().flatten())
            .copied()
            .filter(|event| pair.linking_copies.binary_search(event).is_err())
            .min()
    }

    /// Why `pair` cannot be of this kind on every device of the target, for the kinds that keep ordinary memory.
    fn objection(
        &self,
        target: Target,
        kind: MemoryKind,
        pair: &CandidatePair,
    ) -> Option<Objection> {
        let (code, what, place_of) = match kind {
            MemoryKind::Managed | MemoryKind::Mapped => return None,
            MemoryKind::System if !has_pageable_access(target) => (
                "no-pageable-access",
                "not every device of the target lets the GPU use ordinary host memory",
                None,
            ),
            MemoryKind::Registered if !shares_addresses(target) => (
                "no-shared-address",
                "not every device of the target is known to reach registered memory at the host's address",
                None,
            ),
            MemoryKind::System => (
                "needs-cuda-memory",
                "a copy, fill or library call on the buffer is only known to keep its order on memory of CUDA's",
                Some(self.obstacle(pair)?),
            ),
            MemoryKind::Registered => return None,
        };
        let places = match place_of {
            Some(event) => {
                let role = PlaceRole::Other("this is not a kernel".to_owned());
                vec![place(self.graph, event, role)]
            }
            None => link_place(self.graph, pair).into_iter().collect(),
        };
        Some(Objection {
            condition: Condition::Kind,
            reason: Reason::Kind { code, what: what.to_owned() },
            certain: place_of.is_none(),
            places,
            repair: None,
        })
    }

    /// Objections to the kind that was chosen.
    pub(super) fn check(&self, pairs: &Pairs, options: &Options) -> Vec<(usize, Objection)> {
        if !is_on(options, "kind") {
            return Vec::new();
        }
        let own = |pair| self.objection(options.target, options.memory, pair);
        let all = pairs.list.iter().enumerate();
        all.filter_map(|(index, pair)| Some((index, own(pair)?))).collect()
    }
}

/// Whether the GPU certainly reaches registered memory at the host's own address on every device of the target: where it
/// reaches all host memory there. For the others `canUseHostPointerForRegisteredMem` is not documented.
fn shares_addresses(target: Target) -> bool {
    match target {
        Target::Thor | Target::Gb10 | Target::Gh200 => true,
        Target::AnyUma | Target::Orin | Target::Xavier | Target::Mi300a | Target::Dgpu => false,
    }
}

/// What the kinds that keep ordinary memory take for granted of the system.
pub(super) fn assumption(options: &Options) -> Option<&'static str> {
    let ordinary = matches!(options.memory, MemoryKind::Registered | MemoryKind::System);
    match options.target {
        Target::Thor if ordinary => Some("the system is Linux for Tegra"),
        Target::Mi300a if ordinary => Some("the program runs with HSA_XNACK=1"),
        Target::AnyUma
        | Target::Orin
        | Target::Xavier
        | Target::Thor
        | Target::Gb10
        | Target::Gh200
        | Target::Mi300a
        | Target::Dgpu => None,
    }
}

/// Which kinds of memory the merge is sound with on every device of the target.
pub(super) fn kinds(
    options: &Options,
    exclusive: &[Objection],
    ordinary: &Ordinary<'_>,
    pair: &CandidatePair,
) -> (Vec<MemoryKind>, Vec<(MemoryKind, Objection)>) {
    let mut admissible = Vec::new();
    let mut excluded = Vec::new();
    match exclusive.first() {
        Some(objection) if lacks_concurrent_access(options.target) => {
            excluded.push((MemoryKind::Managed, objection.clone()));
        }
        Some(_) | None => admissible.push(MemoryKind::Managed),
    }
    admissible.push(MemoryKind::Mapped);
    for kind in [MemoryKind::Registered, MemoryKind::System] {
        match ordinary.objection(options.target, kind, pair) {
            Some(objection) => excluded.push((kind, objection)),
            None => admissible.push(kind),
        }
    }
    (admissible, excluded)
}
