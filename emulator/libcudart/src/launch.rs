//! Kernel launches.

use std::cell::RefCell;
use std::ffi::c_void;

use crate::driver::{driver, fail};
use crate::error::{INVALID_CONFIGURATION, INVALID_FUNCTION, noted};
use crate::registration::function_of;

/// `dim3`.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Dim3 {
    x: u32,
    y: u32,
    z: u32,
}

struct Configuration {
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
}

struct Shared(RefCell<Vec<Configuration>>);
// SAFETY: the emulated process has one thread.
unsafe impl Sync for Shared {}
static CONFIGURATIONS: Shared = Shared(RefCell::new(Vec::new()));

/// `<<<grid, block, shared, stream>>>`, before the arguments are evaluated.
#[unsafe(no_mangle)]
pub extern "C" fn __cudaPushCallConfiguration(
    grid: Dim3,
    block: Dim3,
    shared: usize,
    stream: usize,
) -> u32 {
    CONFIGURATIONS.0.borrow_mut().push(Configuration { grid, block, shared, stream });
    0
}

/// The newest configuration.
///
/// # Safety
/// Called by clang's stub with places for the parts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __cudaPopCallConfiguration(
    grid: *mut Dim3,
    block: *mut Dim3,
    shared: *mut usize,
    stream: *mut usize,
) -> i32 {
    let Some(configuration) = CONFIGURATIONS.0.borrow_mut().pop() else {
        fail("a kernel stub was called without a launch configuration");
    };
    // SAFETY: the stub's own variables.
    unsafe {
        *grid = configuration.grid;
        *block = configuration.block;
        *shared = configuration.shared;
        *stream = configuration.stream;
    }
    0
}

fn launch(
    stub: *const c_void,
    grid: Dim3,
    block: Dim3,
    arguments: *mut *mut c_void,
    shared: usize,
    stream: usize,
    cooperative: bool,
) -> i32 {
    let Some(function) = function_of(stub) else {
        // Device code that the compile driver could not wrap; a program would go on with wrong data.
        fail(&format!("no kernel for the stub at {stub:p}"));
    };
    let threads = u64::from(block.x) * u64::from(block.y) * u64::from(block.z);
    if threads == 0 || threads > 1024 || grid.x == 0 || grid.y == 0 || grid.z == 0 {
        return noted(INVALID_CONFIGURATION);
    }
    if grid.y > 65_535 || grid.z > 65_535 || block.z > 64 || shared > 98_304 {
        return noted(INVALID_CONFIGURATION);
    }
    let shared = shared as u32;
    if cooperative {
        return noted(driver!(c"cuLaunchCooperativeKernel";
            function => usize, grid.x => u32, grid.y => u32, grid.z => u32, block.x => u32, block.y => u32,
            block.z => u32, shared => u32, stream => usize, arguments => *mut *mut c_void));
    }
    noted(driver!(c"cuLaunchKernel";
        function => usize, grid.x => u32, grid.y => u32, grid.z => u32, block.x => u32, block.y => u32,
        block.z => u32, shared => u32, stream => usize, arguments => *mut *mut c_void,
        std::ptr::null_mut() => *mut *mut c_void))
}

/// Launches the kernel of a host stub.
#[unsafe(no_mangle)]
pub extern "C" fn cudaLaunchKernel(
    stub: *const c_void,
    grid: Dim3,
    block: Dim3,
    arguments: *mut *mut c_void,
    shared: usize,
    stream: usize,
) -> i32 {
    launch(stub, grid, block, arguments, shared, stream, false)
}

/// Launches a kernel whose blocks are all resident, so that the grid can synchronize.
#[unsafe(no_mangle)]
pub extern "C" fn cudaLaunchCooperativeKernel(
    stub: *const c_void,
    grid: Dim3,
    block: Dim3,
    arguments: *mut *mut c_void,
    shared: usize,
    stream: usize,
) -> i32 {
    launch(stub, grid, block, arguments, shared, stream, true)
}

/// `cudaFuncAttributes`, as in the emulator's headers.
#[repr(C)]
pub struct FunctionAttributes {
    shared: usize,
    constant: usize,
    local: usize,
    threads: i32,
    registers: i32,
    ptx: i32,
    binary: i32,
    cache_mode: i32,
    dynamic_shared: i32,
    carveout: i32,
}

/// Attributes of a kernel.
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaFuncGetAttributes(
    out: *mut FunctionAttributes,
    stub: *const c_void,
) -> i32 {
    if function_of(stub).is_none() {
        return noted(INVALID_FUNCTION);
    }
    // SAFETY: the caller's promise.
    unsafe {
        *out = FunctionAttributes {
            shared: 0,
            constant: 0,
            local: 0,
            threads: 1024,
            registers: 32,
            ptx: 87,
            binary: 87,
            cache_mode: 0,
            dynamic_shared: 49_152,
            carveout: -1,
        };
    }
    0
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaFuncSetAttribute(_stub: *const c_void, _attribute: i32, _value: i32) -> i32 {
    0
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaFuncSetCacheConfig(_stub: *const c_void, _preference: i32) -> i32 {
    0
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaFuncSetSharedMemConfig(_stub: *const c_void, _configuration: i32) -> i32 {
    0
}

/// Blocks of a kernel that fit on a multiprocessor.
///
/// # Safety
/// `count` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaOccupancyMaxActiveBlocksPerMultiprocessor(
    count: *mut i32,
    stub: *const c_void,
    threads: i32,
    shared: usize,
) -> i32 {
    let Some(function) = function_of(stub) else { return noted(INVALID_FUNCTION) };
    noted(driver!(c"cuOccupancyMaxActiveBlocksPerMultiprocessor";
        count => *mut i32, function => usize, threads => i32, shared => usize))
}
