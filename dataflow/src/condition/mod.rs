//! The conditions a merge must satisfy, one module each.

pub(crate) mod coverage;
mod exclusive;
pub(crate) mod lifetime;
pub(crate) mod order;
pub(crate) mod timing;
mod transfer;
pub(crate) mod value;

use std::collections::HashMap;

use crate::event::{EventGraph, EventId, EventKind, ObjectId};
use crate::program::SourceRef;
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
    match &graph.events[event.index()].kind {
        EventKind::Work(work) => match work.kind {
            crate::event::WorkKind::Kernel => format!("kernel `{}`", work.name),
            crate::event::WorkKind::Library
            | crate::event::WorkKind::Fill
            | crate::event::WorkKind::Graph => {
                format!("`{}`", work.name)
            }
        },
        EventKind::Copy(_) => "a copy".to_owned(),
        EventKind::Allocate(_) => "its zero-filling allocation".to_owned(),
        EventKind::HostRelease { .. }
        | EventKind::DeviceRelease { .. }
        | EventKind::Host(_)
        | EventKind::Synchronize(_)
        | EventKind::Record { .. }
        | EventKind::StreamWait { .. }
        | EventKind::Store { .. }
        | EventKind::Observe { .. }
        | EventKind::Escape { .. }
        | EventKind::SetDevice
        | EventKind::SetDeviceFlags
        | EventKind::DeviceReset
        | EventKind::ProcessControl { .. }
        | EventKind::Capture { .. }
        | EventKind::ReadClock { .. }
        | EventKind::HostCallback { .. }
        | EventKind::ThreadStart { .. }
        | EventKind::ThreadJoin
        | EventKind::UnknownCode { .. }
        | EventKind::Opaque { .. }
        | EventKind::Return { .. }
        | EventKind::Exit => String::new(),
    }
}

/// The linking copy shown for a pair: its first.
pub(crate) fn link_place(graph: &EventGraph, pair: &CandidatePair) -> Option<Place> {
    pair.linking_copies.first().map(|&copy| place(graph, copy, PlaceRole::Link))
}
