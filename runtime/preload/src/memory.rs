//! Device allocation and release, in every mode.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use echo_runtime::wire::{kind, mode};

use crate::blocks::{BLOCKS, Block, NO_RULE, Role};
use crate::config::{self, THRESHOLD};
use crate::{guard, merge, observe, real, site, streams, tracer};

/// `cuMemAlloc`.
pub(crate) unsafe fn allocate(
    out: *mut usize,
    bytes: usize,
    call: impl FnOnce(*mut usize, usize) -> c_int,
) -> c_int {
    let current = config::current_mode();
    if current == mode::OFF || out.is_null() || bytes < THRESHOLD.load(Ordering::Relaxed) {
        return call(out, bytes);
    }
    let Some(_inside) = real::enter() else { return call(out, bytes) };
    if current == mode::OPTIMIZE {
        return match merge::allocate_device(bytes) {
            Some(address) => {
                *out = address;
                0
            }
            None => call(out, bytes),
        };
    }
    if current == mode::PROFILE {
        tracer::start();
    }
    let (found, rule) = match config::current_mode() {
        mode::PROFILE => (site::site(), NO_RULE),
        mode::VALIDATE | mode::OBSERVE => (0, observe::rule_of_device(bytes).unwrap_or(NO_RULE)),
        _ => return call(out, bytes),
    };
    let status = call(out, bytes);
    if status != 0 || (current != mode::PROFILE && rule == NO_RULE) {
        return status;
    }
    let address = *out;
    BLOCKS.with(|blocks| {
        let mut block = Block::new(address, bytes, Role::Device, rule);
        block.work = streams::WORK.load(Ordering::Relaxed);
        if rule != NO_RULE
            && let Some(host) = blocks.match_device(rule, address)
        {
            block.partner = host;
            if let Some(other) = blocks.at(host) {
                other.partner = address;
            }
        }
        blocks.insert(block);
    });
    if current == mode::PROFILE {
        tracer::event(kind::DEVICE_ALLOC, 0, [address as u64, 0, bytes as u64, found, 0]);
    }
    status
}

/// `cuMemFree`.
pub(crate) unsafe fn free(address: usize, call: impl FnOnce(usize) -> c_int) -> c_int {
    let current = config::current_mode();
    if address == 0 {
        return call(address);
    }
    let Some(_inside) = real::enter() else { return call(address) };
    let role = BLOCKS.with(|blocks| blocks.at(address).map(|block| block.role));
    match role {
        Some(Role::Merged) => return merge::free_device(address),
        Some(Role::Device) => {}
        None | Some(Role::Host | Role::Pages) => return call(address),
    }
    if current == mode::VALIDATE {
        guard::before_device_free(address);
    }
    BLOCKS.with(|blocks| {
        if let Some(block) = blocks.remove(address)
            && block.rule != NO_RULE
        {
            blocks.due[block.rule as usize].device.remove(address);
            if let Some(host) = blocks.at(block.partner) {
                host.partner = 0;
            }
        }
    });
    if current == mode::PROFILE {
        tracer::event(kind::DEVICE_FREE, 0, [address as u64, 0, 0, 0, 0]);
    }
    call(address)
}
