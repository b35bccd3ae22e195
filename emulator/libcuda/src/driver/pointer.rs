//! What the driver knows of an address.

use std::ffi::c_void;

use super::entry_points;
use super::result::{INVALID_VALUE, NOT_SUPPORTED, SUCCESS};
use crate::arena::{self, Kind};

const CONTEXT: i32 = 1;
const MEMORY_TYPE: i32 = 2;
const DEVICE_POINTER: i32 = 3;
const HOST_POINTER: i32 = 4;
const BUFFER_ID: i32 = 7;
const IS_MANAGED: i32 = 8;
const DEVICE_ORDINAL: i32 = 9;
const RANGE_START: i32 = 11;
const RANGE_SIZE: i32 = 12;

// Attributes of memory the driver did not allocate are not there; `cuPointerGetAttributes` gives 0 for them.
unsafe fn put(out: *mut c_void, attribute: i32, place: usize) -> i32 {
    let Some(block) =
        arena::find(place).filter(|block| block.live && arena::known_to_driver(block))
    else {
        return INVALID_VALUE;
    };
    let managed = block.kind == Kind::Managed;
    let on_device = managed || block.kind == Kind::Device;
    // SAFETY: the caller passes a place of the attribute's size.
    unsafe {
        match attribute {
            CONTEXT => out.cast::<usize>().write(0xC000),
            MEMORY_TYPE => out.cast::<u32>().write(if on_device { 2 } else { 1 }),
            DEVICE_POINTER => out.cast::<usize>().write(place),
            HOST_POINTER if block.kind == Kind::Device => return INVALID_VALUE,
            HOST_POINTER => out.cast::<usize>().write(place),
            BUFFER_ID => out.cast::<u64>().write(u64::from(block.id) + 1),
            IS_MANAGED => out.cast::<u32>().write(u32::from(managed)),
            DEVICE_ORDINAL => out.cast::<i32>().write(0),
            RANGE_START => out.cast::<usize>().write(block.base),
            RANGE_SIZE => out.cast::<u64>().write(block.bytes),
            _ => return NOT_SUPPORTED,
        }
    }
    SUCCESS
}

entry_points! { lookup;
    /// One attribute.
    fn cuPointerGetAttribute(out: *mut c_void, attribute: i32, place: u64) {
        put(out, attribute, place as usize)
    }
    /// Several; what does not apply becomes 0.
    fn cuPointerGetAttributes(count: u32, attributes: *const i32, outs: *const *mut c_void, place: u64) {
        for index in 0..count as usize {
            let (attribute, out) = (*attributes.add(index), *outs.add(index));
            if put(out, attribute, place as usize) != SUCCESS {
                match attribute {
                    CONTEXT | DEVICE_POINTER | HOST_POINTER | BUFFER_ID | RANGE_START | RANGE_SIZE => {
                        out.cast::<u64>().write(0);
                    }
                    DEVICE_ORDINAL => out.cast::<i32>().write(-2),
                    _ => out.cast::<u32>().write(0),
                }
            }
        }
        SUCCESS
    }
    /// Start and size in bytes of the block around an address.
    fn cuMemGetAddressRange_v2(base: *mut u64, bytes: *mut usize, place: u64) {
        let block = arena::find(place as usize).filter(|block| block.live && arena::known_to_driver(block));
        let Some(block) = block else { return super::result::NOT_FOUND };
        if !base.is_null() {
            *base = block.base as u64;
        }
        if !bytes.is_null() {
            *bytes = block.bytes as usize;
        }
        SUCCESS
    }
}
