//! The device and what it says of itself.

use std::ffi::c_char;

use crate::driver::driver;
use crate::error::{INVALID_DEVICE, noted};
use crate::memory::forwarded;

forwarded! {
    /// How many devices: one.
    cudaGetDeviceCount(count: *mut i32) => c"cuDeviceGetCount"(count => *mut i32);
    /// One attribute.
    cudaDeviceGetAttribute(value: *mut i32, attribute: i32, device: i32)
        => c"cuDeviceGetAttribute"(value => *mut i32, attribute => i32, device => i32);
    /// CUDA version of the driver.
    cudaDriverGetVersion(version: *mut i32) => c"cuDriverGetVersion"(version => *mut i32);
    /// Waits for all work.
    cudaDeviceReset() => c"cuDevicePrimaryCtxReset"(0 => i32);
    /// As `cudaDeviceReset`.
    cudaThreadExit() => c"cuDevicePrimaryCtxReset"(0 => i32);
    /// Accepted.
    cudaDeviceSetCacheConfig(preference: i32) => c"cuCtxSetCacheConfig"(preference => i32);
    /// Accepted.
    cudaDeviceSetLimit(limit: i32, value: usize) => c"cuCtxSetLimit"(limit => i32, value => usize);
    /// A limit.
    cudaDeviceGetLimit(value: *mut usize, limit: i32) => c"cuCtxGetLimit"(value => *mut usize, limit => i32);
    /// Whether devices can reach each other's memory.
    cudaDeviceCanAccessPeer(can: *mut i32, device: i32, peer: i32)
        => c"cuDeviceCanAccessPeer"(can => *mut i32, device => i32, peer => i32);
    /// Accepted.
    cudaProfilerStart() => c"cuProfilerStart"();
    /// Accepted.
    cudaProfilerStop() => c"cuProfilerStop"();
}

fn only_device(device: i32) -> i32 {
    if device == 0 { 0 } else { noted(INVALID_DEVICE) }
}

/// Device 0 is the only one.
#[unsafe(no_mangle)]
pub extern "C" fn cudaSetDevice(device: i32) -> i32 {
    crate::start::ensure();
    only_device(device)
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaDeviceSetSharedMemConfig(_configuration: i32) -> i32 {
    0
}

/// The one pool; its attributes change nothing.
///
/// # Safety
/// `pool` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaDeviceGetDefaultMemPool(pool: *mut usize, device: i32) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *pool = 0x9000 };
    only_device(device)
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemPoolSetAttribute(_pool: usize, _attribute: i32, _value: usize) -> i32 {
    0
}

/// Device 0.
///
/// # Safety
/// `device` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetDevice(device: *mut i32) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *device = 0 };
    0
}

/// Accepted.
#[unsafe(no_mangle)]
pub extern "C" fn cudaSetDeviceFlags(_flags: u32) -> i32 {
    0
}

/// No flags.
///
/// # Safety
/// `flags` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetDeviceFlags(flags: *mut u32) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *flags = 8 };
    0
}

/// No peers to enable.
#[unsafe(no_mangle)]
pub extern "C" fn cudaDeviceEnablePeerAccess(_peer: i32, _flags: u32) -> i32 {
    noted(INVALID_DEVICE)
}

/// No peers to disable.
#[unsafe(no_mangle)]
pub extern "C" fn cudaDeviceDisablePeerAccess(_peer: i32) -> i32 {
    noted(INVALID_DEVICE)
}

/// Version of this runtime.
///
/// # Safety
/// `version` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaRuntimeGetVersion(version: *mut i32) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *version = 12_060 };
    0
}

/// PCI address of the device.
///
/// # Safety
/// `out` has room for `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaDeviceGetPCIBusId(out: *mut c_char, length: i32, device: i32) -> i32 {
    let text = b"0000:00:00.0\0";
    if usize::try_from(length).unwrap_or(0) < text.len() {
        return noted(crate::error::INVALID_VALUE);
    }
    // SAFETY: the caller's promise.
    unsafe { std::ptr::copy_nonoverlapping(text.as_ptr(), out.cast(), text.len()) };
    only_device(device)
}

/// Any choice is device 0.
///
/// # Safety
/// `device` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaChooseDevice(device: *mut i32, _wanted: *const Properties) -> i32 {
    // SAFETY: the caller's promise.
    unsafe { *device = 0 };
    0
}

/// `cudaDeviceProp`, with the members in the order of the emulator's headers.
#[repr(C)]
pub struct Properties {
    name: [u8; 256],
    uuid: [u8; 16],
    total_global_mem: usize,
    shared_mem_per_block: usize,
    regs_per_block: i32,
    warp_size: i32,
    mem_pitch: usize,
    max_threads_per_block: i32,
    max_threads_dim: [i32; 3],
    max_grid_size: [i32; 3],
    clock_rate: i32,
    total_const_mem: usize,
    major: i32,
    minor: i32,
    texture_alignment: usize,
    texture_pitch_alignment: usize,
    // From here on plain attributes, by number.
    attributes: [i32; 26],
    shared_mem_per_multiprocessor: usize,
    shared_mem_per_block_optin: usize,
    max_texture_1d: i32,
    max_texture_1d_linear: i32,
    max_texture_2d: [i32; 2],
    max_texture_2d_linear: [i32; 3],
    max_texture_3d: [i32; 3],
    max_texture_1d_layered: [i32; 2],
    max_texture_2d_layered: [i32; 3],
    pci: [i32; 3],
    persisting_l2_cache_max_size: i32,
}

// deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory, computeMode,
// concurrentKernels, ECCEnabled, asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
// maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported,
// regsPerMultiprocessor, managedMemory, isMultiGpuBoard, concurrentManagedAccess, pageableMemoryAccess,
// cooperativeLaunch, hostRegisterSupported, maxBlocksPerMultiProcessor, memoryPoolsSupported
const ATTRIBUTES: [i32; 26] = [
    15, 16, 17, 18, 19, 20, 31, 32, 40, 41, 36, 37, 38, 39, 78, 79, 80, 82, 83, 84, 89, 88, 95, 99,
    106, 115,
];

/// Properties of the device.
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetDeviceProperties(out: *mut Properties, device: i32) -> i32 {
    let attribute = |number: i32| {
        let mut value = 0;
        driver!(c"cuDeviceGetAttribute"; &raw mut value => *mut i32, number => i32, device => i32);
        value
    };
    let mut name = [0_u8; 256];
    driver!(c"cuDeviceGetName"; name.as_mut_ptr() => *mut u8, 256 => i32, device => i32);
    let mut uuid = [0_u8; 16];
    driver!(c"cuDeviceGetUuid"; uuid.as_mut_ptr() => *mut u8, device => i32);
    let mut memory = 0_usize;
    driver!(c"cuDeviceTotalMem"; &raw mut memory => *mut usize, device => i32);
    let properties = Properties {
        name,
        uuid,
        total_global_mem: memory,
        shared_mem_per_block: attribute(8) as usize,
        regs_per_block: attribute(12),
        warp_size: attribute(10),
        mem_pitch: attribute(11) as usize,
        max_threads_per_block: attribute(1),
        max_threads_dim: [attribute(2), attribute(3), attribute(4)],
        max_grid_size: [attribute(5), attribute(6), attribute(7)],
        clock_rate: attribute(13),
        total_const_mem: attribute(9) as usize,
        major: attribute(75),
        minor: attribute(76),
        texture_alignment: attribute(14) as usize,
        texture_pitch_alignment: 32,
        attributes: ATTRIBUTES.map(attribute),
        shared_mem_per_multiprocessor: attribute(81) as usize,
        shared_mem_per_block_optin: attribute(97) as usize,
        max_texture_1d: 131_072,
        max_texture_1d_linear: 1 << 28,
        max_texture_2d: [131_072, 65_536],
        max_texture_2d_linear: [131_072, 65_000, 2_097_120],
        max_texture_3d: [16_384; 3],
        max_texture_1d_layered: [32_768, 2048],
        max_texture_2d_layered: [32_768, 32_768, 2048],
        pci: [0; 3],
        persisting_l2_cache_max_size: 0,
    };
    // SAFETY: the caller's promise.
    unsafe { out.write(properties) };
    only_device(device)
}
