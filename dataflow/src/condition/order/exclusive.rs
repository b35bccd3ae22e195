//! S5 (exclusive access): while the device may be busy, the host touches no managed memory.

use crate::analysis::pending::{Class, Classes, Pending};
use crate::event::{EventGraph, EventId, Mode};
use crate::verdict::{Condition, Objection, Place, PlaceRole, Reason, Repair, Side};

use crate::condition::{actor, place, source};

/// What keeps the device busy.
pub(crate) enum Busy {
    /// Described work.
    Work(Class),
    /// Work that is not described, submitted by this event or by the root's caller.
    Undescribed(Option<EventId>),
}

/// What may keep the device busy; `counts`: the work is activity in the sense of the exclusive-access rule.
pub(crate) fn busy(pending: &Pending, counts: impl Fn(Class) -> bool) -> Option<Busy> {
    pending
        .classes()
        .find(|&class| counts(class))
        .map(Busy::Work)
        .or_else(|| pending.undescribed().map(Busy::Undescribed))
}

/// The objection to a host access at `id`. `born`: work that was already unfinished when the buffer was allocated.
pub(crate) fn objection(
    graph: &EventGraph,
    classes: &Classes,
    id: EventId,
    side: Side,
    mode: Mode,
    busy: &Busy,
    born: Option<Class>,
) -> Objection {
    let role = match mode {
        Mode::Read => PlaceRole::Read { side, by: actor(graph, id) },
        Mode::Write | Mode::ReadWrite => PlaceRole::Write { side, by: actor(graph, id) },
    };
    let reason = match born {
        Some(_) => Reason::AllocatedWhileBusy,
        None => Reason::HostAccessWhileBusy,
    };
    let mut places = vec![place(graph, id, role)];
    places.extend(match born {
        Some(class) => work(graph, classes, &Busy::Work(class)),
        None => work(graph, classes, busy),
    });
    Objection {
        condition: Condition::ExclusiveAccess,
        reason,
        certain: matches!(busy, Busy::Work(_)),
        places,
        repair: Some(Repair::SynchronizeBefore(source(graph, id))),
    }
}

/// Where the work comes from that keeps the device busy.
pub(crate) fn work(graph: &EventGraph, classes: &Classes, busy: &Busy) -> Option<Place> {
    let by = match busy {
        Busy::Work(class) => Some(classes.event(*class)),
        Busy::Undescribed(by) => *by,
    };
    if let Some(by) = by {
        return Some(place(graph, by, PlaceRole::Busy { by: actor(graph, by) }));
    }
    let role = PlaceRole::Other("its callers may have left device work running".to_owned());
    graph.root_source.map(|source| Place { source, role })
}
