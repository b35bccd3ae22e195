//! Which streams may have unfinished device work, as the host can know it from driver calls alone.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::lock::Lock;
use crate::real;

/// The legacy default stream.
pub(crate) const LEGACY: u64 = 1;
const PER_THREAD: u64 = 2;
const THREAD_BIT: u64 = 1 << 63;

/// Submissions of device work so far; compares ages.
pub(crate) static WORK: AtomicU64 = AtomicU64::new(0);
/// A capture was begun and not ended; counts.
pub(crate) static CAPTURES: AtomicUsize = AtomicUsize::new(0);

/// Streams with work that no wait has covered, and recorded events.
struct Unfinished {
    streams: [u64; 16],
    count: usize,
    /// More streams than fit: only a full wait helps.
    overflow: bool,
    /// Streams created non-blocking: outside the legacy stream's barrier.
    apart: [u64; 64],
    aparts: usize,
    apart_overflow: bool,
    /// (event, stream, age of the stream's newest work at the record).
    events: [(u64, u64, u64); 64],
    next_event: usize,
    /// (stream, other stream, age): a wait for the first covers the other's work up to that age.
    joins: [(u64, u64, u64); 64],
    next_join: usize,
    /// Age of the newest work, by stream slot.
    newest: [u64; 16],
}

static UNFINISHED: Lock<Unfinished> = Lock::new(Unfinished {
    streams: [0; 16],
    count: 0,
    overflow: false,
    apart: [0; 64],
    aparts: 0,
    apart_overflow: false,
    events: [(0, 0, 0); 64],
    next_event: 0,
    joins: [(0, 0, 0); 64],
    next_join: 0,
    newest: [0; 16],
});
static ANY: AtomicBool = AtomicBool::new(false);

/// The stream that a handle means: 0 is the legacy or this thread's default stream.
#[inline]
pub(crate) fn normal(handle: usize, per_thread: bool) -> u64 {
    match handle as u64 {
        0 if per_thread => THREAD_BIT | u64::from(real::thread_id()),
        0 => LEGACY,
        PER_THREAD => THREAD_BIT | u64::from(real::thread_id()),
        other => other,
    }
}

/// The handle to wait on for a normalised stream of this thread.
#[inline]
pub(crate) fn handle(stream: u64) -> usize {
    if stream & THREAD_BIT != 0 { PER_THREAD as usize } else { stream as usize }
}

/// A stream was created.
pub(crate) fn created(stream: u64, flags: u32) {
    if flags & 1 == 0 {
        return;
    }
    UNFINISHED.with(|unfinished| {
        if unfinished.aparts < unfinished.apart.len() {
            unfinished.apart[unfinished.aparts] = stream;
            unfinished.aparts += 1;
        } else {
            unfinished.apart_overflow = true;
        }
    });
}

/// Device work was submitted.
pub(crate) fn submitted(stream: u64) {
    let age = WORK.fetch_add(1, Relaxed) + 1;
    ANY.store(true, Relaxed);
    UNFINISHED.with(|unfinished| {
        if let Some(at) =
            unfinished.streams[..unfinished.count].iter().position(|&other| other == stream)
        {
            unfinished.newest[at] = age;
        } else if unfinished.count < unfinished.streams.len() {
            unfinished.streams[unfinished.count] = stream;
            unfinished.newest[unfinished.count] = age;
            unfinished.count += 1;
        } else {
            unfinished.overflow = true;
        }
    });
}

/// Device work of unknown streams was submitted: only a wait for everything covers it.
pub(crate) fn submitted_anywhere() {
    WORK.fetch_add(1, Relaxed);
    ANY.store(true, Relaxed);
    UNFINISHED.with(|unfinished| unfinished.overflow = true);
}

impl Unfinished {
    fn forget(&mut self, keep: impl Fn(&Unfinished, u64, u64) -> bool) {
        let mut kept = 0;
        for at in 0..self.count {
            if keep(self, self.streams[at], self.newest[at]) {
                self.streams[kept] = self.streams[at];
                self.newest[kept] = self.newest[at];
                kept += 1;
            }
        }
        self.count = kept;
        ANY.store(self.count > 0 || self.overflow, Relaxed);
    }

    fn outside_barrier(&self, stream: u64) -> bool {
        self.apart_overflow || self.apart[..self.aparts].contains(&stream)
    }
}

/// The host waited for everything.
pub(crate) fn waited_for_all() {
    if ANY.load(Relaxed) {
        UNFINISHED.with(|unfinished| {
            unfinished.overflow = false;
            unfinished.forget(|_, _, _| false);
        });
    }
}

/// The host waited for a stream; the legacy stream covers the blocking ones.
pub(crate) fn waited(stream: u64) {
    if ANY.load(Relaxed) {
        UNFINISHED.with(|unfinished| {
            unfinished.forget(|this, other, newest| {
                other != stream
                    && (stream != LEGACY || this.outside_barrier(other))
                    && !this
                        .joins
                        .iter()
                        .any(|&join| join.0 == stream && join.1 == other && newest <= join.2)
            });
        });
    }
}

/// An event was recorded in a stream.
pub(crate) fn recorded(event: u64, stream: u64) {
    let age = WORK.load(Relaxed);
    UNFINISHED.with(|unfinished| {
        let at = unfinished.events.iter().position(|&(other, _, _)| other == event).unwrap_or_else(
            || {
                unfinished.next_event = (unfinished.next_event + 1) % unfinished.events.len();
                unfinished.next_event
            },
        );
        unfinished.events[at] = (event, stream, age);
    });
}

/// A stream was told to wait for an event: whoever waits for the stream also waits for the event.
pub(crate) fn joined(stream: u64, event: u64) {
    UNFINISHED.with(|unfinished| {
        let Some(&(_, other, age)) =
            unfinished.events.iter().find(|&&(known, _, _)| known == event)
        else {
            return;
        };
        unfinished.next_join = (unfinished.next_join + 1) % unfinished.joins.len();
        let at = unfinished.next_join;
        unfinished.joins[at] = (stream, other, age);
    });
}

/// The host saw an event complete: its stream's work up to the record is done.
pub(crate) fn waited_for_event(event: u64) {
    if !ANY.load(Relaxed) {
        return;
    }
    UNFINISHED.with(|unfinished| {
        let Some(&(_, stream, age)) =
            unfinished.events.iter().find(|&&(other, _, _)| other == event)
        else {
            return;
        };
        unfinished.forget(|this, other, newest| {
            let covered = other == stream || (stream == LEGACY && !this.outside_barrier(other));
            !(covered && newest <= age)
        });
    });
}

/// Whether no device work at all can be unfinished.
#[inline]
pub(crate) fn idle() -> bool {
    !ANY.load(Relaxed)
}

/// Whether all device work submitted after `age` (a value of [`WORK`]) is finished.
pub(crate) fn finished_since(age: u64) -> bool {
    idle()
        || UNFINISHED.with(|unfinished| {
            !unfinished.overflow
                && unfinished.newest[..unfinished.count].iter().all(|&newest| newest <= age)
        })
}
