//! Fills (`cuMemset*`).

use super::copy::check_end;
use super::entry_points;
use super::result::{INVALID_HANDLE, INVALID_VALUE, SUCCESS};
use super::stream::index_of;
use crate::arena::{self, Kind};
use crate::operation::{Pitch, Shape, Work};
use crate::schedule;

struct Fill {
    to: u64,
    row: usize,
    value: u32,
    /// Bytes per element.
    size: usize,
    /// Elements per row, and rows.
    width: usize,
    height: usize,
    stream: usize,
    waits: bool,
}

// A fill of device memory never makes the host wait; one of managed or mapped memory does.
fn fill(fill: &Fill) -> i32 {
    let Some(stream) = index_of(fill.stream) else { return INVALID_HANDLE };
    schedule::call_point();
    let Some(width) = fill.width.checked_mul(fill.size) else { return INVALID_VALUE };
    let shape = Shape { width, height: fill.height, depth: 1 };
    let pitch = Pitch { row: if fill.height == 1 { width } else { fill.row }, slice: 0 };
    if width == 0 || fill.height == 0 {
        return SUCCESS;
    }
    let to = fill.to as usize;
    let kind = arena::kind_of(to);
    if kind == Kind::Host && !arena::shared_with_device(to) && !arena::is_device_variable(to) {
        return INVALID_VALUE;
    }
    check_end(to, pitch.extent(shape), "fill");
    let work = Work::Fill { to, pitch, value: fill.value, size: fill.size, shape };
    let submitted = schedule::submit(stream, work, "memset", None);
    if fill.waits && kind != Kind::Device && !arena::is_device_variable(to) {
        schedule::wait_for(&submitted);
    }
    SUCCESS
}

macro_rules! fills {
    ($($one:ident $one_async:ident $two:ident $two_async:ident $type:ty;)*) => {
        entry_points! { lookup; $(
            /// Fills elements.
            fn $one(to: u64, value: $type, count: usize) {
                fill(&Fill { to, row: 0, value: value.into(), size: size_of::<$type>(), width: count, height: 1,
                    stream: 0, waits: true })
            }
            /// Fills elements, in stream order.
            fn $one_async(to: u64, value: $type, count: usize, stream: usize) {
                fill(&Fill { to, row: 0, value: value.into(), size: size_of::<$type>(), width: count, height: 1,
                    stream, waits: false })
            }
            /// Fills rows; the pitch is in bytes.
            fn $two(to: u64, row: usize, value: $type, width: usize, height: usize) {
                fill(&Fill { to, row, value: value.into(), size: size_of::<$type>(), width, height, stream: 0,
                    waits: true })
            }
            /// Fills rows, in stream order.
            fn $two_async(to: u64, row: usize, value: $type, width: usize, height: usize, stream: usize) {
                fill(&Fill { to, row, value: value.into(), size: size_of::<$type>(), width, height, stream,
                    waits: false })
            }
        )* }
    };
}

fills! {
    cuMemsetD8_v2 cuMemsetD8Async cuMemsetD2D8_v2 cuMemsetD2D8Async u8;
    cuMemsetD16_v2 cuMemsetD16Async cuMemsetD2D16_v2 cuMemsetD2D16Async u16;
    cuMemsetD32_v2 cuMemsetD32Async cuMemsetD2D32_v2 cuMemsetD2D32Async u32;
}
