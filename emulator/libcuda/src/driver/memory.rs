//! Allocation.

use std::ffi::c_void;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::entry_points;
use super::result::{ALREADY_REGISTERED, INVALID_VALUE, NOT_REGISTERED, OUT_OF_MEMORY, SUCCESS};
use super::stream::{index_of, stream_of};
use crate::arena::{self, Attachment, Kind};
use crate::config::config;
use crate::operation::Work;
use crate::trap::{Trap, trap};
use crate::what_if::{self, Release};
use crate::{program, schedule};

static CALLER: AtomicUsize = AtomicUsize::new(0);
static FRAME: AtomicUsize = AtomicUsize::new(0);

/// The runtime library says which call of the program the next allocation is for: the return address and the frame
/// pointer of the program's function.
#[unsafe(no_mangle)]
pub extern "C" fn echo_set_call_site(caller: usize, frame: usize) {
    CALLER.store(caller, Ordering::Relaxed);
    FRAME.store(frame, Ordering::Relaxed);
}

fn site() -> Vec<usize> {
    program::call_site(CALLER.swap(0, Ordering::Relaxed), FRAME.swap(0, Ordering::Relaxed))
}

fn allocate(kind: Kind, bytes: usize, sequence: Option<u32>) -> Result<usize, i32> {
    schedule::call_point();
    let site = site();
    let place = arena::allocate(kind, bytes as u64, 256).ok_or(OUT_OF_MEMORY)?;
    arena::label(kind, sequence, site);
    Ok(place)
}

fn put<T>(out: *mut T, result: Result<usize, i32>, convert: impl Fn(usize) -> T) -> i32 {
    match result {
        Ok(place) if !out.is_null() => {
            // SAFETY: the caller passes a valid place for the result.
            unsafe { *out = convert(place) };
            SUCCESS
        }
        Ok(_) => INVALID_VALUE,
        Err(code) => code,
    }
}

fn device(bytes: usize) -> Result<usize, i32> {
    let sequence = what_if::next_device();
    match what_if::device_block(sequence, bytes as u64) {
        Some(shared) => {
            schedule::back_to_host();
            Ok(shared)
        }
        None => allocate(Kind::Device, bytes, Some(sequence)),
    }
}

fn pinned(bytes: usize) -> Result<usize, i32> {
    let sequence = what_if::next_host();
    match what_if::host_block(sequence, bytes as u64, true) {
        Some(shared) => {
            schedule::back_to_host();
            Ok(shared)
        }
        None => allocate(Kind::Pinned, bytes, Some(sequence)),
    }
}

fn release(place: usize, allowed: &[Kind]) -> i32 {
    if place == 0 {
        return SUCCESS;
    }
    schedule::call_point();
    if arena::find(place).is_some_and(|block| block.lost) {
        return INVALID_VALUE;
    }
    let release = what_if::release(place);
    if release != Release::NotUnified || config().free_waits {
        schedule::wait_for_all();
    }
    if release == Release::Kept {
        return SUCCESS;
    }
    // A unified block is managed, whichever of its two frees comes last.
    let allowed = release == Release::Last || allowed.contains(&arena::kind_of(place));
    if !allowed || !arena::free(place) {
        trap(
            Trap::Freed,
            &format!("host: freeing {place:#x}, which is not a live block of that sort"),
        );
    }
    SUCCESS
}

entry_points! { lookup;
    /// Device memory of `bytes` bytes.
    fn cuMemAlloc_v2(out: *mut u64, bytes: usize) {
        put(out, device(bytes), |place| place as u64)
    }
    /// Rows of device memory, 512 bytes apart or a multiple of that.
    fn cuMemAllocPitch_v2(out: *mut u64, pitch: *mut usize, width: usize, height: usize, _element: u32) {
        let row = width.max(1).next_multiple_of(512);
        *pitch = row;
        match row.checked_mul(height) {
            Some(bytes) => put(out, device(bytes), |place| place as u64),
            None => OUT_OF_MEMORY,
        }
    }
    /// Frees device or managed memory; waits for the device, as hardware does.
    fn cuMemFree_v2(place: u64) {
        release(place as usize, &[Kind::Device, Kind::Managed])
    }
    /// Memory for host and device. Flags: 1 global, 2 host.
    fn cuMemAllocManaged(out: *mut u64, bytes: usize, flags: u32) {
        let result = allocate(Kind::Managed, bytes, None);
        if let (Ok(place), 2) = (result, flags) {
            arena::attach(place, Attachment::Host);
        }
        // A busy device without concurrent access keeps the host from fresh memory too.
        schedule::back_to_host();
        put(out, result, |place| place as u64)
    }
    /// Page-locked host memory, mapped for the device.
    fn cuMemHostAlloc(out: *mut *mut c_void, bytes: usize, _flags: u32) {
        put(out, pinned(bytes), |place| place as *mut c_void)
    }
    /// As `cuMemHostAlloc` without flags.
    fn cuMemAllocHost_v2(out: *mut *mut c_void, bytes: usize) {
        cuMemHostAlloc(out, bytes, 0)
    }
    /// Frees page-locked memory.
    fn cuMemFreeHost(place: *mut c_void) {
        release(place as usize, &[Kind::Pinned])
    }
    /// The device uses the same address.
    fn cuMemHostGetDevicePointer_v2(out: *mut u64, place: *mut c_void, _flags: u32) {
        if !arena::shared_with_device(place as usize) {
            return INVALID_VALUE;
        }
        *out = place as u64;
        SUCCESS
    }
    /// Flags of page-locked memory: portable and mapped.
    fn cuMemHostGetFlags(flags: *mut u32, place: *mut c_void) {
        if arena::kind_of(place as usize) != Kind::Pinned {
            return INVALID_VALUE;
        }
        *flags = 3;
        SUCCESS
    }
    /// Lets the device use memory of the host. Managed and page-locked memory is refused, as hardware does.
    fn cuMemHostRegister_v2(place: *mut c_void, _bytes: usize, _flags: u32) {
        match arena::kind_of(place as usize) {
            Kind::Host if arena::is_registered(place as usize) => ALREADY_REGISTERED,
            Kind::Host => {
                arena::register(place as usize, true);
                SUCCESS
            }
            Kind::Device | Kind::Managed | Kind::Pinned => INVALID_VALUE,
        }
    }
    /// Ends that.
    fn cuMemHostUnregister(place: *mut c_void) {
        if !arena::contains(place as usize) {
            return SUCCESS;
        }
        if !arena::is_registered(place as usize) {
            return NOT_REGISTERED;
        }
        schedule::wait_for_all();
        arena::register(place as usize, false);
        SUCCESS
    }
    /// Stream-ordered allocation: the memory is there at once.
    fn cuMemAllocAsync(out: *mut u64, bytes: usize, _stream: usize) {
        put(out, allocate(Kind::Device, bytes, None), |place| place as u64)
    }
    /// Stream-ordered free.
    fn cuMemFreeAsync(place: u64, stream: usize) {
        let Some(stream) = stream_of(stream) else { return super::result::INVALID_HANDLE };
        schedule::call_point();
        schedule::submit(stream, Work::Free { block: place as usize }, "free", None);
        SUCCESS
    }
    /// A hint without effect here.
    fn cuMemPrefetchAsync(_place: u64, _bytes: usize, _device: i32, _stream: usize) {
        if config().concurrent_managed_access { SUCCESS } else { super::result::INVALID_DEVICE }
    }
    /// A hint without effect here.
    fn cuMemAdvise(_place: u64, _bytes: usize, _advice: i32, _device: i32) {
        if config().concurrent_managed_access { SUCCESS } else { super::result::INVALID_DEVICE }
    }
    /// Says who may use a managed block: flags 1 global, 2 host, 4 the stream.
    fn cuStreamAttachMemAsync(stream: usize, place: u64, _bytes: usize, flags: u32) {
        let Some(index) = index_of(stream) else { return super::result::INVALID_HANDLE };
        if arena::kind_of(place as usize) != Kind::Managed {
            return INVALID_VALUE;
        }
        let attachment = match flags {
            1 => Attachment::Global,
            2 => Attachment::Host,
            4 if index == schedule::LEGACY => return INVALID_VALUE,
            4 => Attachment::Single(index),
            _ => return INVALID_VALUE,
        };
        // The change takes effect in stream order; once nothing of the stream is pending is late enough.
        schedule::wait_for_stream(index);
        arena::attach(place as usize, attachment);
        schedule::call_point();
        SUCCESS
    }
}
