//! The emulator's driver, found through the loader.

use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};

type GetProcAddress =
    unsafe extern "C" fn(*const c_char, *mut *const c_void, i32, u64, *mut i32) -> i32;
type Run = unsafe extern "C" fn(*mut c_void);

/// Address of a driver entry point.
pub(crate) fn address(name: &CStr) -> Option<usize> {
    // SAFETY: plain loader calls; the symbol has this type.
    unsafe {
        let library = libc::dlopen(c"libcuda.so.1".as_ptr(), libc::RTLD_NOW | libc::RTLD_LOCAL);
        if library.is_null() {
            return None;
        }
        let symbol = libc::dlsym(library, c"cuGetProcAddress_v2".as_ptr());
        if symbol.is_null() {
            return None;
        }
        let get = std::mem::transmute::<*mut c_void, GetProcAddress>(symbol);
        let mut found: *const c_void = std::ptr::null();
        let code = get(name.as_ptr(), &raw mut found, 12_060, 0, std::ptr::null_mut());
        (code == 0 && !found.is_null()).then_some(found as usize)
    }
}

unsafe extern "C" fn run(data: *mut c_void) {
    // SAFETY: made by `submit` for one run.
    let work = unsafe { Box::from_raw(data.cast::<Box<dyn FnOnce()>>()) };
    work();
}

/// Submits work to a stream; false if the driver is not the emulator's or refuses.
pub(crate) fn submit(stream: usize, name: &CStr, work: impl FnOnce() + 'static) -> bool {
    let Some(address) = address(c"echo_submit") else { return false };
    let boxed: Box<dyn FnOnce()> = Box::new(work);
    let data = Box::into_raw(Box::new(boxed)).cast::<c_void>();
    // SAFETY: the emulator's entry point has this type; `run` takes the box back once.
    unsafe {
        let submit = std::mem::transmute::<
            usize,
            unsafe extern "C" fn(usize, *const c_char, Run, *mut c_void) -> i32,
        >(address);
        submit(stream, name.as_ptr(), run, data) == 0
    }
}

// Where the driver says whether it wants to know of accesses, once somebody looked.
static WANTED: AtomicPtr<AtomicBool> = AtomicPtr::new(std::ptr::null_mut());
static NOT_WANTED: AtomicBool = AtomicBool::new(false);

/// Tells the race detector what the running operation touches.
#[inline]
pub(crate) fn touch(place: usize, bytes: usize, write: bool) {
    let mut wanted = WANTED.load(Ordering::Relaxed).cast_const();
    if wanted.is_null() {
        wanted = look_up_wanted();
    }
    // SAFETY: a flag of this library or of the driver, neither of which is unloaded.
    if unsafe { (*wanted).load(Ordering::Relaxed) } {
        tell(place, bytes, write);
    }
}

#[cold]
fn look_up_wanted() -> *const AtomicBool {
    let found = address(c"echo_race_is_on").map(|place| place as *const AtomicBool);
    let wanted = found.unwrap_or(&raw const NOT_WANTED);
    WANTED.store(wanted.cast_mut(), Ordering::Relaxed);
    wanted
}

#[cold]
fn tell(place: usize, bytes: usize, write: bool) {
    use std::sync::OnceLock;
    static ADDRESS: OnceLock<Option<usize>> = OnceLock::new();
    if let Some(address) = *ADDRESS.get_or_init(|| self::address(c"echo_access")) {
        // SAFETY: the emulator's entry point has this type.
        unsafe {
            let access =
                std::mem::transmute::<usize, unsafe extern "C" fn(usize, usize, i32)>(address);
            access(place, bytes, i32::from(write));
        }
    }
}

/// Waits for a stream.
pub(crate) fn wait(stream: usize) {
    if let Some(address) = address(c"cuStreamSynchronize") {
        // SAFETY: the driver's entry point has this type.
        unsafe {
            let wait = std::mem::transmute::<usize, unsafe extern "C" fn(usize) -> i32>(address);
            wait(stream);
        }
    }
}

/// A synchronous copy; true if it worked.
pub(crate) fn copy(name: &CStr, to: usize, from: usize, bytes: usize) -> bool {
    address(name).is_some_and(|address| {
        // SAFETY: the driver's copies have this type; the caller of the library answers for the places.
        unsafe {
            let copy = std::mem::transmute::<usize, unsafe extern "C" fn(usize, usize, usize) -> i32>(
                address,
            );
            copy(to, from, bytes) == 0
        }
    })
}
