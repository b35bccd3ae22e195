//! Kinds of memory and what devices can do with them (S6, R-75).

use crate::condition::{Pairs, link_place, place};
use crate::event::{EventGraph, EventId, EventKind, Mode};
use crate::mutation::is_on;
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

/// Which kinds of memory the merge is sound with on every device of the target.
pub(super) fn kinds(
    options: &Options,
    exclusive: &[Objection],
    graph: &EventGraph,
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
    let kind_objection = |code: &'static str, what: &str| Objection {
        condition: Condition::Kind,
        reason: Reason::Kind { code, what: what.to_owned() },
        certain: true,
        places: link_place(graph, pair).into_iter().collect(),
        repair: None,
    };
    if !has_pageable_access(options.target) {
        let what = "not every device of the target lets the GPU use ordinary host memory";
        excluded.push((MemoryKind::System, kind_objection("no-pageable-access", what)));
    }
    (admissible, excluded)
}
