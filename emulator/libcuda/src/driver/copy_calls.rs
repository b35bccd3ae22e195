//! Entry points of copies.

use std::ffi::c_void;

use super::copy::{Direction, Request, copy};
use super::entry_points;
use super::result::INVALID_VALUE;
use crate::operation::{Pitch, Shape};

/// `CUDA_MEMCPY2D`.
#[repr(C)]
pub struct Copy2d {
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

/// `CUDA_MEMCPY3D`.
#[repr(C)]
pub struct Copy3d {
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

const HOST: u32 = 1;
const DEVICE: u32 = 2;
const UNIFIED: u32 = 4;

fn place(memory: u32, host: usize, device: usize) -> Option<usize> {
    match memory {
        HOST => Some(host),
        DEVICE | UNIFIED => Some(device),
        _ => None,
    }
}

fn direction(from: u32, to: u32) -> Direction {
    match (from, to) {
        (HOST, DEVICE) => Direction::HostToDevice,
        (DEVICE, HOST) => Direction::DeviceToHost,
        (DEVICE, DEVICE) => Direction::DeviceToDevice,
        _ => Direction::Any,
    }
}

fn linear(
    to: usize,
    from: usize,
    bytes: usize,
    direction: Direction,
    stream: Option<usize>,
) -> i32 {
    linear_in(to, from, bytes, direction, stream.unwrap_or(0), stream.is_some())
}

pub(super) fn linear_in(
    to: usize,
    from: usize,
    bytes: usize,
    direction: Direction,
    stream: usize,
    asynchronous: bool,
) -> i32 {
    let pitch = Pitch { row: bytes, slice: bytes };
    copy(Request {
        to,
        to_pitch: pitch,
        from,
        from_pitch: pitch,
        shape: Shape::linear(bytes),
        direction,
        stream,
        asynchronous,
    })
}

fn rows(request: &Copy2d, stream: Option<usize>) -> i32 {
    let from = place(request.src_type, request.src_host, request.src_device);
    let to = place(request.dst_type, request.dst_host, request.dst_device);
    let (Some(from), Some(to)) = (from, to) else { return INVALID_VALUE };
    let pitch = |row: usize| if row == 0 { request.width } else { row };
    let (from_row, to_row) = (pitch(request.src_pitch), pitch(request.dst_pitch));
    if request.height > 1 && (from_row < request.width || to_row < request.width) {
        return INVALID_VALUE;
    }
    copy(Request {
        to: to + request.dst_y * to_row + request.dst_x,
        to_pitch: Pitch { row: to_row, slice: 0 },
        from: from + request.src_y * from_row + request.src_x,
        from_pitch: Pitch { row: from_row, slice: 0 },
        shape: Shape { width: request.width, height: request.height, depth: 1 },
        direction: direction(request.src_type, request.dst_type),
        stream: stream.unwrap_or(0),
        asynchronous: stream.is_some(),
    })
}

fn slices(request: &Copy3d, stream: Option<usize>) -> i32 {
    let from = place(request.src_type, request.src_host, request.src_device);
    let to = place(request.dst_type, request.dst_host, request.dst_device);
    let (Some(from), Some(to)) = (from, to) else { return INVALID_VALUE };
    let row = |row: usize| if row == 0 { request.width } else { row };
    let slice = |row: usize, height: usize| row * if height == 0 { request.height } else { height };
    let from_row = row(request.src_pitch);
    let to_row = row(request.dst_pitch);
    let from_slice = slice(from_row, request.src_height);
    let to_slice = slice(to_row, request.dst_height);
    copy(Request {
        to: to + request.dst_z * to_slice + request.dst_y * to_row + request.dst_x,
        to_pitch: Pitch { row: to_row, slice: to_slice },
        from: from + request.src_z * from_slice + request.src_y * from_row + request.src_x,
        from_pitch: Pitch { row: from_row, slice: from_slice },
        shape: Shape { width: request.width, height: request.height, depth: request.depth },
        direction: direction(request.src_type, request.dst_type),
        stream: stream.unwrap_or(0),
        asynchronous: stream.is_some(),
    })
}

entry_points! { lookup;
    /// Copies between any two places.
    fn cuMemcpy(to: u64, from: u64, bytes: usize) {
        linear(to as usize, from as usize, bytes, Direction::Any, None)
    }
    /// As `cuMemcpy`, in stream order.
    fn cuMemcpyAsync(to: u64, from: u64, bytes: usize, stream: usize) {
        linear(to as usize, from as usize, bytes, Direction::Any, Some(stream))
    }
    /// Copies to the device.
    fn cuMemcpyHtoD_v2(to: u64, from: *const c_void, bytes: usize) {
        linear(to as usize, from as usize, bytes, Direction::HostToDevice, None)
    }
    /// Copies to the device, in stream order.
    fn cuMemcpyHtoDAsync_v2(to: u64, from: *const c_void, bytes: usize, stream: usize) {
        linear(to as usize, from as usize, bytes, Direction::HostToDevice, Some(stream))
    }
    /// Copies to the host.
    fn cuMemcpyDtoH_v2(to: *mut c_void, from: u64, bytes: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToHost, None)
    }
    /// Copies to the host, in stream order.
    fn cuMemcpyDtoHAsync_v2(to: *mut c_void, from: u64, bytes: usize, stream: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToHost, Some(stream))
    }
    /// Copies on the device.
    fn cuMemcpyDtoD_v2(to: u64, from: u64, bytes: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToDevice, None)
    }
    /// Copies on the device, in stream order.
    fn cuMemcpyDtoDAsync_v2(to: u64, from: u64, bytes: usize, stream: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToDevice, Some(stream))
    }
    /// Copies between devices; there is one.
    fn cuMemcpyPeer(to: u64, _to_context: usize, from: u64, _from_context: usize, bytes: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToDevice, None)
    }
    /// As `cuMemcpyPeer`, in stream order.
    fn cuMemcpyPeerAsync(to: u64, _to_context: usize, from: u64, _from_context: usize, bytes: usize, stream: usize) {
        linear(to as usize, from as usize, bytes, Direction::DeviceToDevice, Some(stream))
    }
    /// Copies rows.
    fn cuMemcpy2D_v2(request: *const Copy2d) {
        rows(&*request, None)
    }
    /// Copies rows.
    fn cuMemcpy2DUnaligned_v2(request: *const Copy2d) {
        rows(&*request, None)
    }
    /// Copies rows, in stream order.
    fn cuMemcpy2DAsync_v2(request: *const Copy2d, stream: usize) {
        rows(&*request, Some(stream))
    }
    /// Copies slices.
    fn cuMemcpy3D_v2(request: *const Copy3d) {
        slices(&*request, None)
    }
    /// Copies slices, in stream order.
    fn cuMemcpy3DAsync_v2(request: *const Copy3d, stream: usize) {
        slices(&*request, Some(stream))
    }
}
