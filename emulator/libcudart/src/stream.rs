//! Streams and synchronization.

use std::ffi::c_void;

use crate::memory::forwarded;

type HostFunction = unsafe extern "C" fn(*mut c_void);
type Callback = unsafe extern "C" fn(usize, i32, *mut c_void);

forwarded! {
    /// A stream.
    cudaStreamCreate(out: *mut usize) => c"cuStreamCreate"(out => *mut usize, 0 => u32);
    /// A stream; flag 1: it does not synchronize with the legacy stream.
    cudaStreamCreateWithFlags(out: *mut usize, flags: u32) => c"cuStreamCreate"(out => *mut usize, flags => u32);
    /// Priorities change nothing.
    cudaStreamCreateWithPriority(out: *mut usize, flags: u32, priority: i32)
        => c"cuStreamCreateWithPriority"(out => *mut usize, flags => u32, priority => i32);
    /// Ends the handle; work goes on.
    cudaStreamDestroy(stream: usize) => c"cuStreamDestroy"(stream => usize);
    /// Waits for a stream.
    cudaStreamSynchronize(stream: usize) => c"cuStreamSynchronize"(stream => usize);
    /// Whether a stream is idle.
    cudaStreamQuery(stream: usize) => c"cuStreamQuery"(stream => usize);
    /// Work that follows waits for an event.
    cudaStreamWaitEvent(stream: usize, event: usize, flags: u32)
        => c"cuStreamWaitEvent"(stream => usize, event => usize, flags => u32);
    /// Flags a stream was made with.
    cudaStreamGetFlags(stream: usize, flags: *mut u32) => c"cuStreamGetFlags"(stream => usize, flags => *mut u32);
    /// All priorities are alike.
    cudaStreamGetPriority(stream: usize, priority: *mut i32)
        => c"cuStreamGetPriority"(stream => usize, priority => *mut i32);
    /// Whether a stream is being recorded.
    cudaStreamIsCapturing(stream: usize, status: *mut i32)
        => c"cuStreamIsCapturing"(stream => usize, status => *mut i32);
    /// Calls a function of the host in stream order.
    cudaLaunchHostFunc(stream: usize, run: HostFunction, data: *mut c_void)
        => c"cuLaunchHostFunc"(stream => usize, run => HostFunction, data => *mut c_void);
    /// As `cudaLaunchHostFunc`, in the older form.
    cudaStreamAddCallback(stream: usize, run: Callback, data: *mut c_void, flags: u32)
        => c"cuStreamAddCallback"(stream => usize, run => Callback, data => *mut c_void, flags => u32);
    /// Begins to record what a stream is given.
    cudaStreamBeginCapture(stream: usize, mode: i32) => c"cuStreamBeginCapture"(stream => usize, mode => i32);
    /// Makes a graph of what was recorded.
    cudaStreamEndCapture(stream: usize, graph: *mut usize)
        => c"cuStreamEndCapture"(stream => usize, graph => *mut usize);
    /// Makes a graph ready to launch.
    cudaGraphInstantiate(out: *mut usize, graph: usize, flags: u64)
        => c"cuGraphInstantiateWithFlags"(out => *mut usize, graph => usize, flags => u64);
    /// As `cudaGraphInstantiate`.
    cudaGraphInstantiateWithFlags(out: *mut usize, graph: usize, flags: u64)
        => c"cuGraphInstantiateWithFlags"(out => *mut usize, graph => usize, flags => u64);
    /// Number of nodes.
    cudaGraphGetNodes(graph: usize, nodes: *mut usize, count: *mut usize)
        => c"cuGraphGetNodes"(graph => usize, nodes => *mut usize, count => *mut usize);
    /// Launches a graph in a stream.
    cudaGraphLaunch(graph: usize, stream: usize) => c"cuGraphLaunch"(graph => usize, stream => usize);
    /// Nothing to do.
    cudaGraphUpload(graph: usize, stream: usize) => c"cuGraphUpload"(graph => usize, stream => usize);
    /// Ends the handle of what can be launched.
    cudaGraphExecDestroy(graph: usize) => c"cuGraphExecDestroy"(graph => usize);
    /// Ends the handle of a graph.
    cudaGraphDestroy(graph: usize) => c"cuGraphDestroy"(graph => usize);
    /// Waits for all work.
    cudaDeviceSynchronize() => c"cuCtxSynchronize"();
    /// As `cudaDeviceSynchronize`.
    cudaThreadSynchronize() => c"cuCtxSynchronize"();
    /// Range of priorities.
    cudaDeviceGetStreamPriorityRange(least: *mut i32, greatest: *mut i32)
        => c"cuCtxGetStreamPriorityRange"(least => *mut i32, greatest => *mut i32);
}
