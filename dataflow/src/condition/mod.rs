//! The conditions a merge must satisfy, one module each.

pub(crate) mod alias;
pub(crate) mod coverage;
pub(crate) mod lifetime;
pub(crate) mod order;
pub(crate) mod reset;
pub(crate) mod timing;
pub(crate) mod value;

use std::collections::HashMap;

use crate::event::{Access, EventGraph, EventId, EventKind, Mode, ObjectId, ObjectKind, WorkKind};
use crate::program::{HostAllocator, SourceRef};
use crate::verdict::{CandidatePair, Place, PlaceRole, Side};

/// Candidate pairs with an index by object.
pub(crate) struct Pairs {
    pub(crate) list: Vec<CandidatePair>,
    by_object: HashMap<ObjectId, Vec<(usize, Side)>>,
}

impl Pairs {
    pub(crate) fn new(list: Vec<CandidatePair>) -> Self {
        let mut by_object: HashMap<ObjectId, Vec<(usize, Side)>> = HashMap::new();
        for (index, pair) in list.iter().enumerate() {
            by_object.entry(pair.host).or_default().push((index, Side::Host));
            by_object.entry(pair.device).or_default().push((index, Side::Device));
        }
        Self { list, by_object }
    }

    /// The pairs `object` belongs to, with its side.
    pub(crate) fn of(&self, object: ObjectId) -> &[(usize, Side)] {
        self.by_object.get(&object).map_or(&[], Vec::as_slice)
    }
}

/// The source of an event.
pub(crate) fn source(graph: &EventGraph, event: EventId) -> SourceRef {
    graph.events[event.index()].source
}

/// A place of an objection.
pub(crate) fn place(graph: &EventGraph, event: EventId, role: PlaceRole) -> Place {
    Place { source: source(graph, event), role }
}

/// What does an event, for people: `kernel `scale``; empty for a plain host access.
pub(crate) fn actor(graph: &EventGraph, event: EventId) -> String {
    let kind = &graph.events[event.index()].kind;
    if let EventKind::Work(work) = kind {
        return match work.kind {
            WorkKind::Kernel => format!("kernel `{}`", work.name),
            WorkKind::Library | WorkKind::Fill | WorkKind::Graph => format!("`{}`", work.name),
        };
    }
    if let EventKind::Copy(_) = kind {
        "a copy".to_owned()
    } else if let EventKind::Allocate(_) = kind {
        "its zero-filling allocation".to_owned()
    } else {
        unknown_code(graph, event).map_or_else(String::new, |why| format!("unknown code: {why}"))
    }
}

/// Why code is not described, if that is what accesses memory at `event`.
fn unknown_code(graph: &EventGraph, event: EventId) -> Option<&str> {
    let own = &graph.events[event.index()];
    if let EventKind::UnknownCode { why, .. } = &own.kind {
        return Some(why);
    }
    let EventKind::Host(Access { mode: Mode::ReadWrite, must: false, .. }) = own.kind else {
        return None;
    };
    // The rest of the same call.
    let rest = graph.events[event.index() + 1..].iter();
    rest.take_while(|next| next.at == own.at && next.context == own.context).find_map(|next| {
        let EventKind::UnknownCode { why, .. } = &next.kind else { return None };
        Some(why.as_str())
    })
}

/// The linking copy shown for a pair: its first.
pub(crate) fn link_place(graph: &EventGraph, pair: &CandidatePair) -> Option<Place> {
    pair.linking_copies.first().map(|&copy| place(graph, copy, PlaceRole::Link))
}

/// The allocation of `object` fills it with zeros.
pub(crate) fn is_zero_filled(graph: &EventGraph, object: ObjectId) -> bool {
    matches!(
        graph.object(object).kind,
        ObjectKind::HostHeap(HostAllocator::Calloc | HostAllocator::NewArrayZeroed)
    )
}
