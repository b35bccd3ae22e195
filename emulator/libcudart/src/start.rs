//! Sets the driver up at the first call, with the device's primary context current, as CUDA's runtime does.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::driver;

static STARTED: AtomicBool = AtomicBool::new(false);

/// Initializes once. A driver that cannot be initialized makes every later call fail with its code.
pub(crate) fn ensure() {
    if STARTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let mut context = 0_usize;
    let _ = driver::driver!(c"cuInit"; 0 => u32);
    let _ = driver::driver!(c"cuDevicePrimaryCtxRetain"; &raw mut context => *mut usize, 0 => i32);
    let _ = driver::driver!(c"cuCtxSetCurrent"; context => usize);
}
