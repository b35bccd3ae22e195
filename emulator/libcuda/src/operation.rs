//! What can be submitted to a stream.

use std::ffi::c_void;

use crate::launch::Launch;
use crate::{arena, race};

/// Where a copy reads.
pub(crate) enum Source {
    /// From memory, when the copy runs.
    Memory(usize),
    /// From a copy that was taken when it was submitted (staging).
    Staged(Vec<u8>),
}

/// A block of rows and slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Bytes per row, rows per slice, slices.
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) depth: usize,
}

impl Shape {
    pub(crate) const fn linear(bytes: usize) -> Self {
        Self { width: bytes, height: 1, depth: 1 }
    }
}

/// Distances in bytes between rows and between slices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pitch {
    pub(crate) row: usize,
    pub(crate) slice: usize,
}

impl Pitch {
    /// Bytes from the first to one past the last byte of `shape`.
    pub(crate) const fn extent(self, shape: Shape) -> usize {
        if shape.width == 0 || shape.height == 0 || shape.depth == 0 {
            return 0;
        }
        (shape.depth - 1) * self.slice + (shape.height - 1) * self.row + shape.width
    }
}

/// Something a stream does.
pub(crate) enum Work {
    /// Blocks of a kernel.
    Kernel(Launch),
    /// A copy; of one row unless 2D or 3D.
    Copy { to: usize, to_pitch: Pitch, from: Source, from_pitch: Pitch, shape: Shape },
    /// Fills rows with a value of 1, 2 or 4 bytes.
    Fill { to: usize, pitch: Pitch, value: u32, size: usize, shape: Shape },
    /// A library's computation on device memory.
    Native { run: unsafe extern "C" fn(*mut c_void), data: *mut c_void },
    /// A function of the program, on the host.
    HostFunction { run: unsafe extern "C" fn(*mut c_void), data: *mut c_void },
    /// A stream-ordered free.
    Free { block: usize },
    /// Nothing: an event, or the point a wait waits for.
    Marker,
}

impl Work {
    /// Whether managed memory is the device's while this is under way (rules ).
    pub(crate) fn is_device_activity(&self) -> bool {
        let managed = |address| arena::kind_of(address) == arena::Kind::Managed;
        match self {
            Self::Kernel(_) | Self::Fill { .. } | Self::Native { .. } => true,
            Self::Copy { to, from, .. } => {
                managed(*to) || matches!(from, Source::Memory(from) if managed(*from))
            }
            Self::HostFunction { .. } | Self::Free { .. } | Self::Marker => false,
        }
    }

    /// The same once more, for a graph; None for what can be done once only.
    pub(crate) fn again(&self) -> Option<Self> {
        Some(match self {
            Self::Kernel(launch) => Self::Kernel(launch.clone()),
            Self::Copy { to, to_pitch, from: Source::Memory(from), from_pitch, shape } => {
                Self::Copy {
                    to: *to,
                    to_pitch: *to_pitch,
                    from: Source::Memory(*from),
                    from_pitch: *from_pitch,
                    shape: *shape,
                }
            }
            Self::Fill { to, pitch, value, size, shape } => {
                Self::Fill { to: *to, pitch: *pitch, value: *value, size: *size, shape: *shape }
            }
            Self::HostFunction { run, data } => Self::HostFunction { run: *run, data: *data },
            Self::Marker => Self::Marker,
            Self::Copy { from: Source::Staged(_), .. }
            | Self::Native { .. }
            | Self::Free { .. } => {
                return None;
            }
        })
    }

    /// Whether it runs code of the program on the host.
    pub(crate) const fn is_host_function(&self) -> bool {
        matches!(self, Self::HostFunction { .. })
    }

    /// Does it; kernels run at most `most` more blocks. True if it is complete.
    pub(crate) fn run(&mut self, most: u64) -> bool {
        match self {
            Self::Kernel(launch) => return launch.run(most),
            Self::Copy { to, to_pitch, from, from_pitch, shape } => {
                for_rows(*shape, |row, slice| {
                    let to = *to + slice * to_pitch.slice + row * to_pitch.row;
                    let offset = slice * from_pitch.slice + row * from_pitch.row;
                    let from = match from {
                        Source::Memory(from) => *from + offset,
                        Source::Staged(bytes) => bytes.as_ptr() as usize + offset,
                    };
                    race::copy(to, from, shape.width);
                    // SAFETY: both ends were checked against their allocations when the copy was submitted.
                    unsafe {
                        std::ptr::copy(from as *const u8, to as *mut u8, shape.width);
                    }
                });
            }
            Self::Fill { to, pitch, value, size, shape } => {
                for_rows(*shape, |row, slice| {
                    let to = *to + slice * pitch.slice + row * pitch.row;
                    race::access(to, shape.width, true);
                    fill(to, *value, *size, shape.width);
                });
            }
            // SAFETY: the submitter passed a function together with its data.
            Self::Native { run, data } | Self::HostFunction { run, data } => unsafe { run(*data) },
            Self::Free { block } => {
                if !arena::free(*block) {
                    crate::trap::trap(
                        crate::trap::Trap::Freed,
                        "stream-ordered free of what is not live",
                    );
                }
            }
            Self::Marker => {}
        }
        true
    }
}

fn for_rows(shape: Shape, mut each: impl FnMut(usize, usize)) {
    for slice in 0..shape.depth {
        for row in 0..shape.height {
            each(row, slice);
        }
    }
}

fn fill(to: usize, value: u32, size: usize, bytes: usize) {
    let value = value.to_le_bytes();
    if size == 1 {
        // SAFETY: the row lies in an allocation, checked at submission.
        unsafe { std::ptr::write_bytes(to as *mut u8, value[0], bytes) };
        return;
    }
    for offset in (0..bytes).step_by(size) {
        // SAFETY: the row lies in an allocation, checked at submission; the size divides the row.
        unsafe {
            std::ptr::copy_nonoverlapping(value.as_ptr(), (to + offset) as *mut u8, size);
        }
    }
}
