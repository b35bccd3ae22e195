//! Device work, waits, events and capture, in every mode.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use echo_runtime::wire::{copy_flag, fault, kind, mode};

use crate::{config, guard, real, streams, tracer};

/// Stream of the last recorded submission; 0 after any other record.
static LAST: AtomicU64 = AtomicU64::new(0);
/// Something was recorded since the last recorded wait.
static FRESH: AtomicBool = AtomicBool::new(false);

/// Copies call this after their own record, so that the next submission and wait are recorded too.
pub(crate) fn recorded_something() {
    LAST.store(0, Ordering::Relaxed);
    FRESH.store(true, Ordering::Relaxed);
}

/// A call that gives a stream something to do.
#[inline]
pub(crate) unsafe fn submit(stream: u64, call: impl FnOnce() -> c_int) -> c_int {
    let current = config::current_mode();
    if current == mode::OFF {
        return call();
    }
    let Some(_inside) = real::enter() else { return call() };
    if current == mode::PROFILE && LAST.swap(stream, Ordering::Relaxed) != stream {
        tracer::event(kind::WORK, 0, [0, 0, 0, 0, stream]);
        FRESH.store(true, Ordering::Relaxed);
    }
    if current == mode::VALIDATE {
        guard::before_work();
    }
    let status = call();
    streams::submitted(stream);
    status
}

/// What a wait covers.
pub(crate) enum Wait {
    /// A stream, normalised.
    Stream(u64),
    /// An event.
    Event(u64),
    /// The context.
    Everything,
}

/// A call after which, if it succeeds, earlier work is done.
#[inline]
pub(crate) unsafe fn wait(what: Wait, call: impl FnOnce() -> c_int) -> c_int {
    let current = config::current_mode();
    if current == mode::OFF {
        return call();
    }
    let Some(_inside) = real::enter() else { return call() };
    let status = call();
    if status != 0 {
        return status;
    }
    let (stream, flags) = match what {
        Wait::Stream(stream) => {
            streams::waited(stream);
            (stream, 0)
        }
        Wait::Event(event) => {
            streams::waited_for_event(event);
            (event, copy_flag::ASYNC)
        }
        Wait::Everything => {
            streams::waited_for_all();
            (0, copy_flag::EVERYTHING)
        }
    };
    if current == mode::PROFILE && FRESH.swap(false, Ordering::Relaxed) {
        tracer::event(kind::WAIT, flags, [0, 0, 0, 0, stream]);
        LAST.store(0, Ordering::Relaxed);
    }
    if current == mode::VALIDATE {
        guard::after_wait();
    }
    status
}

/// A capture begins: nothing of this run's pairs may be merged across it.
pub(crate) unsafe fn capture_began(status: c_int) {
    if status != 0 || config::current_mode() == mode::OFF {
        return;
    }
    streams::CAPTURES.fetch_add(1, Ordering::Relaxed);
    match config::current_mode() {
        mode::PROFILE => tracer::event(kind::CAPTURE, 0, [0; 5]),
        mode::VALIDATE => guard::fault_live(fault::CAPTURE),
        _ => {}
    }
}

/// A capture ended.
pub(crate) fn capture_ended() {
    let _ = streams::CAPTURES
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_sub(1));
}
