//! Device work that may be unfinished.
//!
//! Pieces of work in one queue between which nothing happens that orders work are one *class*: they have the same
//! observers at any time. A class is a fixed number, so that the state stays small and joins are cheap.

use imbl::OrdMap;
use imbl::ordmap::DiffItem;

use crate::event::{EventGraph, EventId, EventKind, Role, Touch};

use super::queues::{Observers, Queue, Queues};

crate::index_type! {
    /// A class of device work.
    in pub(crate) Class
}

/// The classes of a graph.
pub(crate) struct Classes {
    of_event: Vec<Option<Class>>,
    events: Vec<EventId>,
}

impl Classes {
    /// Numbers the work of `graph`. `separates`: host accesses that must not fall between two pieces of one class.
    pub(crate) fn new(
        graph: &EventGraph,
        queues: &Queues,
        separates: impl Fn(&Touch<'_>) -> bool,
    ) -> Self {
        let mut classes = Self { of_event: vec![None; graph.events.len()], events: Vec::new() };
        let mut open: Vec<(Queue, bool, Class)> = Vec::new();
        for block in &graph.blocks {
            open.clear();
            for index in block.first..block.first + block.count {
                let id = EventId(index);
                let event = &graph.events[id.index()];
                let Some(stream) = event.kind.queue() else {
                    let passes = match event.kind.role() {
                        // Nothing that orders or needs to see the device happens here.
                        Role::Pointer => true,
                        Role::Memory => !event.kind.touches().iter().any(&separates),
                        Role::Birth(_)
                        | Role::Death(_)
                        | Role::Order
                        | Role::Environment
                        | Role::Code
                        | Role::Stretch
                        | Role::End => false,
                    };
                    if !passes {
                        open.clear();
                    }
                    continue;
                };
                let queue = queues.queue(stream);
                let (spins, joins) = if let EventKind::Work(work) = &event.kind {
                    (work.may_spin, !work.host_waits && !queues.is_barrier(queue))
                } else {
                    (false, false)
                };
                let known = open
                    .iter()
                    .find(|&&(q, s, _)| joins && q == queue && s == spins)
                    .map(|&(_, _, class)| class);
                let class = known.unwrap_or_else(|| {
                    let class = Class::new(classes.events.len());
                    classes.events.push(id);
                    class
                });
                classes.of_event[id.index()] = Some(class);
                if !joins {
                    open.clear();
                } else if known.is_none() {
                    open.push((queue, spins, class));
                }
            }
        }
        classes
    }

    /// The class of a piece of work, a copy or a queued host function.
    pub(crate) fn of(&self, event: EventId) -> Option<Class> {
        self.of_event[event.index()]
    }

    /// The first event of a class, to show.
    pub(crate) fn event(&self, class: Class) -> EventId {
        self.events[class.index()]
    }
}

/// What may be unfinished; bottom is nothing, join is union, observers are those on all paths.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pending {
    work: OrdMap<Class, Observers>,
    /// At least all observers of all of it.
    any: Observers,
    /// Some of it may be on another than the current device.
    elsewhere: bool,
    /// Work that is not described may be unfinished, in any queue. `None`: no; the event that may have submitted it
    /// otherwise, or nothing if it was the caller of the root.
    undescribed: Option<Option<EventId>>,
    /// Another thread may submit work at any time.
    thread: Option<EventId>,
}

impl Pending {
    /// At the entry of a root that others call: they may have left work.
    pub(crate) fn of_caller() -> Self {
        Self { undescribed: Some(None), ..Self::default() }
    }

    /// Nothing can be unfinished.
    pub(crate) fn is_idle(&self) -> bool {
        self.work.is_empty() && self.undescribed.is_none() && self.thread.is_none()
    }

    /// The classes that may be unfinished.
    pub(crate) fn classes(&self) -> impl Iterator<Item = Class> + '_ {
        self.work.keys().copied()
    }

    /// Whether work that is not described may be unfinished, and which event may have submitted it.
    pub(crate) fn undescribed(&self) -> Option<Option<EventId>> {
        self.undescribed.or(self.thread.map(Some))
    }

    /// Whether work of `class` may be unfinished.
    pub(crate) fn is_pending(&self, class: Class) -> bool {
        self.work.contains_key(&class)
    }

    /// Whether pending work of `class` is not certainly ordered before new work in `queue`.
    pub(crate) fn is_unordered(&self, queues: &Queues, class: Class, queue: Queue) -> bool {
        self.work.get(&class).is_some_and(|&observers| !queues.comes_after(observers, queue))
    }

    /// Described work that new work in `queue` may wait for although a wait of the host for `queue` does not cover it.
    pub(crate) fn behind_barrier(&self, queues: &Queues, queue: Queue) -> Option<Class> {
        let behind =
            |&(_, &observers): &(&Class, &Observers)| queues.may_wait_for_legacy(observers, queue);
        self.work.iter().find(behind).map(|(&class, _)| class)
    }

    /// New work of `class` is submitted.
    pub(crate) fn submit(&mut self, queues: &Queues, class: Class, queue: Queue) {
        if queues.may_pass_on(self.any, queue) {
            self.update(|observers| queues.passed_on(observers, queue));
        }
        let own = queues.observers_of(queue);
        self.any |= own;
        let joined = self.work.get(&class).map_or(own, |&earlier| earlier & own);
        self.work.insert(class, joined);
    }

    /// The host waits for `queue`.
    pub(crate) fn wait(&mut self, queues: &Queues, queue: Queue) {
        self.retain(|observers| !queues.is_waited_for(observers, queue));
    }

    /// The host waits for everything on the current device.
    pub(crate) fn wait_for_all(&mut self) {
        if self.elsewhere {
            self.retain(|observers| !Queues::is_on_device(observers));
        } else {
            (self.work, self.any) = (OrdMap::new(), 0);
        }
        self.undescribed = None;
    }

    /// Another device may be the current one from here: its default stream is another, and a wait for it waits for
    /// nothing that was submitted so far. Work that is not described is not known to be on either.
    pub(crate) fn leave_device(&mut self, queues: &Queues) {
        self.elsewhere |= !self.work.is_empty();
        self.update(|observers| queues.elsewhere(observers));
    }

    /// The host waits for a marker.
    pub(crate) fn wait_for_marker(&mut self, marker: u8) {
        self.retain(|observers| observers & (1 << marker) == 0);
    }

    /// Changes the observers of all unfinished work.
    pub(crate) fn update(&mut self, f: impl Fn(Observers) -> Observers) {
        let changes: Vec<(Class, Observers)> = self
            .work
            .iter()
            .map(|(&class, &observers)| (class, observers, f(observers)))
            .filter(|(_, old, new)| old != new)
            .map(|(class, _, new)| (class, new))
            .collect();
        for (class, observers) in changes {
            self.any |= observers;
            self.work.insert(class, observers);
        }
    }

    /// Code that is not described may have submitted work.
    pub(crate) fn add_undescribed(&mut self, queues: &Queues, by: EventId) {
        self.undescribed.get_or_insert(Some(by));
        self.update(|observers| queues.without_markers(observers));
    }

    /// Another thread runs from here.
    pub(crate) fn add_thread(&mut self, by: EventId) {
        self.thread.get_or_insert(by);
    }

    /// No other thread runs from here; what it submitted may still be unfinished.
    pub(crate) fn join_threads(&mut self) {
        if let Some(by) = self.thread.take() {
            self.undescribed.get_or_insert(Some(by));
        }
    }

    /// Makes `self` what may be unfinished on either path; whether it grew.
    pub(crate) fn join(&mut self, other: &Self) -> bool {
        // Affects how much is looked at, never what is found: no growth of its own.
        self.any |= other.any;
        self.elsewhere |= other.elsewhere;
        let mut grew = false;
        if !self.work.ptr_eq(&other.work) {
            let mut changes = Vec::new();
            for item in self.work.diff(&other.work) {
                match item {
                    DiffItem::Add(&class, &observers) => changes.push((class, observers)),
                    DiffItem::Update { old: (&class, &old), new: (_, &new) } => {
                        if old & new != old {
                            changes.push((class, old & new));
                        }
                    }
                    DiffItem::Remove(..) => {}
                }
            }
            grew |= !changes.is_empty();
            for (class, observers) in changes {
                self.work.insert(class, observers);
            }
        }
        if self.undescribed.is_none() && other.undescribed.is_some() {
            self.undescribed = other.undescribed;
            grew = true;
        }
        if self.thread.is_none() && other.thread.is_some() {
            self.thread = other.thread;
            grew = true;
        }
        grew
    }

    fn retain(&mut self, keep: impl Fn(Observers) -> bool) {
        let done: Vec<Class> =
            self.work.iter().filter(|&(_, &observers)| !keep(observers)).map(|(&c, _)| c).collect();
        if done.len() == self.work.len() {
            (self.work, self.any, self.elsewhere) = (OrdMap::new(), 0, false);
        } else {
            for class in done {
                self.work.remove(&class);
            }
        }
    }
}
