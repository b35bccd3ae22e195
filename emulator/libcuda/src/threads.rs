//! Host threads: refused, since schedules are explored on one thread and page protection would hit them all.

use std::ffi::c_void;

use crate::trap::{Trap, trap};

/// Ends the process.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_create(
    _thread: *mut c_void,
    _attributes: *const c_void,
    _start: *const c_void,
    _argument: *mut c_void,
) -> i32 {
    trap(Trap::Unsupported, "not supported: host threads")
}
