//! Streams.

use std::ffi::c_void;

use super::entry_points;
use super::event::event_of;
use super::result::{CAPTURE_UNSUPPORTED, INVALID_HANDLE, INVALID_VALUE, NOT_READY, SUCCESS};
use crate::operation::Work;
use crate::trap::{Trap, trap};
use crate::{capture, schedule, threads};

const FIRST_HANDLE: usize = 0x5000;

/// Index of the stream behind a handle: null and 1 are the legacy stream, 2 the per-thread one.
pub(super) fn index_of(handle: usize) -> Option<usize> {
    let index = match handle {
        0 | 1 => return Some(schedule::LEGACY),
        2 => {
            if threads::in_thread() {
                trap(Trap::Unsupported, "not supported: the default stream of another host thread");
            }
            return Some(schedule::PER_THREAD);
        }
        _ => handle.checked_sub(FIRST_HANDLE)? / 16,
    };
    (index > schedule::PER_THREAD && handle.is_multiple_of(16) && schedule::is_stream(index))
        .then_some(index)
}

/// As `index_of`.
pub(super) fn stream_of(handle: usize) -> Option<usize> {
    index_of(handle)
}

type Callback = unsafe extern "C" fn(usize, i32, *mut c_void);

struct Call {
    callback: Callback,
    stream: usize,
    data: *mut c_void,
}

unsafe extern "C" fn run_callback(call: *mut c_void) {
    // SAFETY: made by cuStreamAddCallback for one run.
    let call = unsafe { Box::from_raw(call.cast::<Call>()) };
    // SAFETY: the program's function with the arguments it asked for.
    unsafe { (call.callback)(call.stream, 0, call.data) };
}

entry_points! { lookup;
    /// A stream. Flag 1: it does not synchronize with the legacy stream.
    fn cuStreamCreate(out: *mut usize, flags: u32) {
        if flags > 1 {
            return INVALID_VALUE;
        }
        schedule::call_point();
        *out = FIRST_HANDLE + schedule::create_stream(flags & 1 != 0) * 16;
        SUCCESS
    }
    /// Priorities change nothing.
    fn cuStreamCreateWithPriority(out: *mut usize, flags: u32, _priority: i32) {
        cuStreamCreate(out, flags)
    }
    /// Ends the handle; work goes on.
    fn cuStreamDestroy_v2(handle: usize) {
        schedule::call_point();
        match index_of(handle) {
            Some(index) if index > schedule::PER_THREAD => {
                schedule::destroy_stream(index);
                SUCCESS
            }
            _ => INVALID_HANDLE,
        }
    }
    /// Waits for a stream.
    fn cuStreamSynchronize(handle: usize) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        if capture::is_open(index) {
            return CAPTURE_UNSUPPORTED;
        }
        schedule::call_point();
        schedule::wait_for_stream(index);
        SUCCESS
    }
    /// Whether a stream is idle.
    fn cuStreamQuery(handle: usize) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        if capture::is_open(index) {
            return CAPTURE_UNSUPPORTED;
        }
        match schedule::last_of(index) {
            Some(last) if !schedule::query(&last) => NOT_READY,
            Some(_) | None => SUCCESS,
        }
    }
    /// Work that follows waits for an event.
    fn cuStreamWaitEvent(handle: usize, event: usize, _flags: u32) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        schedule::call_point();
        match event_of(event) {
            None => INVALID_HANDLE,
            Some(None) => SUCCESS,
            Some(Some(recorded)) => {
                schedule::submit(index, Work::Marker, "wait for event", Some(&recorded));
                SUCCESS
            }
        }
    }
    /// Calls a function of the host in stream order.
    fn cuLaunchHostFunc(handle: usize, run: unsafe extern "C" fn(*mut c_void), data: *mut c_void) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        schedule::call_point();
        schedule::submit(index, Work::HostFunction { run, data }, "host function", None);
        SUCCESS
    }
    /// As `cuLaunchHostFunc`, in the older form.
    fn cuStreamAddCallback(handle: usize, callback: Callback, data: *mut c_void, _flags: u32) {
        if index_of(handle).is_some_and(capture::is_open) {
            return CAPTURE_UNSUPPORTED;
        }
        let call = Box::into_raw(Box::new(Call { callback, stream: handle, data }));
        cuLaunchHostFunc(handle, run_callback, call.cast())
    }
    /// Flags a stream was made with.
    fn cuStreamGetFlags(handle: usize, flags: *mut u32) {
        let Some(index) = index_of(handle) else { return INVALID_HANDLE };
        *flags = u32::from(schedule::is_non_blocking(index));
        SUCCESS
    }
    /// All priorities are alike.
    fn cuStreamGetPriority(_handle: usize, priority: *mut i32) {
        *priority = 0;
        SUCCESS
    }
}
