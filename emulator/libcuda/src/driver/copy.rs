//! Copies: what they check, when the host waits for them (rules, and as measured on hardware).

use super::result::{CAPTURE_UNSUPPORTED, INVALID_HANDLE, INVALID_VALUE, SUCCESS};
use super::stream::index_of;
use crate::arena::{self, Kind};
use crate::config::{Schedule, config};
use crate::operation::{Pitch, Shape, Source, Work};
use crate::trap::{Trap, trap};
use crate::what_if::{self, Replacement};
use crate::{capture, race, schedule};

/// The sort of memory an end of a copy lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The host's, not page-locked.
    Pageable,
    /// The device's alone.
    Device,
    /// Managed, page-locked or registered: both may use it.
    Shared,
}

/// What the caller says the ends are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    /// Told from the addresses.
    Any,
}

/// A copy as asked for.
pub(super) struct Request {
    pub(super) to: usize,
    pub(super) to_pitch: Pitch,
    pub(super) from: usize,
    pub(super) from_pitch: Pitch,
    pub(super) shape: Shape,
    pub(super) direction: Direction,
    pub(super) stream: usize,
    pub(super) asynchronous: bool,
}

fn end_of(address: usize) -> End {
    match arena::kind_of(address) {
        Kind::Device => End::Device,
        Kind::Managed | Kind::Pinned => End::Shared,
        Kind::Host if arena::is_device_variable(address) => End::Device,
        Kind::Host if arena::is_registered(address) => End::Shared,
        Kind::Host => End::Pageable,
    }
}

/// Traps if `bytes` from `address` do not lie in one live block. Memory that the emulator did not give is not checked.
pub(super) fn check_end(address: usize, bytes: usize, what: &str) {
    let Some(block) = arena::find(address) else { return };
    let place =
        || format!("{what} at {address:#x} of {bytes} bytes, block of {} bytes", block.bytes);
    if !block.live {
        trap(Trap::Freed, &format!("freed memory: {}", place()));
    }
    if !block.covers(address, bytes as u64) {
        trap(Trap::BadCopy, &format!("outside its block: {}", place()));
    }
}

/// Checks, submits, and waits as the kinds of memory ask.
pub(super) fn copy(request: Request) -> i32 {
    let Some(stream) = index_of(request.stream) else { return INVALID_HANDLE };
    schedule::call_point();
    let (to, from, shape) = (request.to, request.from, request.shape);
    if shape.width == 0 || shape.height == 0 || shape.depth == 0 {
        return SUCCESS;
    }
    if to == 0 || from == 0 {
        return INVALID_VALUE;
    }
    let captured = capture::is_open(stream);
    if captured && !request.asynchronous {
        return CAPTURE_UNSUPPORTED;
    }
    if let Some(replacement) = what_if::replacement(to, from, request.asynchronous) {
        match replacement {
            _ if captured => {}
            Replacement::LegacyStream => schedule::wait_for_stream(schedule::LEGACY),
            Replacement::OwnStream => schedule::wait_for_stream(stream),
            Replacement::Nothing => {}
        }
        return SUCCESS;
    }
    let (to_end, from_end) = (end_of(to), end_of(from));
    if !fits(request.direction, from_end, to_end) {
        return INVALID_VALUE;
    }
    check_end(to, request.to_pitch.extent(shape), "copy to");
    check_end(from, request.from_pitch.extent(shape), "copy from");
    if shape.height == 1 && shape.depth == 1 && to != from && to.abs_diff(from) < shape.width {
        trap(Trap::BadCopy, "a copy whose ends overlap: what it does is not defined");
    }
    what_if::record(
        to,
        from,
        (shape.width * shape.height * shape.depth) as u64,
        request.asynchronous,
    );
    let name = match (from_end, to_end) {
        (End::Pageable, End::Pageable) => "copy host to host",
        (End::Pageable | End::Shared, End::Device | End::Shared) => "copy to device",
        (End::Device | End::Shared, End::Pageable | End::Shared) => "copy to host",
        (End::Device, End::Device) => "copy on device",
    };
    let work = |from| Work::Copy {
        to,
        to_pitch: request.to_pitch,
        from,
        from_pitch: request.from_pitch,
        shape,
    };
    match waiting(&request, from_end, to_end) {
        _ if captured => {
            schedule::submit(stream, work(Source::Memory(from)), name, None);
        }
        Waiting::Not => {
            schedule::submit(stream, work(Source::Memory(from)), name, None);
        }
        Waiting::Complete => {
            let submitted = schedule::submit(stream, work(Source::Memory(from)), name, None);
            schedule::wait_for(&submitted);
        }
        Waiting::Staged => {
            let ahead = schedule::submit(stream, Work::Marker, "before copy", None);
            schedule::wait_for(&ahead);
            if config().schedule == Schedule::Eager && !race::on() {
                // It runs at once: nobody could change the source before.
                schedule::submit(stream, work(Source::Memory(from)), name, None);
                return SUCCESS;
            }
            let extent = request.from_pitch.extent(shape);
            race::read_to_copy(from, extent);
            // SAFETY: the source was checked, and nothing else runs.
            let staged = unsafe { std::slice::from_raw_parts(from as *const u8, extent) }.to_vec();
            schedule::submit(stream, work(Source::Staged(staged)), name, None);
        }
    }
    SUCCESS
}

enum Waiting {
    /// Returns at once.
    Not,
    /// Returns when the copy is complete.
    Complete,
    /// Returns when the work before it is complete and the source is read; the write may come later.
    Staged,
}

fn waiting(request: &Request, from: End, to: End) -> Waiting {
    if request.asynchronous {
        return match (from, to) {
            (End::Pageable, End::Pageable) => Waiting::Complete,
            (End::Pageable, _) | (_, End::Pageable) if !config().pageable_async => {
                Waiting::Complete
            }
            (
                End::Pageable | End::Device | End::Shared,
                End::Pageable | End::Device | End::Shared,
            ) => Waiting::Not,
        };
    }
    match (from, to) {
        (End::Device, End::Device) => Waiting::Not,
        (End::Pageable, End::Device) => Waiting::Staged,
        (End::Pageable | End::Device | End::Shared, End::Pageable | End::Device | End::Shared) => {
            Waiting::Complete
        }
    }
}

fn fits(direction: Direction, from: End, to: End) -> bool {
    match direction {
        Direction::HostToDevice => from != End::Device && to != End::Pageable,
        Direction::DeviceToHost => from != End::Pageable && to != End::Device,
        Direction::DeviceToDevice => from != End::Pageable && to != End::Pageable,
        Direction::Any => true,
    }
}
