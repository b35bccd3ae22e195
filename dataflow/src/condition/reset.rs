//! S4, a reset of the device by code that is not described.
//!
//! A reset destroys managed memory, and leaves `malloc`'s alone. A program that uses its device buffer later cannot have
//! reset the device; one that only goes on with the host buffer can. So unknown code that may be of the program counts
//! as a reset where, on some path to the end, the host buffer is accessed after it and the device buffer is not.

use imbl::OrdMap;

use crate::analysis::fixpoint::{State, forward};
use crate::event::{EventBlockId, EventGraph, EventId, EventKind, ObjectId, Role};
use crate::mutation::is_on;
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Side};

use super::{Pairs, place};

/// A pair since its device side was allocated.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct Since {
    /// Code that may have reset the device, with no access to the device side since.
    reset: Option<EventId>,
    /// The host side was accessed after that.
    used: bool,
}

#[derive(Clone, Default)]
struct Known(OrdMap<usize, Since>);

impl State for Known {
    fn join(&mut self, other: &Self) -> bool {
        if self.0.ptr_eq(&other.0) {
            return false;
        }
        let mut grew = false;
        for (&pair, theirs) in &other.0 {
            let own = self.0.get(&pair).copied();
            let joined = own.map_or(*theirs, |own| Since {
                reset: own.reset.or(theirs.reset),
                used: own.used || theirs.used,
            });
            if own != Some(joined) {
                self.0.insert(pair, joined);
                grew = true;
            }
        }
        grew
    }
}

/// Objections to pairs whose merged buffer unknown code may destroy.
pub(crate) fn check(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
) -> Vec<(usize, Objection)> {
    let of_program =
        |kind: &EventKind| matches!(kind, EventKind::UnknownCode { of_program, .. } if *of_program);
    if !graph.events.iter().any(|event| of_program(&event.kind)) || !is_on(options, "device-reset")
    {
        return Vec::new();
    }
    let block = |block: EventBlockId, state: &mut Known| {
        for (id, event) in graph.events_of(block) {
            match event.kind.role() {
                Role::Birth(object) => born(pairs, state, object),
                Role::Death(target) => {
                    for &(pair, side) in target.objects.iter().flat_map(|&o| pairs.of(o)) {
                        // Nothing is left that a reset could destroy.
                        if side == Side::Host && target.single().is_some() {
                            let used = state.0.get(&pair).filter(|since| since.used).copied();
                            match used {
                                Some(since) => state.0.insert(pair, since),
                                None => state.0.remove(&pair),
                            };
                        }
                    }
                }
                Role::Memory => {
                    for touch in event.kind.touches() {
                        for &(pair, side) in touch.target.objects.iter().flat_map(|&o| pairs.of(o))
                        {
                            accessed(state, pair, side);
                        }
                    }
                }
                Role::Code if of_program(&event.kind) => {
                    let open: Vec<usize> = state
                        .0
                        .iter()
                        .filter(|(_, since)| since.reset.is_none())
                        .map(|(&pair, _)| pair)
                        .collect();
                    for pair in open {
                        state.0.insert(pair, Since { reset: Some(id), used: false });
                    }
                }
                Role::Order
                | Role::Pointer
                | Role::Environment
                | Role::Code
                | Role::Stretch
                | Role::End => {}
            }
        }
    };
    let states = forward(graph, Known::default(), block);
    let mut found = Vec::new();
    for (index, state) in states.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        if !graph.blocks[index].successors.is_empty() {
            continue;
        }
        block(EventBlockId::new(index), &mut state);
        for (&pair, since) in &state.0 {
            if let (Some(at), true) = (since.reset, since.used) {
                let role =
                    PlaceRole::Other("this code is not seen and may reset the device".to_owned());
                found.push((
                    pair,
                    Objection {
                        condition: Condition::Lifetime,
                        reason: Reason::DeviceReset,
                        certain: false,
                        places: vec![place(graph, at, role)],
                        repair: None,
                    },
                ));
            }
        }
    }
    found.sort_by_key(|(pair, _)| *pair);
    found.dedup_by_key(|(pair, _)| *pair);
    found
}

fn born(pairs: &Pairs, state: &mut Known, object: ObjectId) {
    for &(pair, side) in pairs.of(object) {
        if side == Side::Device {
            let used = state.0.get(&pair).is_some_and(|since| since.used);
            if !used {
                state.0.insert(pair, Since::default());
            }
        }
    }
}

fn accessed(state: &mut Known, pair: usize, side: Side) {
    let Some(since) = state.0.get(&pair).copied() else { return };
    let since = match (side, since.reset) {
        (Side::Device, _) => Since::default(),
        (Side::Host, Some(reset)) => Since { reset: Some(reset), used: true },
        (Side::Host, None) => return,
    };
    state.0.insert(pair, since);
}
