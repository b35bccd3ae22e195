//! The driver, found as CUDA's own runtime finds it: `dlopen("libcuda.so.1")`, one `dlsym` of `cuGetProcAddress_v2`,
//! and every other entry point through that. So a tool that hooks the driver sees what it would see on a device.

use std::cell::UnsafeCell;
use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char, c_void};

type GetProcAddress =
    unsafe extern "C" fn(*const c_char, *mut *const c_void, i32, u64, *mut i32) -> i32;

struct Driver {
    get: Option<GetProcAddress>,
    known: BTreeMap<&'static CStr, usize>,
}

struct Shared(UnsafeCell<Driver>);
// SAFETY: the emulated process has one thread.
unsafe impl Sync for Shared {}
static DRIVER: Shared = Shared(UnsafeCell::new(Driver { get: None, known: BTreeMap::new() }));

const VERSION: i32 = 12_060;

/// Address of an entry point by its name without suffix; None if the driver has none.
pub(crate) fn address(name: &'static CStr) -> Option<usize> {
    // SAFETY: one thread, and no reference leaves this function.
    let driver = unsafe { &mut *DRIVER.0.get() };
    if let Some(&known) = driver.known.get(name) {
        return (known != 0).then_some(known);
    }
    let get = match driver.get {
        Some(get) => get,
        None => {
            let get = find_get_proc_address();
            driver.get = Some(get);
            get
        }
    };
    let mut found: *const c_void = std::ptr::null();
    let mut status = 0;
    // SAFETY: the driver's look-up function with valid places for its results.
    let code = unsafe { get(name.as_ptr(), &raw mut found, VERSION, 0, &raw mut status) };
    let found = if code == 0 { found as usize } else { 0 };
    driver.known.insert(name, found);
    (found != 0).then_some(found)
}

fn find_get_proc_address() -> GetProcAddress {
    // SAFETY: plain loader calls; the symbol has this type in every libcuda since CUDA 12.
    unsafe {
        let library = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        let symbol = if library.is_null() {
            std::ptr::null_mut()
        } else {
            libc::dlsym(library, c"cuGetProcAddress_v2".as_ptr())
        };
        if symbol.is_null() {
            fail("libcuda.so.1 is not usable");
        }
        std::mem::transmute::<*mut c_void, GetProcAddress>(symbol)
    }
}

/// Ends the process: the library cannot go on.
pub(crate) fn fail(what: &str) -> ! {
    let text = CString::new(format!("ECHO-TRAP {what}\n")).unwrap_or_default();
    // SAFETY: the text is valid for its length.
    unsafe {
        libc::write(2, text.as_ptr().cast(), text.as_bytes().len());
        libc::_exit(91)
    }
}

/// Calls a driver entry point: `driver!(c"cuName"; argument: type, ...)` gives its result as `i32`.
macro_rules! driver {
    ($name:literal $(; $($argument:expr => $type:ty),* $(,)?)?) => {
        match $crate::driver::address($name) {
            None => 801,
            Some(address) => {
                $crate::start::ensure();
                type Entry = unsafe extern "C" fn($($($type),*)?) -> i32;
                // SAFETY: the entry point has this type; pointers are the program's.
                #[allow(unused_unsafe, reason = "some callers are unsafe functions already")]
                unsafe {
                    let entry = std::mem::transmute::<usize, Entry>(address);
                    entry($($($argument),*)?)
                }
            }
        }
    };
}
pub(crate) use driver;
