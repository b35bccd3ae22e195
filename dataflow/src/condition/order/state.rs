//! The state of the analysis of order.

use std::rc::Rc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::analysis::fixpoint::State;
use crate::analysis::pending::{Class, Pending};
use crate::event::EventId;

/// An access of device work to a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Touch {
    pub(crate) class: Class,
    pub(crate) device: bool,
    pub(crate) writes: bool,
    pub(crate) by: EventId,
}

/// The state: what is unfinished, and which buffers it touches.
#[derive(Clone, Default)]
pub(crate) struct Running {
    pub(crate) pending: Pending,
    /// Per buffer, ascending. Touches of finished work may remain: they are looked up in `pending`.
    pub(crate) touches: OrdMap<usize, Rc<[Touch]>>,
    /// Per merged buffer: work that was unfinished when it was allocated.
    pub(crate) born_busy: OrdMap<usize, Class>,
    /// A stream capture may be going on.
    pub(crate) capturing: bool,
    /// The current device, if it is known.
    pub(crate) device: Option<i128>,
}

/// Both, ascending, one of each kind.
pub(crate) fn union(left: &[Touch], right: &[Touch]) -> Vec<Touch> {
    let mut all: Vec<Touch> = left.iter().chain(right).copied().collect();
    all.sort_unstable();
    all.dedup_by_key(|touch| (touch.class, touch.device, touch.writes));
    all
}

impl State for Running {
    fn join(&mut self, other: &Self) -> bool {
        let mut grew = self.pending.join(&other.pending);
        if !self.touches.ptr_eq(&other.touches) {
            let mut changes: Vec<(usize, Rc<[Touch]>)> = Vec::new();
            for item in self.touches.diff(&other.touches) {
                match item {
                    DiffItem::Add(&slot, new) => changes.push((slot, new.clone())),
                    DiffItem::Update { old: (&slot, old), new: (_, new) } => {
                        let joined = union(old, new);
                        if joined.len() != old.len() {
                            changes.push((slot, joined.into()));
                        }
                    }
                    DiffItem::Remove(..) => {}
                }
            }
            grew |= !changes.is_empty();
            for (slot, touches) in changes {
                self.touches.insert(slot, touches);
            }
        }
        if !self.born_busy.ptr_eq(&other.born_busy) {
            let new: Vec<(usize, Class)> = other
                .born_busy
                .iter()
                .filter(|&(slot, _)| !self.born_busy.contains_key(slot))
                .map(|(&slot, &class)| (slot, class))
                .collect();
            grew |= !new.is_empty();
            for (slot, class) in new {
                self.born_busy.insert(slot, class);
            }
        }
        if self.device.is_some() && self.device != other.device {
            self.device = None;
            grew = true;
        }
        grew |= other.capturing && !self.capturing;
        self.capturing |= other.capturing;
        grew
    }
}
