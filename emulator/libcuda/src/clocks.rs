//! Clocks that count calls instead of time, and random devices that are not: a run repeats bit for bit.

use std::sync::atomic::{AtomicU64, Ordering};

// Nanoseconds since 1970.
static NOW: AtomicU64 = AtomicU64::new(1_700_000_000_000_000_000);

fn tick() -> u64 {
    NOW.fetch_add(1000, Ordering::Relaxed) + 1000
}

/// Each call is one microsecond later than the last.
///
/// # Safety
/// `out` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn clock_gettime(_clock: libc::clockid_t, out: *mut libc::timespec) -> i32 {
    let now = tick();
    if !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe {
            (*out).tv_sec = (now / 1_000_000_000) as i64;
            (*out).tv_nsec = (now % 1_000_000_000) as i64;
        }
    }
    0
}

/// As `clock_gettime`.
///
/// # Safety
/// `out` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gettimeofday(out: *mut libc::timeval, _zone: *mut libc::c_void) -> i32 {
    let now = tick();
    if !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe {
            (*out).tv_sec = (now / 1_000_000_000) as i64;
            (*out).tv_usec = (now % 1_000_000_000 / 1000) as i64;
        }
    }
    0
}

/// As `clock_gettime`.
///
/// # Safety
/// `out` is null or valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn time(out: *mut libc::time_t) -> libc::time_t {
    let now = (tick() / 1_000_000_000) as libc::time_t;
    if !out.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *out = now };
    }
    now
}

/// As `clock_gettime`, in microseconds.
#[unsafe(no_mangle)]
pub extern "C" fn clock() -> libc::clock_t {
    (tick() / 1000 % 1_000_000_000) as libc::clock_t
}

/// `std::random_device`: a fixed sequence.
#[unsafe(no_mangle)]
pub extern "C" fn _ZNSt13random_device9_M_getvalEv() -> u32 {
    static DRAWN: AtomicU64 = AtomicU64::new(0);
    let drawn = DRAWN.fetch_add(1, Ordering::Relaxed) + 1;
    (drawn.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as u32
}
