//! Input and output functions, so that the PROT_NONE guard sees buffers handed to the kernel (which
//! would answer EFAULT instead of trapping). With userfaultfd, and outside validation, they only
//! pass through.

use std::ffi::{CStr, c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{arena, protect, real};

/// Defines hooks that look at one buffer (`buffer`, `length`) and then call the original.
macro_rules! hooks {
    ($($name:ident, $text:literal, ($($argument:ident: $kind:ty),*) -> $result:ty, $failed:expr,
        [$buffer:expr, $length:expr];)*) => {$(
        #[doc = concat!("See the manual page of `", stringify!($name), "`.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name($($argument: $kind),*) -> $result {
            let address = original(&original::$name, $text);
            if address == 0 {
                return $failed;
            }
            if protect::active() {
                arena::before_io($buffer as usize, $length);
            }
            let call: unsafe extern "C" fn($($kind),*) -> $result = std::mem::transmute(address);
            call($($argument),*)
        }
    )*
    /// Addresses of the originals.
    #[allow(non_upper_case_globals)]
    mod original {
        use std::sync::atomic::AtomicUsize;
        $(pub(super) static $name: AtomicUsize = AtomicUsize::new(0);)*
    }

    /// Resolves all originals, at start: later a look-up could meet the loader's lock.
    pub(crate) unsafe fn resolve() {
        $(original(&original::$name, $text);)*
    }};
}

unsafe fn original(cache: &AtomicUsize, name: &CStr) -> usize {
    let known = cache.load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    let found = real::next(name);
    cache.store(found, Ordering::Release);
    found
}

hooks! {
    read, c"read", (file: c_int, buffer: *mut c_void, bytes: usize) -> isize, -1, [buffer, bytes];
    __read_chk, c"__read_chk", (file: c_int, buffer: *mut c_void, bytes: usize, limit: usize) -> isize, -1,
        [buffer, bytes];
    write, c"write", (file: c_int, buffer: *const c_void, bytes: usize) -> isize, -1, [buffer, bytes];
    pread, c"pread", (file: c_int, buffer: *mut c_void, bytes: usize, at: i64) -> isize, -1, [buffer, bytes];
    pread64, c"pread64", (file: c_int, buffer: *mut c_void, bytes: usize, at: i64) -> isize, -1, [buffer, bytes];
    __pread_chk, c"__pread_chk",
        (file: c_int, buffer: *mut c_void, bytes: usize, at: i64, limit: usize) -> isize, -1, [buffer, bytes];
    __pread64_chk, c"__pread64_chk",
        (file: c_int, buffer: *mut c_void, bytes: usize, at: i64, limit: usize) -> isize, -1, [buffer, bytes];
    pwrite, c"pwrite", (file: c_int, buffer: *const c_void, bytes: usize, at: i64) -> isize, -1, [buffer, bytes];
    pwrite64, c"pwrite64", (file: c_int, buffer: *const c_void, bytes: usize, at: i64) -> isize, -1,
        [buffer, bytes];
    recv, c"recv", (socket: c_int, buffer: *mut c_void, bytes: usize, flags: c_int) -> isize, -1, [buffer, bytes];
    __recv_chk, c"__recv_chk",
        (socket: c_int, buffer: *mut c_void, bytes: usize, limit: usize, flags: c_int) -> isize, -1, [buffer, bytes];
    send, c"send", (socket: c_int, buffer: *const c_void, bytes: usize, flags: c_int) -> isize, -1, [buffer, bytes];
    fread, c"fread", (buffer: *mut c_void, size: usize, count: usize, file: *mut c_void) -> usize, 0,
        [buffer, size.saturating_mul(count)];
    __fread_chk, c"__fread_chk",
        (buffer: *mut c_void, limit: usize, size: usize, count: usize, file: *mut c_void) -> usize, 0,
        [buffer, size.saturating_mul(count)];
    fread_unlocked, c"fread_unlocked",
        (buffer: *mut c_void, size: usize, count: usize, file: *mut c_void) -> usize, 0,
        [buffer, size.saturating_mul(count)];
    fwrite, c"fwrite", (buffer: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize, 0,
        [buffer, size.saturating_mul(count)];
    fwrite_unlocked, c"fwrite_unlocked",
        (buffer: *const c_void, size: usize, count: usize, file: *mut c_void) -> usize, 0,
        [buffer, size.saturating_mul(count)];
}
