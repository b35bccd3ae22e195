//! Kernels: what a module knows of them, a launch with its arguments copied, and running its blocks.

use std::cell::Cell;
use std::ffi::CStr;

use crate::block::{self, Entry, Outcome, Triple};
use crate::module::Image;

/// A kernel of a loaded image. Never freed: launches may outlive the module that the program unloads.
pub(crate) struct Kernel {
    /// Mangled name.
    pub(crate) name: String,
    pub(crate) thunk: unsafe extern "C" fn(*const *const u8),
    /// Runs all threads of a block in ascending order, if none can wait for another.
    pub(crate) block: Option<block::PlainBlock>,
    /// Bytes of each argument, in order.
    pub(crate) sizes: Vec<u32>,
    pub(crate) image: &'static Image,
}

/// A launch that was submitted: blocks `next..count` are still to run.
#[derive(Clone)]
pub(crate) struct Launch {
    pub(crate) kernel: &'static Kernel,
    pub(crate) grid: Triple,
    pub(crate) block: Triple,
    pub(crate) cooperative: bool,
    pub(crate) next: u64,
    // Sixteen-byte units, so that every argument is aligned enough.
    storage: Vec<u128>,
    offsets: Vec<usize>,
}

struct Running(Cell<Option<&'static str>>);
// SAFETY: one thread; see `global`.
unsafe impl Sync for Running {}
static RUNNING: Running = Running(Cell::new(None));

/// Name of the kernel that runs now.
pub(crate) fn running_kernel() -> Option<&'static str> {
    RUNNING.0.get()
}

impl Launch {
    /// Copies the arguments, as a launch does before it returns.
    ///
    /// # Safety
    /// `arguments` points to one pointer per argument of the kernel, each valid for its size.
    pub(crate) unsafe fn new(
        kernel: &'static Kernel,
        grid: Triple,
        block: Triple,
        cooperative: bool,
        arguments: *const *const u8,
    ) -> Self {
        let mut units = 0;
        let offsets: Vec<usize> = kernel
            .sizes
            .iter()
            .map(|&bytes| {
                let at = units;
                units += (bytes as usize).div_ceil(16);
                at * 16
            })
            .collect();
        let mut storage = vec![0_u128; units];
        for (index, (&offset, &bytes)) in offsets.iter().zip(&kernel.sizes).enumerate() {
            if bytes == 0 {
                continue;
            }
            // SAFETY: the caller's promise; the storage has room by construction.
            unsafe {
                let from = *arguments.add(index);
                let to = storage.as_mut_ptr().cast::<u8>().add(offset);
                std::ptr::copy_nonoverlapping(from, to, bytes as usize);
            }
        }
        Self { kernel, grid, block, cooperative, next: 0, storage, offsets }
    }

    /// Bytes of all arguments of `kernel` when passed as one buffer, and where each begins.
    pub(crate) fn packed_offsets(kernel: &Kernel) -> Vec<usize> {
        let mut end = 0_usize;
        kernel
            .sizes
            .iter()
            .map(|&bytes| {
                let align = (bytes as usize).next_power_of_two().clamp(1, 8);
                let at = end.next_multiple_of(align);
                end = at + bytes as usize;
                at
            })
            .collect()
    }

    /// Blocks in the grid.
    pub(crate) fn blocks(&self) -> u64 {
        self.grid.count()
    }

    /// Runs up to `most` more blocks; true if the launch is complete. A cooperative launch runs as a whole.
    pub(crate) fn run(&mut self, most: u64) -> bool {
        let arguments: Vec<*const u8> = self
            .offsets
            .iter()
            // SAFETY: offsets lie in the storage.
            .map(|&offset| unsafe { self.storage.as_ptr().cast::<u8>().add(offset) })
            .collect();
        let entry = Entry {
            thunk: self.kernel.thunk,
            block: self.kernel.block,
            arguments: arguments.as_ptr(),
        };
        RUNNING.0.set(Some(&self.kernel.name));
        self.kernel.image.managed_to_device();
        block::enter_grid(self.grid, self.block);
        if self.cooperative {
            run_cooperative(entry, self.blocks(), self.kernel.image);
            self.next = self.blocks();
        } else {
            let end = self.next.saturating_add(most).min(self.blocks());
            while self.next < end {
                if block::run(entry, self.next) == Outcome::AtGridBarrier {
                    crate::trap::trap(
                        crate::trap::Trap::Unsupported,
                        "grid barrier in a launch that is not cooperative",
                    );
                }
                self.next += 1;
            }
        }
        self.kernel.image.managed_to_host();
        RUNNING.0.set(None);
        self.next == self.blocks()
    }
}

// Every block runs to the grid barrier before any goes on. `__shared__` variables are ordinary ones of the image, so
// each block's copy is put aside while another runs.
fn run_cooperative(entry: Entry, blocks: u64, image: &Image) {
    let mut waiting = Vec::new();
    for index in 0..blocks {
        if block::run(entry, index) == Outcome::AtGridBarrier {
            waiting.push((index, block::suspend(), image.save_shared()));
        }
    }
    while !waiting.is_empty() {
        let mut still = Vec::new();
        for (index, lanes, shared) in waiting {
            image.restore_shared(&shared);
            if block::resume(entry, index, lanes) == Outcome::AtGridBarrier {
                still.push((index, block::suspend(), image.save_shared()));
            }
        }
        waiting = still;
    }
}

/// A clock for device code: ticks once per question, so that runs repeat.
#[unsafe(no_mangle)]
pub extern "C" fn echo_device_clock() -> i64 {
    static TICKS: std::sync::atomic::AtomicI64 = std::sync::atomic::AtomicI64::new(0);
    TICKS.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
}

/// Ends the process for a feature of device code that the emulator lacks.
///
/// # Safety
/// `what` is a C string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn echo_unsupported(what: *const std::ffi::c_char) -> ! {
    // SAFETY: the caller's promise.
    let what = unsafe { CStr::from_ptr(what) }.to_string_lossy();
    crate::trap::trap(crate::trap::Trap::Unsupported, &format!("not supported: {what}"));
}

/// A failing `assert` of a kernel.
///
/// # Safety
/// The three texts are C strings.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn echo_device_assert_fail(
    expression: *const std::ffi::c_char,
    file: *const std::ffi::c_char,
    line: u32,
    _function: *const std::ffi::c_char,
) -> ! {
    // SAFETY: the caller's promise.
    let text = |text| unsafe { CStr::from_ptr(text) }.to_string_lossy();
    let (name, expression, file) =
        (running_kernel().unwrap_or_default(), text(expression), text(file));
    let message = format!("kernel {name}: assertion `{expression}` failed at {file}:{line}");
    crate::trap::trap(crate::trap::Trap::Fault, &message);
}

/// `trap` of PTX.
#[unsafe(no_mangle)]
pub extern "C" fn echo_trap() -> ! {
    let name = running_kernel().unwrap_or_default();
    crate::trap::trap(crate::trap::Trap::Fault, &format!("kernel {name}: trap instruction"));
}

/// Number of the thread in its warp.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_id() -> u32 {
    block::rank() % 32
}

/// Number of the warp in its block.
#[unsafe(no_mangle)]
pub extern "C" fn echo_warp_id() -> u32 {
    block::rank() / 32
}

/// Number of the multiprocessor: there is one.
#[unsafe(no_mangle)]
pub extern "C" fn echo_multiprocessor_id() -> u32 {
    0
}

/// The bit of the thread's lane.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_mask_equal() -> u32 {
    1 << echo_lane_id()
}

/// The bits of the lanes before the thread's.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_mask_less() -> u32 {
    echo_lane_mask_equal() - 1
}

/// The bits of the lanes up to the thread's.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_mask_less_equal() -> u32 {
    echo_lane_mask_equal() | echo_lane_mask_less()
}

/// The bits of the lanes after the thread's.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_mask_greater() -> u32 {
    !echo_lane_mask_less_equal()
}

/// The bits of the lanes from the thread's on.
#[unsafe(no_mangle)]
pub extern "C" fn echo_lane_mask_greater_equal() -> u32 {
    !echo_lane_mask_less()
}
