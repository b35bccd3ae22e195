//! Entry points with the per-thread default stream: as those without the suffix, with that stream for stream 0. (The
//! program has one thread, so there is one such stream.)

use std::ffi::c_void;

use super::copy::Direction;
use super::copy_calls::linear_in;
use super::entry_points;
use super::{copy_calls, event, fill, graph, kernel, memory, stream};

/// `CU_STREAM_PER_THREAD`.
const PER_THREAD: usize = 2;

fn own(stream: usize) -> usize {
    if stream == 0 { PER_THREAD } else { stream }
}

fn waiting(to: usize, from: usize, bytes: usize, direction: Direction) -> i32 {
    linear_in(to, from, bytes, direction, PER_THREAD, false)
}

entry_points! { lookup;
    /// See `cuMemcpy`.
    fn cuMemcpy_ptds(to: u64, from: u64, bytes: usize) {
        waiting(to as usize, from as usize, bytes, Direction::Any)
    }
    /// See `cuMemcpyHtoD_v2`.
    fn cuMemcpyHtoD_v2_ptds(to: u64, from: *const c_void, bytes: usize) {
        waiting(to as usize, from as usize, bytes, Direction::HostToDevice)
    }
    /// See `cuMemcpyDtoH_v2`.
    fn cuMemcpyDtoH_v2_ptds(to: *mut c_void, from: u64, bytes: usize) {
        waiting(to as usize, from as usize, bytes, Direction::DeviceToHost)
    }
    /// See `cuMemcpyDtoD_v2`.
    fn cuMemcpyDtoD_v2_ptds(to: u64, from: u64, bytes: usize) {
        waiting(to as usize, from as usize, bytes, Direction::DeviceToDevice)
    }
    /// See `cuMemcpyAsync`.
    fn cuMemcpyAsync_ptsz(to: u64, from: u64, bytes: usize, stream: usize) {
        copy_calls::cuMemcpyAsync(to, from, bytes, own(stream))
    }
    /// See `cuMemcpyHtoDAsync_v2`.
    fn cuMemcpyHtoDAsync_v2_ptsz(to: u64, from: *const c_void, bytes: usize, stream: usize) {
        copy_calls::cuMemcpyHtoDAsync_v2(to, from, bytes, own(stream))
    }
    /// See `cuMemcpyDtoHAsync_v2`.
    fn cuMemcpyDtoHAsync_v2_ptsz(to: *mut c_void, from: u64, bytes: usize, stream: usize) {
        copy_calls::cuMemcpyDtoHAsync_v2(to, from, bytes, own(stream))
    }
    /// See `cuMemcpyDtoDAsync_v2`.
    fn cuMemcpyDtoDAsync_v2_ptsz(to: u64, from: u64, bytes: usize, stream: usize) {
        copy_calls::cuMemcpyDtoDAsync_v2(to, from, bytes, own(stream))
    }
    /// See `cuMemsetD8_v2`.
    fn cuMemsetD8_v2_ptds(to: u64, value: u8, count: usize) {
        fill::cuMemsetD8Async(to, value, count, PER_THREAD)
    }
    /// See `cuMemsetD8Async`.
    fn cuMemsetD8Async_ptsz(to: u64, value: u8, count: usize, stream: usize) {
        fill::cuMemsetD8Async(to, value, count, own(stream))
    }
    /// See `cuStreamSynchronize`.
    fn cuStreamSynchronize_ptsz(stream: usize) {
        stream::cuStreamSynchronize(own(stream))
    }
    /// See `cuStreamQuery`.
    fn cuStreamQuery_ptsz(stream: usize) {
        stream::cuStreamQuery(own(stream))
    }
    /// See `cuStreamWaitEvent`.
    fn cuStreamWaitEvent_ptsz(stream: usize, event: usize, flags: u32) {
        stream::cuStreamWaitEvent(own(stream), event, flags)
    }
    /// See `cuEventRecord`.
    fn cuEventRecord_ptsz(event: usize, stream: usize) {
        event::cuEventRecord(event, own(stream))
    }
    /// See `cuMemAllocAsync`.
    fn cuMemAllocAsync_ptsz(out: *mut u64, bytes: usize, stream: usize) {
        memory::cuMemAllocAsync(out, bytes, own(stream))
    }
    /// See `cuMemFreeAsync`.
    fn cuMemFreeAsync_ptsz(place: u64, stream: usize) {
        memory::cuMemFreeAsync(place, own(stream))
    }
    /// See `cuStreamBeginCapture_v2`.
    fn cuStreamBeginCapture_v2_ptsz(stream: usize, mode: i32) {
        graph::cuStreamBeginCapture_v2(own(stream), mode)
    }
    /// See `cuStreamEndCapture`.
    fn cuStreamEndCapture_ptsz(stream: usize, graph: *mut usize) {
        graph::cuStreamEndCapture(own(stream), graph)
    }
    /// See `cuGraphLaunch`.
    fn cuGraphLaunch_ptsz(graph: usize, stream: usize) {
        graph::cuGraphLaunch(graph, own(stream))
    }
    /// See `cuLaunchKernel`.
    fn cuLaunchKernel_ptsz(function: usize, gx: u32, gy: u32, gz: u32, bx: u32, by: u32, bz: u32, shared: u32,
        stream: usize, arguments: *const *const u8, extra: *const *mut c_void) {
        kernel::cuLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, own(stream), arguments, extra)
    }
}
