//! The original functions, and the guard against re-entry.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

/// An untyped pointer as C passes it.
pub(crate) type Pointer = *mut c_void;

unsafe extern "C" {
    pub(crate) fn __libc_malloc(bytes: usize) -> Pointer;
    pub(crate) fn __libc_free(block: Pointer);
    pub(crate) fn __libc_calloc(count: usize, bytes: usize) -> Pointer;
    pub(crate) fn __libc_realloc(block: Pointer, bytes: usize) -> Pointer;
    pub(crate) fn __libc_memalign(alignment: usize, bytes: usize) -> Pointer;
    pub(crate) fn __libc_valloc(bytes: usize) -> Pointer;
    pub(crate) fn __libc_pvalloc(bytes: usize) -> Pointer;
}

type DlsymFunction = unsafe extern "C" fn(Pointer, *const c_char) -> Pointer;

/// Address of the original `dlsym`; the naked hook jumps through it.
pub(crate) static DLSYM: AtomicUsize = AtomicUsize::new(0);
static DRIVER: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
    static THREAD: Cell<u32> = const { Cell::new(0) };
}

/// Proof that this thread is inside exactly one hook; restores `errno` when dropped.
pub(crate) struct Inside {
    errno: c_int,
}

/// Enters a hook; `None` if this thread already is in one (then the original must be called).
#[inline]
pub(crate) fn enter() -> Option<Inside> {
    DEPTH.with(|depth| {
        if depth.get() > 0 {
            return None;
        }
        depth.set(1);
        // SAFETY: errno's address is always valid for this thread.
        Some(Inside { errno: unsafe { *libc::__errno_location() } })
    })
}

impl Inside {
    /// Keeps the current `errno` instead of the one at entry (after a failed original call).
    pub(crate) fn keep_errno(&mut self) {
        // SAFETY: as in `enter`.
        self.errno = unsafe { *libc::__errno_location() };
    }
}

impl Drop for Inside {
    #[inline]
    fn drop(&mut self) {
        // SAFETY: as in `enter`.
        unsafe { *libc::__errno_location() = self.errno };
        DEPTH.with(|depth| depth.set(0));
    }
}

/// Kernel id of this thread.
#[inline]
pub(crate) fn thread_id() -> u32 {
    THREAD.with(|thread| {
        if thread.get() == 0 {
            // SAFETY: gettid has no preconditions.
            thread.set(unsafe { libc::syscall(libc::SYS_gettid) } as u32);
        }
        thread.get()
    })
}

/// Nanoseconds of CLOCK_MONOTONIC.
#[inline]
pub(crate) fn now() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: `time` is a valid timespec.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Finds the original `dlsym`, once. Symbol versions: glibc 2.34 and later, then the base version of
/// x86-64 (2.2.5) or AArch64 (2.17).
pub(crate) unsafe fn find_dlsym() {
    if DLSYM.load(Ordering::Acquire) != 0 {
        return;
    }
    for version in [c"GLIBC_2.34", c"GLIBC_2.2.5", c"GLIBC_2.17"] {
        let found = libc::dlvsym(libc::RTLD_NEXT, c"dlsym".as_ptr(), version.as_ptr());
        if !found.is_null() {
            DLSYM.store(found as usize, Ordering::Release);
            return;
        }
    }
}

/// The original `dlsym` with a handle; 0 if there is none.
pub(crate) unsafe fn lookup(handle: Pointer, name: &CStr) -> usize {
    find_dlsym();
    let address = DLSYM.load(Ordering::Acquire);
    if address == 0 {
        return 0;
    }
    let dlsym: DlsymFunction = std::mem::transmute(address);
    dlsym(handle, name.as_ptr()) as usize
}

/// The next definition of a libc function after this object.
pub(crate) unsafe fn next(name: &CStr) -> usize {
    lookup(libc::RTLD_NEXT, name)
}

/// A function of the C library itself, whoever else defines it; 0 if it has none of that name.
pub(crate) unsafe fn system(name: &CStr) -> usize {
    // Threads are part of the first since glibc 2.34, of the second before.
    for library in [c"libc.so.6", c"libpthread.so.0"] {
        let handle = libc::dlopen(library.as_ptr(), libc::RTLD_LAZY | libc::RTLD_NOLOAD);
        if !handle.is_null() {
            let found = lookup(handle, name);
            libc::dlclose(handle);
            if found != 0 {
                return found;
            }
        }
    }
    0
}

/// A function of the CUDA driver, 0 if the driver or the function is missing.
pub(crate) unsafe fn driver(name: &CStr) -> usize {
    let mut handle = DRIVER.load(Ordering::Acquire);
    if handle == 0 {
        handle = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_LAZY) as usize;
        DRIVER.store(handle, Ordering::Release);
    }
    if handle == 0 { 0 } else { lookup(handle as Pointer, name) }
}

/// Writes one line to stderr without allocation.
pub(crate) fn say(parts: &[&str]) {
    let mut line = [0u8; 256];
    let mut length = 0;
    for part in ["echo-dr: "].iter().chain(parts).chain(["\n"].iter()) {
        for &byte in part.as_bytes() {
            if length < line.len() {
                line[length] = byte;
                length += 1;
            }
        }
    }
    // SAFETY: the buffer holds `length` bytes. A raw system call, since `write` is interposed.
    unsafe { libc::syscall(libc::SYS_write, 2, line.as_ptr(), length) };
}
