//! Events.

use std::rc::Rc;

use super::entry_points;
use super::result::{INVALID_HANDLE, NOT_READY, SUCCESS};
use super::stream::index_of;
use crate::global::Global;
use crate::operation::Work;
use crate::schedule::{self, Submitted};

struct Event {
    recorded: Option<Rc<Submitted>>,
}

static EVENTS: Global<Vec<Option<Event>>> = Global::new(Vec::new());
const FIRST_HANDLE: usize = 0xE000_0000;

fn slot(handle: usize) -> Option<usize> {
    Some(handle.checked_sub(FIRST_HANDLE)? / 16)
}

/// What an event recorded last; None if the handle names no event.
pub(super) fn event_of(handle: usize) -> Option<Option<Rc<Submitted>>> {
    let events = EVENTS.get();
    let event = events.get(slot(handle)?)?.as_ref()?;
    Some(event.recorded.clone())
}

entry_points! { lookup;
    /// An event.
    fn cuEventCreate(out: *mut usize, _flags: u32) {
        let mut events = EVENTS.get();
        events.push(Some(Event { recorded: None }));
        *out = FIRST_HANDLE + (events.len() - 1) * 16;
        SUCCESS
    }
    /// Ends an event.
    fn cuEventDestroy_v2(handle: usize) {
        let mut events = EVENTS.get();
        let found = slot(handle).and_then(|slot| events.get_mut(slot)).and_then(Option::take);
        if found.is_some() { SUCCESS } else { INVALID_HANDLE }
    }
    /// Marks the end of what the stream holds now.
    fn cuEventRecord(handle: usize, stream: usize) {
        let Some(index) = index_of(stream) else { return INVALID_HANDLE };
        if event_of(handle).is_none() {
            return INVALID_HANDLE;
        }
        schedule::call_point();
        let recorded = schedule::submit(index, Work::Marker, "event", None);
        if let Some(Some(event)) = slot(handle).and_then(|slot| EVENTS.get().get_mut(slot).map(|event| event.take())) {
            drop(event);
            if let Some(slot) = slot(handle) {
                EVENTS.get()[slot] = Some(Event { recorded: Some(recorded) });
            }
        }
        SUCCESS
    }
    /// As `cuEventRecord`.
    fn cuEventRecordWithFlags(handle: usize, stream: usize, _flags: u32) {
        cuEventRecord(handle, stream)
    }
    /// Waits for the mark; an event that was never recorded is complete.
    fn cuEventSynchronize(handle: usize) {
        schedule::call_point();
        match event_of(handle) {
            None => INVALID_HANDLE,
            Some(None) => SUCCESS,
            Some(Some(recorded)) => {
                schedule::wait_for(&recorded);
                SUCCESS
            }
        }
    }
    /// Whether the mark is reached.
    fn cuEventQuery(handle: usize) {
        match event_of(handle) {
            None => INVALID_HANDLE,
            Some(Some(recorded)) if !schedule::query(&recorded) => NOT_READY,
            Some(_) => SUCCESS,
        }
    }
    /// Milliseconds between two marks: always one, so that runs repeat.
    fn cuEventElapsedTime(milliseconds: *mut f32, start: usize, end: usize) {
        let (Some(start), Some(end)) = (event_of(start), event_of(end)) else { return INVALID_HANDLE };
        let (Some(start), Some(end)) = (start, end) else { return INVALID_HANDLE };
        if !(schedule::query(&start) && schedule::query(&end)) {
            return NOT_READY;
        }
        *milliseconds = 1.0;
        SUCCESS
    }
    /// As `cuEventElapsedTime`.
    fn cuEventElapsedTime_v2(milliseconds: *mut f32, start: usize, end: usize) {
        cuEventElapsedTime(milliseconds, start, end)
    }
}
