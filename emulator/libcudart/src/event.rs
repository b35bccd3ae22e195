//! Events.

use crate::memory::forwarded;

forwarded! {
    /// An event.
    cudaEventCreate(out: *mut usize) => c"cuEventCreate"(out => *mut usize, 0 => u32);
    /// An event with flags, which change nothing.
    cudaEventCreateWithFlags(out: *mut usize, flags: u32) => c"cuEventCreate"(out => *mut usize, flags => u32);
    /// Ends an event.
    cudaEventDestroy(event: usize) => c"cuEventDestroy"(event => usize);
    /// Marks the end of what the stream holds.
    cudaEventRecord(event: usize, stream: usize) => c"cuEventRecord"(event => usize, stream => usize);
    /// As `cudaEventRecord`.
    cudaEventRecordWithFlags(event: usize, stream: usize, flags: u32)
        => c"cuEventRecordWithFlags"(event => usize, stream => usize, flags => u32);
    /// Waits for the mark.
    cudaEventSynchronize(event: usize) => c"cuEventSynchronize"(event => usize);
    /// Whether the mark is reached.
    cudaEventQuery(event: usize) => c"cuEventQuery"(event => usize);
    /// Milliseconds between two marks.
    cudaEventElapsedTime(milliseconds: *mut f32, start: usize, end: usize)
        => c"cuEventElapsedTime"(milliseconds => *mut f32, start => usize, end => usize);
}
