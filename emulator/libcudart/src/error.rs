//! The last error, and the words for each.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicI32, Ordering};

static LAST: AtomicI32 = AtomicI32::new(0);

/// Remembers a failure and gives it on. `cudaErrorNotReady` is no failure.
pub(crate) fn noted(code: i32) -> i32 {
    // The runtime's names differ from the driver's for these.
    let code = match code {
        500 => 500,
        NOT_READY => return NOT_READY,
        other => other,
    };
    if code != 0 {
        LAST.store(code, Ordering::Relaxed);
    }
    code
}

/// `cudaErrorNotReady`.
pub(crate) const NOT_READY: i32 = 600;
/// `cudaErrorInvalidValue`.
pub(crate) const INVALID_VALUE: i32 = 1;
/// `cudaErrorInvalidConfiguration`.
pub(crate) const INVALID_CONFIGURATION: i32 = 9;
/// `cudaErrorInvalidSymbol`.
pub(crate) const INVALID_SYMBOL: i32 = 13;
/// `cudaErrorInvalidMemcpyDirection`.
pub(crate) const INVALID_DIRECTION: i32 = 21;
/// `cudaErrorInvalidDeviceFunction`.
pub(crate) const INVALID_FUNCTION: i32 = 98;
/// `cudaErrorInvalidDevice`.
pub(crate) const INVALID_DEVICE: i32 = 101;
/// `cudaErrorNotSupported`.
pub(crate) const NOT_SUPPORTED: i32 = 801;

const TEXTS: [(i32, &CStr, &CStr); 18] = [
    (0, c"cudaSuccess", c"no error"),
    (INVALID_VALUE, c"cudaErrorInvalidValue", c"invalid argument"),
    (2, c"cudaErrorMemoryAllocation", c"out of memory"),
    (3, c"cudaErrorInitializationError", c"initialization error"),
    (INVALID_CONFIGURATION, c"cudaErrorInvalidConfiguration", c"invalid configuration argument"),
    (INVALID_SYMBOL, c"cudaErrorInvalidSymbol", c"invalid device symbol"),
    (17, c"cudaErrorInvalidDevicePointer", c"invalid device pointer"),
    (INVALID_DIRECTION, c"cudaErrorInvalidMemcpyDirection", c"invalid copy direction for memcpy"),
    (INVALID_FUNCTION, c"cudaErrorInvalidDeviceFunction", c"invalid device function"),
    (100, c"cudaErrorNoDevice", c"no CUDA-capable device is detected"),
    (INVALID_DEVICE, c"cudaErrorInvalidDevice", c"invalid device ordinal"),
    (400, c"cudaErrorInvalidResourceHandle", c"invalid resource handle"),
    (500, c"cudaErrorSymbolNotFound", c"named symbol not found"),
    (NOT_READY, c"cudaErrorNotReady", c"device not ready"),
    (704, c"cudaErrorPeerAccessAlreadyEnabled", c"peer access is already enabled"),
    (
        712,
        c"cudaErrorHostMemoryAlreadyRegistered",
        c"part or all of the requested memory range is already mapped",
    ),
    (
        713,
        c"cudaErrorHostMemoryNotRegistered",
        c"pointer does not correspond to a registered memory region",
    ),
    (NOT_SUPPORTED, c"cudaErrorNotSupported", c"operation not supported"),
];

fn text(code: i32) -> (&'static CStr, &'static CStr) {
    let known = TEXTS.iter().find(|(known, ..)| *known == code);
    known.map_or((c"cudaErrorUnknown", c"unrecognized error code"), |(_, name, text)| (name, text))
}

/// The last error, which is forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetLastError() -> i32 {
    LAST.swap(0, Ordering::Relaxed)
}

/// The last error.
#[unsafe(no_mangle)]
pub extern "C" fn cudaPeekAtLastError() -> i32 {
    LAST.load(Ordering::Relaxed)
}

/// A sentence for an error.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetErrorString(code: i32) -> *const c_char {
    text(code).1.as_ptr()
}

/// The name of an error.
#[unsafe(no_mangle)]
pub extern "C" fn cudaGetErrorName(code: i32) -> *const c_char {
    text(code).0.as_ptr()
}
