//! S2, timed copies: a copy whose duration the program measures with CUDA events must stay.
//!
//! A copy is timed if it lies between the records of two markers whose distance is read, and no other device work does:
//! then the duration is the copy's own. Durations measured with host clocks are not looked at.

use std::collections::{BTreeMap, BTreeSet};

use imbl::{OrdMap, OrdSet};

use crate::analysis::fixpoint::{State, forward};
use crate::event::{EventBlockId, EventGraph, EventId, EventKind, MarkerId, Role};
use crate::mutation::is_on;
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason};

use super::{Pairs, place};

/// Since each start marker's last record: the linking copies, if nothing but copies ran on some path.
#[derive(Clone, Default)]
struct Since(OrdMap<MarkerId, OrdSet<EventId>>);

impl State for Since {
    fn join(&mut self, other: &Self) -> bool {
        let mut grew = false;
        for (marker, copies) in &other.0 {
            let joined = match self.0.get(marker) {
                None => copies.clone(),
                Some(own) => own.clone().union(copies.clone()),
            };
            if self.0.get(marker) != Some(&joined) {
                self.0.insert(*marker, joined);
                grew = true;
            }
        }
        grew
    }
}

/// Objections to pairs whose linking copies are timed.
pub(crate) fn check(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
) -> Vec<(usize, Objection)> {
    let mut stops: BTreeMap<MarkerId, Vec<MarkerId>> = BTreeMap::new();
    let mut starts: BTreeSet<MarkerId> = BTreeSet::new();
    for event in &graph.events {
        if let EventKind::ReadClock { between: Some((start, stop)) } = event.kind {
            stops.entry(stop).or_default().push(start);
            starts.insert(start);
        }
    }
    if starts.is_empty() || !is_on(options, "timed-copy") {
        return Vec::new();
    }
    let mut pair_of: BTreeMap<EventId, usize> = BTreeMap::new();
    for (index, pair) in pairs.list.iter().enumerate() {
        pair_of.extend(pair.linking_copies.iter().map(|&copy| (copy, index)));
    }
    let mut timed: BTreeMap<usize, (EventId, EventId)> = BTreeMap::new();
    let mut transfer = |block: EventBlockId, state: &mut Since| {
        for (id, event) in graph.events_of(block) {
            if let EventKind::Record { marker: Some(marker), .. } = &event.kind {
                for start in stops.get(marker).into_iter().flatten() {
                    for copy in state.0.get(start).into_iter().flatten() {
                        if let Some(&pair) = pair_of.get(copy) {
                            timed.entry(pair).or_insert((*copy, id));
                        }
                    }
                }
                if starts.contains(marker) {
                    state.0.insert(*marker, OrdSet::new());
                }
            } else if pair_of.contains_key(&id) {
                let open: Vec<MarkerId> = state.0.keys().copied().collect();
                for marker in open {
                    state.0.entry(marker).or_default().insert(id);
                }
            } else if event.kind.queue().is_some() || event.kind.role() == Role::Code {
                state.0.clear();
            }
        }
    };
    forward(graph, Since::default(), &mut transfer);
    timed
        .into_iter()
        .map(|(pair, (copy, record))| {
            let objection = Objection {
                condition: Condition::Order,
                reason: Reason::TimedCopy,
                certain: true,
                places: vec![
                    place(graph, copy, PlaceRole::Link),
                    place(
                        graph,
                        record,
                        PlaceRole::Other("its duration is measured up to here".to_owned()),
                    ),
                ],
                repair: None,
            };
            (pair, objection)
        })
        .collect()
}
