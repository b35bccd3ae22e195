//! Modules, functions and launches.

use std::ffi::{CStr, c_char, c_void};

use super::entry_points;
use super::result::{
    COOPERATIVE_TOO_LARGE, FILE_NOT_FOUND, INVALID_HANDLE, INVALID_IMAGE, INVALID_VALUE, NOT_FOUND,
    SUCCESS,
};
use super::stream::index_of;
use crate::block::Triple;
use crate::launch::{Kernel, Launch};
use crate::module::Image;
use crate::operation::Work;
use crate::schedule;

/// `CUlaunchConfig`.
#[repr(C)]
pub struct LaunchConfig {
    grid: Triple,
    block: Triple,
    shared_bytes: u32,
    stream: usize,
    attributes: *const LaunchAttribute,
    attribute_count: u32,
}

/// `CUlaunchAttribute`.
#[repr(C)]
pub struct LaunchAttribute {
    id: i32,
    pad: [u8; 4],
    value: [u64; 8],
}

const ATTRIBUTE_COOPERATIVE: i32 = 2;
// As many blocks as the device's attributes say can be resident.
const MOST_COOPERATIVE_BLOCKS: u64 = 8 * 16;

struct Request {
    kernel: usize,
    grid: Triple,
    block: Triple,
    stream: usize,
    cooperative: bool,
    arguments: *const *const u8,
    extra: *const *mut c_void,
}

unsafe fn launch(request: &Request) -> i32 {
    let Some(stream) = index_of(request.stream) else { return INVALID_HANDLE };
    if request.kernel == 0 {
        return INVALID_HANDLE;
    }
    // SAFETY: a function handle is the address of a kernel, which is never freed.
    let kernel = unsafe { &*(request.kernel as *const Kernel) };
    let (grid, block) = (request.grid, request.block);
    if grid.count() == 0 || block.count() == 0 || block.count() > 1024 || block.z > 64 {
        return INVALID_VALUE;
    }
    if request.cooperative && grid.count() > MOST_COOPERATIVE_BLOCKS {
        return COOPERATIVE_TOO_LARGE;
    }
    let mut packed = Vec::new();
    let mut arguments = request.arguments;
    if arguments.is_null() && !kernel.sizes.is_empty() {
        // SAFETY: the extra list is as the driver API defines it.
        let Some(buffer) = (unsafe { packed_buffer(request.extra) }) else { return INVALID_VALUE };
        let offsets = Launch::packed_offsets(kernel);
        packed.extend(offsets.into_iter().map(|offset| buffer.wrapping_add(offset)));
        arguments = packed.as_ptr();
    }
    schedule::call_point();
    // SAFETY: the caller passes one pointer per argument.
    let launch = unsafe { Launch::new(kernel, grid, block, request.cooperative, arguments) };
    schedule::submit(stream, Work::Kernel(launch), &format!("kernel {}", kernel.name), None);
    SUCCESS
}

// `CU_LAUNCH_PARAM_BUFFER_POINTER` (1), its buffer, ..., `CU_LAUNCH_PARAM_END` (0).
unsafe fn packed_buffer(mut extra: *const *mut c_void) -> Option<*const u8> {
    if extra.is_null() {
        return None;
    }
    // SAFETY: pairs of a key and a value up to the end key.
    unsafe {
        while *extra as usize != 0 {
            if *extra as usize == 1 {
                return Some((*extra.add(1)).cast());
            }
            extra = extra.add(2);
        }
    }
    None
}

entry_points! { lookup;
    /// Loads an image of the compile driver.
    fn cuModuleLoadData(module: *mut usize, image: *const u8) {
        if image.is_null() {
            return INVALID_VALUE;
        }
        match Image::load(image) {
            Some(image) => {
                *module = std::ptr::from_ref(image) as usize;
                SUCCESS
            }
            None => INVALID_IMAGE,
        }
    }
    /// As `cuModuleLoadData`; options are ignored.
    fn cuModuleLoadDataEx(module: *mut usize, image: *const u8, _count: u32, _options: *const i32, _values: *const *mut c_void) {
        cuModuleLoadData(module, image)
    }
    /// As `cuModuleLoadData`.
    fn cuModuleLoadFatBinary(module: *mut usize, image: *const u8) {
        cuModuleLoadData(module, image)
    }
    /// Loads an image from a file.
    fn cuModuleLoad(module: *mut usize, path: *const c_char) {
        let path = CStr::from_ptr(path).to_string_lossy().into_owned();
        match std::fs::read(path) {
            Ok(bytes) if bytes.len() >= 16 => cuModuleLoadData(module, bytes.as_ptr()),
            Ok(_) => INVALID_IMAGE,
            Err(_) => FILE_NOT_FOUND,
        }
    }
    /// Images stay loaded, since pending launches may need them.
    fn cuModuleUnload(_module: usize) {
        schedule::wait_for_all();
        SUCCESS
    }
    /// A kernel by mangled name.
    fn cuModuleGetFunction(function: *mut usize, module: usize, name: *const c_char) {
        if module == 0 {
            return INVALID_HANDLE;
        }
        let image: &'static Image = &*(module as *const Image);
        match image.kernel(&String::from_utf8_lossy(CStr::from_ptr(name).to_bytes())) {
            Some(kernel) => {
                *function = std::ptr::from_ref(kernel) as usize;
                SUCCESS
            }
            None => NOT_FOUND,
        }
    }
    /// A variable by mangled name: address and size in bytes.
    fn cuModuleGetGlobal_v2(place: *mut u64, bytes: *mut usize, module: usize, name: *const c_char) {
        if module == 0 {
            return INVALID_HANDLE;
        }
        let image: &'static Image = &*(module as *const Image);
        match image.variable(&CStr::from_ptr(name).to_string_lossy()) {
            Some((address, size)) => {
                crate::arena::add_device_variable(address, size as usize);
                if !place.is_null() {
                    *place = address as u64;
                }
                if !bytes.is_null() {
                    *bytes = size as usize;
                }
                SUCCESS
            }
            None => NOT_FOUND,
        }
    }
    /// Libraries are modules here.
    fn cuLibraryLoadData(library: *mut usize, image: *const u8, _jit: *const i32, _jit_values: *const *mut c_void,
        _jit_count: u32, _options: *const i32, _values: *const *mut c_void, _count: u32) {
        cuModuleLoadData(library, image)
    }
    /// See `cuModuleUnload`.
    fn cuLibraryUnload(library: usize) {
        cuModuleUnload(library)
    }
    /// Kernels are functions here.
    fn cuLibraryGetKernel(kernel: *mut usize, library: usize, name: *const c_char) {
        cuModuleGetFunction(kernel, library, name)
    }
    /// Libraries are modules here.
    fn cuLibraryGetModule(module: *mut usize, library: usize) {
        *module = library;
        SUCCESS
    }
    /// See `cuModuleGetGlobal_v2`.
    fn cuLibraryGetGlobal(place: *mut u64, bytes: *mut usize, library: usize, name: *const c_char) {
        cuModuleGetGlobal_v2(place, bytes, library, name)
    }
    /// Kernels are functions here.
    fn cuKernelGetFunction(function: *mut usize, kernel: usize) {
        *function = kernel;
        SUCCESS
    }
    /// Launches a kernel.
    fn cuLaunchKernel(kernel: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, _shared: u32,
        stream: usize, arguments: *const *const u8, extra: *const *mut c_void) {
        let (grid, block) = (Triple { x: gx, y: gy, z: gz }, Triple { x: bx, y: by, z: bz });
        launch(&Request { kernel, grid, block, stream, cooperative: false, arguments, extra })
    }
    /// Launches a kernel whose blocks are all resident.
    fn cuLaunchCooperativeKernel(kernel: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, _shared: u32,
        stream: usize, arguments: *const *const u8) {
        let (grid, block) = (Triple { x: gx, y: gy, z: gz }, Triple { x: bx, y: by, z: bz });
        let extra = std::ptr::null();
        launch(&Request { kernel, grid, block, stream, cooperative: true, arguments, extra })
    }
    /// Launches a kernel as a structure says.
    fn cuLaunchKernelEx(config: *const LaunchConfig, kernel: usize, arguments: *const *const u8, extra: *const *mut c_void) {
        let config = &*config;
        let mut cooperative = false;
        for index in 0..config.attribute_count as usize {
            let attribute = &*config.attributes.add(index);
            cooperative |= attribute.id == ATTRIBUTE_COOPERATIVE && attribute.value[0] & 0xFFFF_FFFF != 0;
        }
        launch(&Request {
            kernel, grid: config.grid, block: config.block, stream: config.stream, cooperative, arguments, extra,
        })
    }
    /// Attributes of a kernel: 0 = most threads per block, 4 = registers per thread, others 0.
    fn cuFuncGetAttribute(value: *mut i32, attribute: i32, _function: usize) {
        *value = match attribute {
            0 => 1024,
            4 => 32,
            5 | 6 => 87,
            8 => 49_152,
            _ => 0,
        };
        SUCCESS
    }
    /// Accepted.
    fn cuFuncSetAttribute(_function: usize, _attribute: i32, _value: i32) {
        SUCCESS
    }
    /// Accepted.
    fn cuFuncSetCacheConfig(_function: usize, _preference: i32) {
        SUCCESS
    }
    /// Sixteen blocks, or what the threads of a multiprocessor allow.
    fn cuOccupancyMaxActiveBlocksPerMultiprocessor(count: *mut i32, _function: usize, threads: i32, _shared: usize) {
        if threads <= 0 {
            return INVALID_VALUE;
        }
        *count = (1536 / threads).clamp(0, 16);
        SUCCESS
    }
}

/// Joins the host's variable at `host` with the `__managed__` variable of that name; 0 if it is not managed.
///
/// # Safety
/// `module` is a loaded module, `name` a C string, `host` as large as the variable.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn echo_join_managed(module: usize, name: *const c_char, host: usize) -> i32 {
    // SAFETY: the caller's promise.
    unsafe {
        let image: &'static Image = &*(module as *const Image);
        i32::from(image.join_managed(&CStr::from_ptr(name).to_string_lossy(), host))
    }
}

/// Submits a library's computation on device memory to a stream.
///
/// # Safety
/// `run` accepts `data`, once, at any later time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn echo_submit(
    stream: usize,
    name: *const c_char,
    run: unsafe extern "C" fn(*mut c_void),
    data: *mut c_void,
) -> i32 {
    let Some(index) = index_of(stream) else { return INVALID_HANDLE };
    // SAFETY: the caller passes a C string.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    schedule::call_point();
    schedule::submit(index, Work::Native { run, data }, &name, None);
    SUCCESS
}

/// Tells the race detector what a library's computation touches.
#[unsafe(no_mangle)]
pub extern "C" fn echo_access(place: usize, bytes: usize, write: i32) {
    crate::race::access(place, bytes, write != 0);
}
