//! Candidate pairs: a host and a device object that copies between corresponding bytes link.

use std::collections::BTreeMap;

use crate::event::{Copy, EventGraph, EventId, EventKind, ObjectId, ObjectKind};
use crate::program::{DeviceMemory, HostAllocator};
use crate::size::Size;
use crate::verdict::{CandidatePair, Side};

/// Pairs of `graph` in source order of their device allocation, then host allocation. A pair is listed if some copy
/// joins the starts of the two objects; whether it moves all their bytes is the size condition's business.
#[must_use]
pub fn candidates(graph: &EventGraph) -> Vec<CandidatePair> {
    let mut pairs: BTreeMap<(ObjectId, ObjectId), Vec<EventId>> = BTreeMap::new();
    for (index, event) in graph.events.iter().enumerate() {
        let EventKind::Copy(copy) = &event.kind else { continue };
        let Some((host, device, _)) = ends(graph, copy) else { continue };
        if is_linking(copy) {
            pairs.entry((host, device)).or_default().push(EventId::new(index));
        }
    }
    let mut found: Vec<CandidatePair> = pairs
        .into_iter()
        .filter(|(_, copies)| copies.iter().any(|&c| starts_at_zero(graph, c)))
        .map(|((host, device), linking_copies)| CandidatePair { host, device, linking_copies })
        .collect();
    found.sort_by_key(|pair| {
        (graph.object(pair.device).allocation, graph.object(pair.host).allocation)
    });
    found
}

/// The host and device object a copy joins, and the side it writes; `None` if it is not between two such objects.
pub(crate) fn ends(graph: &EventGraph, copy: &Copy) -> Option<(ObjectId, ObjectId, Side)> {
    let to = copy.to.target.single()?;
    let from = copy.from.target.single()?;
    match (side_of(graph, to), side_of(graph, from)) {
        (Some(Side::Device), Some(Side::Host)) => Some((from, to, Side::Device)),
        (Some(Side::Host), Some(Side::Device)) => Some((to, from, Side::Host)),
        (Some(_) | None, Some(_) | None) => None,
    }
}

/// Which side of a candidate pair an object can be.
pub(crate) fn side_of(graph: &EventGraph, object: ObjectId) -> Option<Side> {
    match &graph.object(object).kind {
        ObjectKind::HostHeap(
            HostAllocator::Malloc
            | HostAllocator::Calloc
            | HostAllocator::NewArray
            | HostAllocator::NewArrayZeroed,
        ) => Some(Side::Host),
        ObjectKind::Cuda(DeviceMemory::Device) => Some(Side::Device),
        ObjectKind::HostHeap(
            HostAllocator::NewArrayConstructed | HostAllocator::NewObject | HostAllocator::Other,
        )
        | ObjectKind::Cuda(
            DeviceMemory::Managed
            | DeviceMemory::Pinned
            | DeviceMemory::Mapped
            | DeviceMemory::Pitched
            | DeviceMemory::StreamOrdered
            | DeviceMemory::Array,
        )
        | ObjectKind::Variable(_)
        | ObjectKind::DeviceVariable(_)
        | ObjectKind::Constant
        | ObjectKind::Handle
        | ObjectKind::External => None,
    }
}

/// The copy moves bytes to the same offsets they came from.
pub(crate) fn is_linking(copy: &Copy) -> bool {
    !copy.strided && copy.to.offset.is_some() && copy.to.offset == copy.from.offset
}

fn starts_at_zero(graph: &EventGraph, id: EventId) -> bool {
    if let EventKind::Copy(copy) = &graph.events[id.index()].kind {
        copy.to.offset.as_ref().and_then(Size::as_constant) == Some(0)
    } else {
        false
    }
}
