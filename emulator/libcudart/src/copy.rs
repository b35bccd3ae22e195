//! Copies and fills.

use std::ffi::c_void;

use crate::driver::driver;
use crate::error::{INVALID_DIRECTION, INVALID_SYMBOL, INVALID_VALUE, noted};
use crate::memory::forwarded;
use crate::registration::variable_of;

const HOST_TO_HOST: i32 = 0;
const HOST_TO_DEVICE: i32 = 1;
const DEVICE_TO_HOST: i32 = 2;
const DEVICE_TO_DEVICE: i32 = 3;
const DEFAULT: i32 = 4;

fn linear(to: usize, from: usize, bytes: usize, kind: i32, stream: Option<usize>) -> i32 {
    let code = match (kind, stream) {
        (HOST_TO_HOST | DEFAULT, None) => {
            driver!(c"cuMemcpy"; to => usize, from => usize, bytes => usize)
        }
        (HOST_TO_HOST | DEFAULT, Some(stream)) => {
            driver!(c"cuMemcpyAsync"; to => usize, from => usize, bytes => usize, stream => usize)
        }
        (HOST_TO_DEVICE, None) => {
            driver!(c"cuMemcpyHtoD"; to => usize, from => usize, bytes => usize)
        }
        (HOST_TO_DEVICE, Some(stream)) => {
            driver!(c"cuMemcpyHtoDAsync"; to => usize, from => usize, bytes => usize, stream => usize)
        }
        (DEVICE_TO_HOST, None) => {
            driver!(c"cuMemcpyDtoH"; to => usize, from => usize, bytes => usize)
        }
        (DEVICE_TO_HOST, Some(stream)) => {
            driver!(c"cuMemcpyDtoHAsync"; to => usize, from => usize, bytes => usize, stream => usize)
        }
        (DEVICE_TO_DEVICE, None) => {
            driver!(c"cuMemcpyDtoD"; to => usize, from => usize, bytes => usize)
        }
        (DEVICE_TO_DEVICE, Some(stream)) => {
            driver!(c"cuMemcpyDtoDAsync"; to => usize, from => usize, bytes => usize, stream => usize)
        }
        _ => INVALID_DIRECTION,
    };
    noted(code)
}

/// Copies bytes.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpy(to: usize, from: usize, bytes: usize, kind: i32) -> i32 {
    linear(to, from, bytes, kind, None)
}

/// Copies bytes, in stream order.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyAsync(
    to: usize,
    from: usize,
    bytes: usize,
    kind: i32,
    stream: usize,
) -> i32 {
    linear(to, from, bytes, kind, Some(stream))
}

/// Copies between devices; there is one.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyPeer(
    to: usize,
    _to_device: i32,
    from: usize,
    _from_device: i32,
    bytes: usize,
) -> i32 {
    linear(to, from, bytes, DEVICE_TO_DEVICE, None)
}

/// Copies between devices, in stream order.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyPeerAsync(
    to: usize,
    _to_device: i32,
    from: usize,
    _from_device: i32,
    bytes: usize,
    stream: usize,
) -> i32 {
    linear(to, from, bytes, DEVICE_TO_DEVICE, Some(stream))
}

/// One side of a copy of rows.
#[derive(Clone, Copy)]
pub(crate) struct Side {
    pub(crate) place: usize,
    /// Bytes between rows, and rows between slices.
    pub(crate) pitch: usize,
    pub(crate) rows: usize,
}

// `CU_MEMORYTYPE_HOST`, `_DEVICE`, `_UNIFIED`.
fn memory_types(kind: i32) -> Option<(u32, u32)> {
    match kind {
        HOST_TO_HOST | DEFAULT => Some((4, 4)),
        HOST_TO_DEVICE => Some((1, 2)),
        DEVICE_TO_HOST => Some((2, 1)),
        DEVICE_TO_DEVICE => Some((2, 2)),
        _ => None,
    }
}

/// `CUDA_MEMCPY3D`.
#[repr(C)]
struct Copy3d {
    src_x: usize,
    src_y: usize,
    src_z: usize,
    src_lod: usize,
    src_type: u32,
    src_host: usize,
    src_device: usize,
    src_array: usize,
    reserved0: usize,
    src_pitch: usize,
    src_height: usize,
    dst_x: usize,
    dst_y: usize,
    dst_z: usize,
    dst_lod: usize,
    dst_type: u32,
    dst_host: usize,
    dst_device: usize,
    dst_array: usize,
    reserved1: usize,
    dst_pitch: usize,
    dst_height: usize,
    width: usize,
    height: usize,
    depth: usize,
}

/// `CUDA_MEMCPY2D`.
#[repr(C)]
struct Copy2d {
    src_x: usize,
    src_y: usize,
    src_type: u32,
    src_host: usize,
    src_device: usize,
    src_array: usize,
    src_pitch: usize,
    dst_x: usize,
    dst_y: usize,
    dst_type: u32,
    dst_host: usize,
    dst_device: usize,
    dst_array: usize,
    dst_pitch: usize,
    width: usize,
    height: usize,
}

/// Copies `height` rows of `width` bytes.
pub(crate) fn rows(
    to: Side,
    from: Side,
    width: usize,
    height: usize,
    kind: i32,
    stream: Option<usize>,
) -> i32 {
    let Some((src_type, dst_type)) = memory_types(kind) else { return noted(INVALID_DIRECTION) };
    if width > to.pitch || width > from.pitch {
        return noted(INVALID_VALUE);
    }
    let request = Copy2d {
        src_x: 0,
        src_y: 0,
        src_type,
        src_host: from.place,
        src_device: from.place,
        src_array: 0,
        src_pitch: from.pitch,
        dst_x: 0,
        dst_y: 0,
        dst_type,
        dst_host: to.place,
        dst_device: to.place,
        dst_array: 0,
        dst_pitch: to.pitch,
        width,
        height,
    };
    noted(match stream {
        None => driver!(c"cuMemcpy2DUnaligned"; &raw const request => *const Copy2d),
        Some(stream) => {
            driver!(c"cuMemcpy2DAsync"; &raw const request => *const Copy2d, stream => usize)
        }
    })
}

/// Copies `depth` slices of `height` rows of `width` bytes.
pub(crate) fn slices(
    to: Side,
    from: Side,
    (width, height, depth): (usize, usize, usize),
    kind: i32,
    stream: Option<usize>,
) -> i32 {
    let Some((src_type, dst_type)) = memory_types(kind) else { return noted(INVALID_DIRECTION) };
    let request = Copy3d {
        src_x: 0,
        src_y: 0,
        src_z: 0,
        src_lod: 0,
        src_type,
        src_host: from.place,
        src_device: from.place,
        src_array: 0,
        reserved0: 0,
        src_pitch: from.pitch,
        src_height: from.rows,
        dst_x: 0,
        dst_y: 0,
        dst_z: 0,
        dst_lod: 0,
        dst_type,
        dst_host: to.place,
        dst_device: to.place,
        dst_array: 0,
        reserved1: 0,
        dst_pitch: to.pitch,
        dst_height: to.rows,
        width,
        height,
        depth,
    };
    noted(match stream {
        None => driver!(c"cuMemcpy3D"; &raw const request => *const Copy3d),
        Some(stream) => {
            driver!(c"cuMemcpy3DAsync"; &raw const request => *const Copy3d, stream => usize)
        }
    })
}

/// Copies rows; pitches and width are in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpy2D(
    to: usize,
    to_pitch: usize,
    from: usize,
    from_pitch: usize,
    width: usize,
    height: usize,
    kind: i32,
) -> i32 {
    let side = |place, pitch| Side { place, pitch, rows: 0 };
    rows(side(to, to_pitch), side(from, from_pitch), width, height, kind, None)
}

/// Copies rows, in stream order.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpy2DAsync(
    to: usize,
    to_pitch: usize,
    from: usize,
    from_pitch: usize,
    width: usize,
    height: usize,
    kind: i32,
    stream: usize,
) -> i32 {
    let side = |place, pitch| Side { place, pitch, rows: 0 };
    rows(side(to, to_pitch), side(from, from_pitch), width, height, kind, Some(stream))
}

forwarded! {
    /// Fills bytes.
    cudaMemset(place: usize, value: i32, bytes: usize)
        => c"cuMemsetD8"(place => usize, value as u8 => u8, bytes => usize);
    /// Fills bytes, in stream order.
    cudaMemsetAsync(place: usize, value: i32, bytes: usize, stream: usize)
        => c"cuMemsetD8Async"(place => usize, value as u8 => u8, bytes => usize, stream => usize);
    /// Fills rows.
    cudaMemset2D(place: usize, pitch: usize, value: i32, width: usize, height: usize)
        => c"cuMemsetD2D8"(place => usize, pitch => usize, value as u8 => u8, width => usize, height => usize);
    /// Fills rows, in stream order.
    cudaMemset2DAsync(place: usize, pitch: usize, value: i32, width: usize, height: usize, stream: usize)
        => c"cuMemsetD2D8Async"(place => usize, pitch => usize, value as u8 => u8, width => usize,
            height => usize, stream => usize);
}

fn symbol(symbol: *const c_void, offset: usize, bytes: usize) -> Result<usize, i32> {
    let (place, size) = variable_of(symbol).ok_or(INVALID_SYMBOL)?;
    match offset.checked_add(bytes) {
        Some(end) if end <= size => Ok(place + offset),
        Some(_) | None => Err(INVALID_VALUE),
    }
}

/// Copies into a variable of device code.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyToSymbol(
    to: *const c_void,
    from: usize,
    bytes: usize,
    offset: usize,
    kind: i32,
) -> i32 {
    match symbol(to, offset, bytes) {
        Ok(to) => linear(to, from, bytes, kind, None),
        Err(code) => noted(code),
    }
}

/// Copies into a variable of device code, in stream order.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyToSymbolAsync(
    to: *const c_void,
    from: usize,
    bytes: usize,
    offset: usize,
    kind: i32,
    stream: usize,
) -> i32 {
    match symbol(to, offset, bytes) {
        Ok(to) => linear(to, from, bytes, kind, Some(stream)),
        Err(code) => noted(code),
    }
}

/// Copies out of a variable of device code.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyFromSymbol(
    to: usize,
    from: *const c_void,
    bytes: usize,
    offset: usize,
    kind: i32,
) -> i32 {
    match symbol(from, offset, bytes) {
        Ok(from) => linear(to, from, bytes, kind, None),
        Err(code) => noted(code),
    }
}

/// Copies out of a variable of device code, in stream order.
#[unsafe(no_mangle)]
pub extern "C" fn cudaMemcpyFromSymbolAsync(
    to: usize,
    from: *const c_void,
    bytes: usize,
    offset: usize,
    kind: i32,
    stream: usize,
) -> i32 {
    match symbol(from, offset, bytes) {
        Ok(from) => linear(to, from, bytes, kind, Some(stream)),
        Err(code) => noted(code),
    }
}

/// Device address of a variable of device code.
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetSymbolAddress(out: *mut usize, from: *const c_void) -> i32 {
    match variable_of(from) {
        Some((place, _)) => {
            // SAFETY: the caller's promise.
            unsafe { *out = place };
            0
        }
        None => noted(INVALID_SYMBOL),
    }
}

/// Bytes of a variable of device code.
///
/// # Safety
/// `out` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn cudaGetSymbolSize(out: *mut usize, from: *const c_void) -> i32 {
    match variable_of(from) {
        Some((_, bytes)) => {
            // SAFETY: the caller's promise.
            unsafe { *out = bytes };
            0
        }
        None => noted(INVALID_SYMBOL),
    }
}
