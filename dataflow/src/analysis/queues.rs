//! Queues of device work, and what certainly comes after what.
//!
//! An *observer* is a queue or a marker (a CUDA event). For each piece of work that may be unfinished the analysis keeps
//! the observers it is certainly covered by: later work in such a queue, and a wait for such a queue or marker, comes
//! after it. Only documented edges count; a queue that is not known exactly observes nothing.

use crate::event::{EventGraph, MarkerId, StreamUse};
use crate::mutation::is_on;
use crate::target::Options;

/// A set of observers.
pub(crate) type Observers = u128;

/// Which queue an operation uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Queue {
    /// The observer with this number.
    Known(u8),
    /// Any queue.
    Unknown,
}

/// As an observer of other queues' work: some later legacy work comes after it, and so does later work of blocking streams.
const LEGACY: u8 = 0;
const PER_THREAD: u8 = 1;
/// The legacy stream was told to wait for it. Its own later work does; the blocking streams wait for that work only.
const LEGACY_WAITS: u8 = 2;
/// A wait for the current device covers it.
const DEVICE: u8 = 3;

/// The observers of one graph.
pub(crate) struct Queues {
    per_thread_default: bool,
    created: Vec<Option<u8>>,
    markers: Vec<Option<u8>>,
    /// Queues that take part in the barriers of the legacy stream, for certain.
    blocking: Observers,
    /// Queues that do not take part in them, for certain.
    non_blocking: Observers,
    all_markers: Observers,
    /// No queue but the default stream is ever named, so that barriers change nothing.
    only_default: bool,
}

impl Queues {
    /// The observers of `graph`. Beyond 128 the rest are treated as unknown.
    pub(crate) fn new(graph: &EventGraph, options: &Options) -> Self {
        let mut next = 4u8;
        let mut number = |several: bool| {
            let fits = !several && next < 128;
            let own = next;
            next += u8::from(fits);
            fits.then_some(own)
        };
        let created: Vec<Option<u8>> = graph.streams.iter().map(|s| number(s.several)).collect();
        let markers: Vec<Option<u8>> = graph.markers.iter().map(|m| number(m.several)).collect();
        let mut blocking = 1 << LEGACY | 1 << PER_THREAD;
        let mut non_blocking = 0;
        for (stream, own) in graph.streams.iter().zip(&created) {
            if let (Some(own), Some(true)) = (own, stream.non_blocking) {
                non_blocking |= 1 << own;
            }
            let is_blocking = stream.non_blocking == Some(false) || !is_on(options, "non-blocking");
            if let (Some(own), true) = (own, is_blocking) {
                blocking |= 1 << own;
            }
        }
        Self {
            per_thread_default: graph.per_thread_default_stream,
            only_default: graph.streams.is_empty(),
            all_markers: markers.iter().flatten().fold(0, |all, m| all | 1 << m),
            created,
            markers,
            blocking,
            non_blocking,
        }
    }

    /// The queue `stream` names.
    pub(crate) fn queue(&self, stream: &StreamUse) -> Queue {
        match stream {
            StreamUse::Default if self.per_thread_default => Queue::Known(PER_THREAD),
            StreamUse::Default | StreamUse::Legacy => Queue::Known(LEGACY),
            StreamUse::PerThread => Queue::Known(PER_THREAD),
            StreamUse::Created(id) => {
                self.created.get(id.index()).copied().flatten().map_or(Queue::Unknown, Queue::Known)
            }
            StreamUse::Unknown => Queue::Unknown,
        }
    }

    /// The observer of a marker, if it is known exactly.
    pub(crate) fn marker(&self, marker: Option<MarkerId>) -> Option<u8> {
        marker.and_then(|id| self.markers.get(id.index()).copied().flatten())
    }

    /// Whether later *work* in `queue` certainly comes after work with these observers. The legacy stream waits for all
    /// blocking streams, and their later work for its work.
    pub(crate) fn comes_after(&self, observers: Observers, queue: Queue) -> bool {
        let barrier = match queue {
            Queue::Known(own) => own != LEGACY && self.blocking & (1 << own) != 0,
            Queue::Unknown => false,
        };
        self.is_waited_for(observers, queue) || (barrier && observers & (1 << LEGACY) != 0)
    }

    /// Whether a *wait of the host* for `queue` certainly covers work with these observers: a blocking stream has not
    /// seen the legacy stream's work until it has later work of its own.
    pub(crate) fn is_waited_for(&self, observers: Observers, queue: Queue) -> bool {
        let through = match queue {
            Queue::Known(LEGACY) => self.blocking | 1 << LEGACY_WAITS,
            Queue::Known(own) => 1 << own,
            Queue::Unknown => 0,
        };
        observers & through != 0
    }

    /// Whether work in `queue` may wait for work with these observers that a wait of the host for `queue` does not cover:
    /// that of the legacy stream.
    pub(crate) fn may_wait_for_legacy(&self, observers: Observers, queue: Queue) -> bool {
        let legacy = observers & (1 << LEGACY | 1 << LEGACY_WAITS) != 0;
        legacy && self.may_block(queue) && !self.is_waited_for(observers, queue)
    }

    /// Whether `queue` may be another than the legacy stream and take part in its barriers.
    pub(crate) fn may_block(&self, queue: Queue) -> bool {
        match queue {
            Queue::Known(own) => own != LEGACY && self.non_blocking & (1 << own) == 0,
            Queue::Unknown => true,
        }
    }

    /// The observers of work just submitted to `queue`.
    pub(crate) fn observers_of(&self, queue: Queue) -> Observers {
        match queue {
            Queue::Known(own) => 1 << own | 1 << DEVICE,
            Queue::Unknown => 1 << DEVICE,
        }
    }

    /// Whether a wait for the current device covers work with these observers.
    pub(crate) fn is_on_device(observers: Observers) -> bool {
        observers & 1 << DEVICE != 0
    }

    /// The observers of work that may be on another than the current device: streams of that one are not told apart.
    pub(crate) fn elsewhere(&self, observers: Observers) -> Observers {
        observers & self.all_markers
    }

    /// What earlier work with these observers is observed by once new work is in `queue`.
    pub(crate) fn passed_on(&self, observers: Observers, queue: Queue) -> Observers {
        match queue {
            Queue::Known(own) if self.comes_after(observers, queue) => observers | 1 << own,
            Queue::Known(_) | Queue::Unknown => observers,
        }
    }

    /// Whether work in `queue` is a barrier between other queues.
    pub(crate) fn is_barrier(&self, queue: Queue) -> bool {
        !self.only_default && queue == Queue::Known(LEGACY)
    }

    /// Whether work in `queue` may change the observers of earlier work, which together have the observers `any`.
    pub(crate) fn may_pass_on(&self, any: Observers, queue: Queue) -> bool {
        match queue {
            Queue::Known(LEGACY) => !self.only_default,
            Queue::Known(own) => self.blocking & (1 << own) != 0 && any & (1 << LEGACY) != 0,
            Queue::Unknown => false,
        }
    }

    /// The observers of work after a marker was recorded in `queue`: its own record now covers what the queue covers,
    /// and nothing else; a record of a marker that is not known exactly may have been any.
    pub(crate) fn recorded(
        &self,
        observers: Observers,
        marker: Option<u8>,
        queue: Queue,
    ) -> Observers {
        // Whether a record takes part in the barriers of the legacy stream is not documented: not used.
        let covered = match queue {
            Queue::Known(own) => observers & (1 << own) != 0,
            Queue::Unknown => false,
        };
        match (marker, covered) {
            (Some(marker), true) => observers | 1 << marker,
            (Some(marker), false) => observers & !(1 << marker),
            (None, true) => observers,
            (None, false) => observers & !self.all_markers,
        }
    }

    /// The observers of work after `queue` was made to wait for `marker`.
    pub(crate) fn waited(&self, observers: Observers, marker: u8, queue: Queue) -> Observers {
        match queue {
            Queue::Known(LEGACY) if observers & (1 << marker) != 0 => observers | 1 << LEGACY_WAITS,
            Queue::Known(own) if observers & (1 << marker) != 0 => observers | 1 << own,
            Queue::Known(_) | Queue::Unknown => observers,
        }
    }

    /// The observers after code ran that may have recorded any marker anew.
    pub(crate) fn without_markers(&self, observers: Observers) -> Observers {
        observers & !self.all_markers
    }
}
