//! Allocation.

use std::arch::naked_asm;
use std::ffi::c_void;

use crate::driver::driver;
use crate::error::{INVALID_VALUE, noted};

// These entries pass their caller's address and frame pointer on: they name the allocation in reports.
macro_rules! entry {
    ($($name:ident [$first:literal $second:literal] => $target:path;)*) => { $(
        /// Allocation entry point; see the function it jumps to.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            naked_asm!(
                concat!("mov ", $first, ", [rsp]"),
                concat!("mov ", $second, ", rbp"),
                "jmp {target}",
                target = sym $target,
            )
        }
    )* };
}

entry! {
    cudaMalloc["rdx" "rcx"] => device;
    cudaMallocManaged["rcx" "r8"] => managed;
    cudaHostAlloc["rcx" "r8"] => pinned;
    cudaMallocHost["rdx" "rcx"] => pinned_plain;
    cudaMallocPitch["r8" "r9"] => pitched;
    cudaMallocAsync["rcx" "r8"] => device_async;
}

fn at(caller: usize, frame: usize) {
    driver!(c"echo_set_call_site"; caller => usize, frame => usize);
}

extern "C" fn device(out: *mut *mut c_void, bytes: usize, caller: usize, frame: usize) -> i32 {
    at(caller, frame);
    // A request for nothing succeeds and gives null.
    if bytes == 0 {
        if out.is_null() {
            return noted(INVALID_VALUE);
        }
        // SAFETY: not null; the program's place for the result.
        unsafe { *out = std::ptr::null_mut() };
        return 0;
    }
    noted(driver!(c"cuMemAlloc"; out => *mut *mut c_void, bytes => usize))
}

extern "C" fn managed(
    out: *mut *mut c_void,
    bytes: usize,
    flags: u32,
    caller: usize,
    frame: usize,
) -> i32 {
    at(caller, frame);
    noted(driver!(c"cuMemAllocManaged"; out => *mut *mut c_void, bytes => usize, flags => u32))
}

extern "C" fn pinned(
    out: *mut *mut c_void,
    bytes: usize,
    flags: u32,
    caller: usize,
    frame: usize,
) -> i32 {
    at(caller, frame);
    noted(driver!(c"cuMemHostAlloc"; out => *mut *mut c_void, bytes => usize, flags => u32))
}

extern "C" fn pinned_plain(
    out: *mut *mut c_void,
    bytes: usize,
    caller: usize,
    frame: usize,
) -> i32 {
    pinned(out, bytes, 0, caller, frame)
}

extern "C" fn pitched(
    out: *mut *mut c_void,
    pitch: *mut usize,
    width: usize,
    height: usize,
    caller: usize,
    frame: usize,
) -> i32 {
    at(caller, frame);
    noted(driver!(c"cuMemAllocPitch";
        out => *mut *mut c_void, pitch => *mut usize, width => usize, height => usize, 16 => u32))
}

extern "C" fn device_async(
    out: *mut *mut c_void,
    bytes: usize,
    stream: usize,
    caller: usize,
    frame: usize,
) -> i32 {
    at(caller, frame);
    noted(driver!(c"cuMemAllocAsync"; out => *mut *mut c_void, bytes => usize, stream => usize))
}

macro_rules! forwarded {
    ($($(#[$attribute:meta])* $name:ident($($argument:ident: $type:ty),*) => $driver:literal($($passed:expr => $passed_type:ty),*);)*) => { $(
        $(#[$attribute])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name($($argument: $type),*) -> i32 {
            $crate::error::noted($crate::driver::driver!($driver; $($passed => $passed_type),*))
        }
    )* };
}
pub(crate) use forwarded;

forwarded! {
    /// Frees device or managed memory.
    cudaFree(place: usize) => c"cuMemFree"(place => usize);
    /// Frees page-locked memory.
    cudaFreeHost(place: usize) => c"cuMemFreeHost"(place => usize);
    /// Frees in stream order.
    cudaFreeAsync(place: usize, stream: usize) => c"cuMemFreeAsync"(place => usize, stream => usize);
    /// Lets the device use memory of the host.
    cudaHostRegister(place: usize, bytes: usize, flags: u32)
        => c"cuMemHostRegister"(place => usize, bytes => usize, flags => u32);
    /// Ends that.
    cudaHostUnregister(place: usize) => c"cuMemHostUnregister"(place => usize);
    /// The device's address of page-locked memory.
    cudaHostGetDevicePointer(out: *mut usize, place: usize, flags: u32)
        => c"cuMemHostGetDevicePointer"(out => *mut usize, place => usize, flags => u32);
    /// Flags of page-locked memory.
    cudaHostGetFlags(flags: *mut u32, place: usize) => c"cuMemHostGetFlags"(flags => *mut u32, place => usize);
    /// Free and total bytes of device memory.
    cudaMemGetInfo(free: *mut usize, total: *mut usize) => c"cuMemGetInfo"(free => *mut usize, total => *mut usize);
    /// A hint.
    cudaMemPrefetchAsync(place: usize, bytes: usize, device: i32, stream: usize)
        => c"cuMemPrefetchAsync"(place => usize, bytes => usize, device => i32, stream => usize);
    /// A hint.
    cudaMemAdvise(place: usize, bytes: usize, advice: i32, device: i32)
        => c"cuMemAdvise"(place => usize, bytes => usize, advice => i32, device => i32);
    /// Says who may use a managed block.
    cudaStreamAttachMemAsync(stream: usize, place: usize, bytes: usize, flags: u32)
        => c"cuStreamAttachMemAsync"(stream => usize, place => usize, bytes => usize, flags => u32);
}

/// `cudaPointerAttributes`.
#[repr(C)]
pub struct PointerAttributes {
    sort: i32,
    device: i32,
    device_pointer: usize,
    host_pointer: usize,
}

/// What the runtime knows of an address; memory it did not allocate is "unregistered".
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaPointerGetAttributes(
    out: *mut PointerAttributes,
    place: usize,
) -> i32 {
    const MEMORY_TYPE: i32 = 2;
    const IS_MANAGED: i32 = 8;
    let mut memory = 0_u32;
    let mut managed = 0_u32;
    let attributes = [MEMORY_TYPE, IS_MANAGED];
    let outs = [(&raw mut memory).cast::<c_void>(), (&raw mut managed).cast::<c_void>()];
    let code = driver!(c"cuPointerGetAttributes";
        2 => u32, attributes.as_ptr() => *const i32, outs.as_ptr() => *const *mut c_void, place => usize);
    let sort = match (memory, managed) {
        (_, 1) => 3,
        (2, _) => 2,
        (1, _) => 1,
        _ => 0,
    };
    // SAFETY: the caller's promise.
    unsafe {
        *out = PointerAttributes {
            sort,
            device: if sort == 0 { -2 } else { 0 },
            device_pointer: if sort == 0 { 0 } else { place },
            host_pointer: if sort == 2 || sort == 0 { 0 } else { place },
        };
    }
    noted(code)
}
