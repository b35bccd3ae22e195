//! The current device as the driver describes it, and the context that hooks may need.

use std::ffi::{c_char, c_int};
use std::sync::atomic::{AtomicU8, Ordering};

use echo_runtime::wire::{attribute, control, outcome, reason};

use crate::config;

/// What a plan is bound to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Device {
    pub(crate) driver: u64,
    pub(crate) uuid: [u64; 2],
    pub(crate) ordinal: u64,
    pub(crate) attributes: u64,
    pub(crate) name: [u64; 8],
}

const ATTRIBUTES: [(c_int, u64); 7] = [
    (18, attribute::INTEGRATED),
    (89, attribute::CONCURRENT),
    (88, attribute::PAGEABLE),
    (91, attribute::HOST_POINTER),
    (83, attribute::MANAGED),
    (19, attribute::MAP_HOST),
    (99, attribute::HOST_REGISTER),
];

/// Calls a driver function by name; `None` if the driver lacks it.
macro_rules! driver_call {
    ($name:literal, ($($kind:ty),*), $($argument:expr),*) => {{
        static KNOWN: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        let mut address = KNOWN.load(std::sync::atomic::Ordering::Acquire);
        if address == 0 {
            address = $crate::real::driver($name);
            KNOWN.store(address, std::sync::atomic::Ordering::Release);
        }
        if address == 0 {
            None
        } else {
            let call: unsafe extern "C" fn($($kind),*) -> std::ffi::c_int = std::mem::transmute(address);
            Some(call($($argument),*))
        }
    }};
}
pub(crate) use driver_call;

impl Device {
    /// Describes the device of the current context, else device 0. Words stay 0 where the driver
    /// does not answer.
    pub(crate) unsafe fn current() -> Device {
        let mut device = Device::default();
        let mut version: c_int = 0;
        driver_call!(c"cuDriverGetVersion", (*mut c_int), &mut version);
        device.driver = version as u64;
        let mut handle: c_int = 0;
        if driver_call!(c"cuCtxGetDevice", (*mut c_int), &mut handle) != Some(0) {
            driver_call!(c"cuDeviceGet", (*mut c_int, c_int), &mut handle, 0);
        }
        device.ordinal = handle as u64;
        let mut uuid = [0u64; 2];
        let named =
            driver_call!(c"cuDeviceGetUuid_v2", (*mut u64, c_int), uuid.as_mut_ptr(), handle);
        if named != Some(0) {
            driver_call!(c"cuDeviceGetUuid", (*mut u64, c_int), uuid.as_mut_ptr(), handle);
        }
        device.uuid = uuid;
        let name = device.name.as_mut_ptr().cast::<c_char>();
        driver_call!(c"cuDeviceGetName", (*mut c_char, c_int, c_int), name, 64, handle);
        for (number, bit) in ATTRIBUTES {
            let mut value: c_int = 0;
            let asked = driver_call!(
                c"cuDeviceGetAttribute",
                (*mut c_int, c_int, c_int),
                &mut value,
                number,
                handle
            );
            if asked == Some(0) && value != 0 {
                device.attributes |= bit;
            }
        }
        device
    }
}

/// 0 not asked, 1 the plan's device, 2 another.
static MATCHES: AtomicU8 = AtomicU8::new(0);

/// Whether driver and GPU are those of the plan; checked once, needs an initialised driver.
pub(crate) unsafe fn matches_plan() -> bool {
    match MATCHES.load(Ordering::Acquire) {
        1 => return true,
        2 => return false,
        _ => {}
    }
    let device = Device::current();
    config::set(outcome::DRIVER, device.driver);
    config::set(outcome::UUID_LOW, device.uuid[0]);
    config::set(outcome::UUID_HIGH, device.uuid[1]);
    let wanted = [config::word(control::UUID_LOW), config::word(control::UUID_HIGH)];
    let driver = config::word(control::DRIVER);
    let why = if driver != 0 && driver != device.driver {
        reason::DRIVER
    } else if wanted != [0, 0] && wanted != device.uuid {
        reason::DEVICE
    } else {
        reason::NONE
    };
    MATCHES.store(if why == reason::NONE { 1 } else { 2 }, Ordering::Release);
    if why != reason::NONE {
        config::pass_through(why);
    }
    why == reason::NONE
}

/// Whether the calling thread's current device is the plan's.
pub(crate) unsafe fn is_current() -> bool {
    let mut handle: c_int = 0;
    driver_call!(c"cuCtxGetDevice", (*mut c_int), &mut handle) == Some(0)
        && handle as u64 == config::word(control::ORDINAL)
}

/// A current context for the plan's device, made current for as long as the value lives if there
/// was none.
pub(crate) struct Context {
    pushed: bool,
}

impl Context {
    /// Uses the current context or pushes the primary one; `None` if neither works.
    pub(crate) unsafe fn ensure() -> Option<Context> {
        let mut context = 0usize;
        let asked = driver_call!(c"cuCtxGetCurrent", (*mut usize), &mut context);
        if asked == Some(0) && context != 0 {
            return is_current().then_some(Context { pushed: false });
        }
        driver_call!(c"cuInit", (u32), 0).filter(|&status| status == 0)?;
        let mut handle: c_int = 0;
        let ordinal = config::word(control::ORDINAL) as c_int;
        driver_call!(c"cuDeviceGet", (*mut c_int, c_int), &mut handle, ordinal)
            .filter(|&s| s == 0)?;
        driver_call!(c"cuDevicePrimaryCtxRetain", (*mut usize, c_int), &mut context, handle)
            .filter(|&s| s == 0)?;
        driver_call!(c"cuCtxPushCurrent_v2", (usize), context).filter(|&s| s == 0)?;
        Some(Context { pushed: true })
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        if self.pushed {
            let mut context = 0usize;
            // SAFETY: pops what `ensure` pushed on this thread.
            unsafe { driver_call!(c"cuCtxPopCurrent_v2", (*mut usize), &mut context) };
        }
    }
}

/// The original wait for a stream; 0 is success.
pub(crate) unsafe fn wait_for_stream(handle: usize) -> c_int {
    driver_call!(c"cuStreamSynchronize", (usize), handle).unwrap_or(-1)
}

/// The original wait for the whole context.
pub(crate) unsafe fn wait_for_all() -> c_int {
    driver_call!(c"cuCtxSynchronize", (),).unwrap_or(-1)
}
