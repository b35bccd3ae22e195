//! Look-up of entry points by the names without version suffix that cudart asks for.

use std::ffi::{CStr, c_char};

use super::result::{INVALID_VALUE, NOT_FOUND, SUCCESS};
use super::{
    context, copy_calls, entry_points, event, fill, graph, kernel, memory, per_thread, pointer,
    stream,
};
use crate::race;

/// `CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM`.
const PER_THREAD: u64 = 2;
/// Suffixes of entry points with that stream.
const OWN_STREAM: [&str; 4] = ["_v2_ptds", "_v2_ptsz", "_ptds", "_ptsz"];

fn find(name: &str) -> Option<*const ()> {
    let tables = [
        context::lookup,
        memory::lookup,
        copy_calls::lookup,
        fill::lookup,
        stream::lookup,
        event::lookup,
        kernel::lookup,
        graph::lookup,
        pointer::lookup,
        per_thread::lookup,
        lookup,
    ];
    let extension = match name {
        "echo_set_call_site" => Some(memory::echo_set_call_site as *const ()),
        "echo_join_managed" => Some(kernel::echo_join_managed as *const ()),
        "echo_submit" => Some(kernel::echo_submit as *const ()),
        "echo_race_is_on" => Some(race::is_on_place().cast()),
        "echo_access" => Some(kernel::echo_access as *const ()),
        _ => None,
    };
    extension.or_else(|| tables.iter().find_map(|table| table(name)))
}

entry_points! { lookup;
    /// Address of an entry point; the newest version wins. Flag 2: with the per-thread default stream. Status: 0 found,
    /// 1 not.
    fn cuGetProcAddress_v2(name: *const c_char, out: *mut *const (), _version: i32, flags: u64, status: *mut i32) {
        if name.is_null() || out.is_null() {
            return INVALID_VALUE;
        }
        let name = CStr::from_ptr(name).to_string_lossy();
        let own = if flags & PER_THREAD == 0 { &[][..] } else { &OWN_STREAM };
        let mut suffixes = own.iter().chain(&["_v2", ""]);
        let found = suffixes.find_map(|suffix| find(&format!("{name}{suffix}")));
        *out = found.unwrap_or(std::ptr::null());
        if !status.is_null() {
            *status = i32::from(found.is_none());
        }
        if found.is_some() { SUCCESS } else { NOT_FOUND }
    }
    /// As `cuGetProcAddress_v2`, in the form of CUDA 11.3.
    fn cuGetProcAddress(name: *const c_char, out: *mut *const (), version: i32, flags: u64) {
        cuGetProcAddress_v2(name, out, version, flags, std::ptr::null_mut())
    }
}
