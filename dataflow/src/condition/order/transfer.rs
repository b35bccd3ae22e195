//! How copies synchronize: the documented edges of a copy that stays, and what replaces one that goes.

use crate::event::{Copy, EventGraph, ObjectKind, Target};
use crate::program::{DeviceMemory, TransferKind};
use crate::size::Size;
use crate::verdict::Replacement;

/// How a copy's end behaves for synchronization.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndKind {
    Pageable,
    Pinned,
    Device,
    /// Managed memory: no documented edge.
    Managed,
    Unknown,
}

/// What a copy that stays does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Edges {
    /// The host copies, before the call returns.
    OnHost,
    /// The device copies, and the call returns when it has.
    Completes,
    /// The source is read before the call returns (after earlier work of the queue, if `waits`); the tail of the
    /// transfer may still run.
    Staged {
        /// The host waits for earlier work of the queue first.
        waits: bool,
    },
    /// The device copies at some later time.
    Later,
}

/// The kind of a copy's end.
pub(crate) fn end_kind(graph: &EventGraph, target: &Target) -> EndKind {
    let mut kinds = target.objects.iter().map(|&object| match &graph.object(object).kind {
        ObjectKind::HostHeap(_) | ObjectKind::Variable(_) | ObjectKind::Constant => {
            EndKind::Pageable
        }
        ObjectKind::Cuda(DeviceMemory::Pinned | DeviceMemory::Mapped) => EndKind::Pinned,
        ObjectKind::Cuda(
            DeviceMemory::Device
            | DeviceMemory::Pitched
            | DeviceMemory::StreamOrdered
            | DeviceMemory::Array,
        ) => EndKind::Device,
        ObjectKind::Cuda(DeviceMemory::Managed) | ObjectKind::DeviceVariable(_) => EndKind::Managed,
        ObjectKind::Handle | ObjectKind::External => EndKind::Unknown,
    });
    match (kinds.next(), target.unknown) {
        (Some(first), false) if kinds.all(|kind| kind == first) => first,
        (Some(_) | None, _) => EndKind::Unknown,
    }
}

/// The documented edges of a copy neither end of which is merged.
pub(crate) fn edges(graph: &EventGraph, copy: &Copy) -> Edges {
    let (to, from) = (end_kind(graph, &copy.to.target), end_kind(graph, &copy.from.target));
    let host = |kind| matches!(kind, EndKind::Pageable | EndKind::Pinned);
    if host(to) && host(from) {
        return Edges::OnHost;
    }
    if copy.stream.is_some() {
        return Edges::Later;
    }
    let large = copy.bytes.as_ref().and_then(Size::as_constant).is_some_and(|b| b > 65_536);
    match (to, from) {
        (EndKind::Pageable | EndKind::Pinned, EndKind::Device)
        | (EndKind::Device, EndKind::Pinned) => Edges::Completes,
        // The kind as written says that the unknown end is host memory (R-81: anything else is undefined).
        (EndKind::Unknown, EndKind::Device) if copy.kind == TransferKind::DeviceToHost => {
            Edges::Completes
        }
        (EndKind::Device, EndKind::Pageable) => Edges::Staged { waits: large },
        (EndKind::Device, EndKind::Unknown) if copy.kind == TransferKind::HostToDevice => {
            Edges::Staged { waits: large }
        }
        (
            EndKind::Pageable
            | EndKind::Pinned
            | EndKind::Device
            | EndKind::Managed
            | EndKind::Unknown,
            EndKind::Pageable
            | EndKind::Pinned
            | EndKind::Device
            | EndKind::Managed
            | EndKind::Unknown,
        ) => Edges::Later,
    }
}

/// The wait that keeps what the original copy ordered, whether it is removed (table of DESIGN section 4) or stays with
/// a merged end.
///
/// A synchronous copy between two device buffers, and an asynchronous one without a pageable end, made the host wait for
/// nothing.
pub(crate) fn wait_of(graph: &EventGraph, copy: &Copy) -> Replacement {
    let (to, from) = (end_kind(graph, &copy.to.target), end_kind(graph, &copy.from.target));
    let both = |is: fn(EndKind) -> bool| is(to) && is(from);
    match &copy.stream {
        None if both(|kind| kind == EndKind::Device) => Replacement::Nothing,
        None => Replacement::DefaultStream,
        Some(_) if both(|kind| matches!(kind, EndKind::Device | EndKind::Pinned)) => {
            Replacement::Nothing
        }
        Some(_) => Replacement::SameStream,
    }
}
