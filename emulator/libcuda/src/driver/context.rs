//! Initialization, the one device, contexts.

use std::ffi::{c_char, c_void};

use super::entry_points;
use super::result::{
    INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE, NOT_INITIALIZED, SUCCESS, TEXTS,
};
use crate::config::config;
use crate::global::Global;
use crate::{arena, schedule};

struct Contexts {
    initialized: bool,
    made: usize,
    current: Vec<usize>,
    primary_users: u32,
}

static CONTEXTS: Global<Contexts> =
    Global::new(Contexts { initialized: false, made: 0, current: Vec::new(), primary_users: 0 });

// Handles are never dereferenced by anyone.
const PRIMARY: usize = 0xC000;

/// What the device says about itself: attribute number of `CUdevice_attribute` and value.
fn attribute(number: i32) -> i32 {
    let concurrent = i32::from(config().concurrent_managed_access);
    match number {
        1 => 1024,                    // MAX_THREADS_PER_BLOCK
        2 | 3 => 1024,                // MAX_BLOCK_DIM_X, _Y
        4 => 64,                      // MAX_BLOCK_DIM_Z
        5 => i32::MAX,                // MAX_GRID_DIM_X
        6 | 7 => 65_535,              // MAX_GRID_DIM_Y, _Z
        8 => 49_152,                  // MAX_SHARED_MEMORY_PER_BLOCK
        9 => 65_536,                  // TOTAL_CONSTANT_MEMORY
        10 => 32,                     // WARP_SIZE
        11 => i32::MAX,               // MAX_PITCH
        12 => 65_536,                 // MAX_REGISTERS_PER_BLOCK
        13 | 36 => 1_000_000,         // CLOCK_RATE, MEMORY_CLOCK_RATE in kHz
        14 => 512,                    // TEXTURE_ALIGNMENT
        15 | 18 | 19 | 31 => 1, // GPU_OVERLAP, INTEGRATED, CAN_MAP_HOST_MEMORY, CONCURRENT_KERNELS
        16 => 8,                // MULTIPROCESSOR_COUNT
        37 => 256,              // GLOBAL_MEMORY_BUS_WIDTH in bits
        38 => 4 << 20,          // L2_CACHE_SIZE
        39 => 1536,             // MAX_THREADS_PER_MULTIPROCESSOR
        40 | 41 => 1,           // ASYNC_ENGINE_COUNT, UNIFIED_ADDRESSING
        75 => 8,                // COMPUTE_CAPABILITY_MAJOR
        76 => 7,                // COMPUTE_CAPABILITY_MINOR
        78 | 83 | 95 | 99 | 115 => 1, // STREAM_PRIORITIES, MANAGED_MEMORY, COOPERATIVE_LAUNCH, HOST_REGISTER, MEMORY_POOLS
        81 => 98_304,                 // MAX_SHARED_MEMORY_PER_MULTIPROCESSOR
        82 => 65_536,                 // MAX_REGISTERS_PER_MULTIPROCESSOR
        89 => concurrent,             // CONCURRENT_MANAGED_ACCESS
        91 => 1,                      // CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM
        97 => 98_304,                 // MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
        106 => 16,                    // MAX_BLOCKS_PER_MULTIPROCESSOR
        _ => 0,
    }
}

fn use_primary(state: &mut Contexts) {
    if state.current.is_empty() {
        state.current.push(PRIMARY);
    }
}

entry_points! { lookup;
    /// Starts the driver. Flags must be 0.
    fn cuInit(flags: u32) {
        if flags != 0 {
            return INVALID_VALUE;
        }
        CONTEXTS.get().initialized = true;
        SUCCESS
    }
    /// CUDA version the driver stands for.
    fn cuDriverGetVersion(version: *mut i32) {
        *version = 12_060;
        SUCCESS
    }
    /// One device.
    fn cuDeviceGetCount(count: *mut i32) {
        if !CONTEXTS.get().initialized {
            return NOT_INITIALIZED;
        }
        *count = 1;
        SUCCESS
    }
    /// Device 0.
    fn cuDeviceGet(device: *mut i32, ordinal: i32) {
        if !CONTEXTS.get().initialized {
            return NOT_INITIALIZED;
        }
        if ordinal != 0 {
            return INVALID_DEVICE;
        }
        *device = 0;
        SUCCESS
    }
    /// Its name.
    fn cuDeviceGetName(name: *mut c_char, length: i32, _device: i32) {
        let text = c"emulated device";
        let room = usize::try_from(length).unwrap_or(0);
        if room == 0 {
            return INVALID_VALUE;
        }
        let bytes = text.to_bytes();
        let taken = bytes.len().min(room - 1);
        std::ptr::copy_nonoverlapping(bytes.as_ptr(), name.cast::<u8>(), taken);
        *name.add(taken) = 0;
        SUCCESS
    }
    /// Sixteen fixed bytes.
    fn cuDeviceGetUuid(uuid: *mut u8, _device: i32) {
        for index in 0..16 {
            *uuid.add(index) = b"emulated-device0"[index];
        }
        SUCCESS
    }
    /// As `cuDeviceGetUuid`.
    fn cuDeviceGetUuid_v2(uuid: *mut u8, device: i32) {
        cuDeviceGetUuid(uuid, device)
    }
    /// Bytes of device memory.
    fn cuDeviceTotalMem_v2(bytes: *mut usize, _device: i32) {
        *bytes = config().device_bytes as usize;
        SUCCESS
    }
    /// One attribute; those the emulator does not model are 0.
    fn cuDeviceGetAttribute(value: *mut i32, number: i32, device: i32) {
        if device != 0 {
            return INVALID_DEVICE;
        }
        *value = attribute(number);
        SUCCESS
    }
    /// Free and total bytes of device memory.
    fn cuMemGetInfo_v2(free: *mut usize, total: *mut usize) {
        let all = config().device_bytes;
        *free = all.saturating_sub(arena::device_bytes_in_use()) as usize;
        *total = all as usize;
        SUCCESS
    }
    /// Uses the device's own context.
    fn cuDevicePrimaryCtxRetain(context: *mut usize, device: i32) {
        if device != 0 {
            return INVALID_DEVICE;
        }
        CONTEXTS.get().primary_users += 1;
        *context = PRIMARY;
        SUCCESS
    }
    /// Undoes a retain.
    fn cuDevicePrimaryCtxRelease_v2(_device: i32) {
        let mut contexts = CONTEXTS.get();
        if contexts.primary_users == 0 {
            return INVALID_CONTEXT;
        }
        contexts.primary_users -= 1;
        SUCCESS
    }
    /// Waits for the device and takes its memory away, managed and page-locked memory too. Variables keep their values.
    fn cuDevicePrimaryCtxReset_v2(_device: i32) {
        schedule::wait_for_all();
        arena::lose_all();
        SUCCESS
    }
    /// Flags and whether it is in use.
    fn cuDevicePrimaryCtxGetState(_device: i32, flags: *mut u32, active: *mut i32) {
        *flags = 0;
        *active = i32::from(CONTEXTS.get().primary_users > 0);
        SUCCESS
    }
    /// Accepted.
    fn cuDevicePrimaryCtxSetFlags_v2(_device: i32, _flags: u32) {
        SUCCESS
    }
    /// A new context, current from now on. All contexts share one device and its memory.
    fn cuCtxCreate_v2(context: *mut usize, _flags: u32, device: i32) {
        let mut contexts = CONTEXTS.get();
        if !contexts.initialized {
            return NOT_INITIALIZED;
        }
        if device != 0 {
            return INVALID_DEVICE;
        }
        contexts.made += 1;
        *context = PRIMARY + contexts.made * 16;
        contexts.current.push(*context);
        SUCCESS
    }
    /// Ends a context after waiting for its work.
    fn cuCtxDestroy_v2(context: usize) {
        schedule::wait_for_all();
        CONTEXTS.get().current.retain(|&current| current != context);
        SUCCESS
    }
    /// The current context, or null.
    fn cuCtxGetCurrent(context: *mut usize) {
        let contexts = CONTEXTS.get();
        if !contexts.initialized {
            return NOT_INITIALIZED;
        }
        *context = contexts.current.last().copied().unwrap_or(0);
        SUCCESS
    }
    /// Replaces the current context.
    fn cuCtxSetCurrent(context: usize) {
        let mut contexts = CONTEXTS.get();
        contexts.current.pop();
        if context != 0 {
            contexts.current.push(context);
        }
        SUCCESS
    }
    /// Makes a context current until the matching pop.
    fn cuCtxPushCurrent_v2(context: usize) {
        CONTEXTS.get().current.push(context);
        SUCCESS
    }
    /// Goes back to the context before.
    fn cuCtxPopCurrent_v2(context: *mut usize) {
        match CONTEXTS.get().current.pop() {
            Some(current) => {
                if !context.is_null() {
                    *context = current;
                }
                SUCCESS
            }
            None => INVALID_CONTEXT,
        }
    }
    /// The current context's device.
    fn cuCtxGetDevice(device: *mut i32) {
        if CONTEXTS.get().current.is_empty() {
            return INVALID_CONTEXT;
        }
        *device = 0;
        SUCCESS
    }
    /// No flags.
    fn cuCtxGetFlags(flags: *mut u32) {
        *flags = 0;
        SUCCESS
    }
    /// Version of the context API.
    fn cuCtxGetApiVersion(_context: usize, version: *mut u32) {
        *version = 3020;
        SUCCESS
    }
    /// Waits for all work of the device.
    fn cuCtxSynchronize() {
        use_primary(&mut CONTEXTS.get());
        schedule::wait_for_all();
        SUCCESS
    }
    /// Priorities exist and change nothing.
    fn cuCtxGetStreamPriorityRange(least: *mut i32, greatest: *mut i32) {
        *least = 0;
        *greatest = -5;
        SUCCESS
    }
    /// Accepted.
    fn cuCtxSetCacheConfig(_preference: i32) {
        SUCCESS
    }
    /// Accepted.
    fn cuCtxSetLimit(_limit: i32, _value: usize) {
        SUCCESS
    }
    /// Limits as large as the emulator's stacks and heap.
    fn cuCtxGetLimit(value: *mut usize, _limit: i32) {
        *value = 256 << 10;
        SUCCESS
    }
    /// No peers.
    fn cuDeviceCanAccessPeer(can: *mut i32, _device: i32, _peer: i32) {
        *can = 0;
        SUCCESS
    }
    /// Sentence for a result.
    fn cuGetErrorString(result: i32, text: *mut *const c_char) {
        match TEXTS.iter().find(|(code, ..)| *code == result) {
            Some((_, _, sentence)) => {
                *text = sentence.as_ptr();
                SUCCESS
            }
            None => INVALID_VALUE,
        }
    }
    /// Name of a result.
    fn cuGetErrorName(result: i32, text: *mut *const c_char) {
        match TEXTS.iter().find(|(code, ..)| *code == result) {
            Some((_, name, _)) => {
                *text = name.as_ptr();
                SUCCESS
            }
            None => INVALID_VALUE,
        }
    }
    /// No table exists.
    fn cuGetExportTable(table: *mut *const c_void, _id: *const c_void) {
        *table = std::ptr::null();
        super::result::NOT_FOUND
    }
    /// Accepted.
    fn cuProfilerStart() {
        SUCCESS
    }
    /// Accepted.
    fn cuProfilerStop() {
        SUCCESS
    }
}
