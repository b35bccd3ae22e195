//! Look-ups: `dlsym` and `cuGetProcAddress`, through which the CUDA runtime (static or shared) and
//! libraries reach the driver.

use std::ffi::{CStr, c_char, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::real::{self, DLSYM, Pointer};
use crate::{site, table};

type LookupV1 = unsafe extern "C" fn(*const c_char, *mut usize, c_int, u64) -> c_int;
type LookupV2 = unsafe extern "C" fn(*const c_char, *mut usize, c_int, u64, *mut c_int) -> c_int;

static ORIGINAL_V1: AtomicUsize = AtomicUsize::new(0);
static ORIGINAL_V2: AtomicUsize = AtomicUsize::new(0);

/// CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM.
const PER_THREAD: u64 = 2;
/// CUDA_ERROR_NOT_FOUND.
const NOT_FOUND: c_int = 500;
/// Interfaces called `_v2` are those since CUDA 3.2; before, addresses had 32 bits. The runtime asks
/// for each function with the version that introduced its interface, not with its own version.
const WIDE_ADDRESSES: c_int = 3020;

/// Replaces what a successful look-up stored, if the name is hooked.
unsafe fn replace(name: *const c_char, out: *mut usize, version: c_int, flags: u64) {
    // A driver that finds its own functions by global names finds ours.
    if name.is_null() || out.is_null() || *out == 0 || own(*out) {
        return;
    }
    let asked = CStr::from_ptr(name).to_bytes();
    if asked == b"cuGetProcAddress" {
        if version >= 12000 {
            ORIGINAL_V2.store(*out, Ordering::Release);
            *out = cuGetProcAddress_v2 as *const () as usize;
        } else {
            ORIGINAL_V1.store(*out, Ordering::Release);
            *out = cuGetProcAddress as *const () as usize;
        }
    } else if let Some((hook, by_name)) = table::find(asked)
        && (version >= WIDE_ADDRESSES || !hook.export.to_bytes().ends_with(b"_v2"))
    {
        *out = hook.wrap(by_name || flags & PER_THREAD != 0, *out);
    }
}

unsafe fn original(cache: &AtomicUsize, name: &CStr) -> usize {
    let known = cache.load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    let found = real::driver(name);
    cache.store(found, Ordering::Release);
    found
}

/// Driver entry point of CUDA 12 and later.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn cuGetProcAddress_v2(
    name: *const c_char,
    out: *mut usize,
    version: c_int,
    flags: u64,
    found: *mut c_int,
) -> c_int {
    let address = original(&ORIGINAL_V2, c"cuGetProcAddress_v2");
    if address == 0 {
        return NOT_FOUND;
    }
    let call: LookupV2 = std::mem::transmute(address);
    let status = call(name, out, version, flags, found);
    if status == 0 {
        replace(name, out, version, flags);
    }
    status
}

/// Driver entry point of CUDA 11.3 to 11.8.
#[unsafe(no_mangle)]
#[allow(non_snake_case)]
pub unsafe extern "C" fn cuGetProcAddress(
    name: *const c_char,
    out: *mut usize,
    version: c_int,
    flags: u64,
) -> c_int {
    let address = original(&ORIGINAL_V1, c"cuGetProcAddress");
    if address == 0 {
        return NOT_FOUND;
    }
    let call: LookupV1 = std::mem::transmute(address);
    let status = call(name, out, version, flags);
    if status == 0 {
        replace(name, out, version, flags);
    }
    status
}

/// The answer to `dlsym(handle, name)` if it differs from the original one, else null: then the
/// naked entry jumps to the original, which sees its caller's return address (RTLD_NEXT needs it).
unsafe extern "C" fn answer(handle: Pointer, name: *const c_char) -> Pointer {
    real::find_dlsym();
    if name.is_null() || *name != b'c' as c_char || *name.add(1) != b'u' as c_char {
        return std::ptr::null_mut();
    }
    // With these the meaning depends on the caller; a global look-up finds our exports anyway.
    if handle.is_null() || handle == libc::RTLD_NEXT {
        return std::ptr::null_mut();
    }
    let asked = CStr::from_ptr(name);
    let bytes = asked.to_bytes();
    let lookup = bytes == b"cuGetProcAddress_v2" || bytes == b"cuGetProcAddress";
    let hook = table::find(bytes);
    if !lookup && hook.is_none() {
        return std::ptr::null_mut();
    }
    let found = real::lookup(handle, asked);
    if found == 0 || own(found) {
        return std::ptr::null_mut();
    }
    if let Some((hook, per_thread)) = hook {
        return hook.wrap(per_thread, found) as Pointer;
    }
    if bytes == b"cuGetProcAddress_v2" {
        ORIGINAL_V2.store(found, Ordering::Release);
        cuGetProcAddress_v2 as *const () as Pointer
    } else {
        ORIGINAL_V1.store(found, Ordering::Release);
        cuGetProcAddress as *const () as Pointer
    }
}

/// Whether an address is one of our exports (a handle that reaches this object).
unsafe fn own(address: usize) -> bool {
    let base = |of: usize| {
        let mut info: libc::Dl_info = std::mem::zeroed();
        if libc::dladdr(of as Pointer, &mut info) == 0 { 0 } else { info.dli_fbase as usize }
    };
    base(address) == base(answer as *const () as usize)
}

/// See dlsym(3).
#[cfg(target_arch = "x86_64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlsym(handle: Pointer, name: *const c_char) -> Pointer {
    std::arch::naked_asm!(include_str!("dlsym_x86_64.s"), hook = sym answer, real = sym DLSYM)
}

/// See dlsym(3).
#[cfg(target_arch = "aarch64")]
#[unsafe(naked)]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlsym(handle: Pointer, name: *const c_char) -> Pointer {
    std::arch::naked_asm!(include_str!("dlsym_aarch64.s"), hook = sym answer, real = sym DLSYM)
}

/// See dlclose(3). Code may be mapped elsewhere afterwards, so remembered stacks end here.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn dlclose(handle: Pointer) -> c_int {
    static ORIGINAL: AtomicUsize = AtomicUsize::new(0);
    let mut address = ORIGINAL.load(Ordering::Acquire);
    if address == 0 {
        address = real::next(c"dlclose");
        ORIGINAL.store(address, Ordering::Release);
    }
    site::GENERATION.fetch_add(1, Ordering::Relaxed);
    if address == 0 {
        return -1;
    }
    let call: unsafe extern "C" fn(Pointer) -> c_int = std::mem::transmute(address);
    let status = call(handle);
    site::GENERATION.fetch_add(1, Ordering::Relaxed);
    status
}
