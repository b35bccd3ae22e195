//! Phase 3: planned pairs get one buffer, copies between its two names are skipped, and it is freed
//! when both names were freed (paper section 3.3.2, R1 to R4). Whatever does not match the plan is
//! done by the original call.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use echo_runtime::wire::{backend, fault, origin, outcome, reason, rule_flag};

use crate::blocks::{BLOCKS, Block, Role};
use crate::config;
use crate::copies::Copy;
use crate::device::{self, Context, driver_call};
use crate::heap::{self, Request};
use crate::observe::{digest, mark, rule_of_device, rule_of_host};
use crate::real::Pointer;
use crate::{arena, streams};

/// A new merged buffer, not yet in the table.
struct Made {
    address: usize,
    mapped: usize,
    registered: bool,
}

/// Makes a buffer of the rule's memory kind. `None` leaves the allocation to the original call.
unsafe fn make(rule: config::Rule, bytes: usize, on_device: bool) -> Option<Made> {
    match rule.backend {
        backend::MANAGED | backend::MAPPED => {
            let _context = Context::ensure()?;
            if !device::matches_plan() {
                return None;
            }
            let mut address = 0usize;
            let status = if rule.backend == backend::MANAGED {
                driver_call!(c"cuMemAllocManaged", (*mut usize, usize, u32), &mut address, bytes, 1)
            } else {
                // DEVICEMAP; with unified addressing the device uses the same pointer (checked below).
                driver_call!(c"cuMemHostAlloc", (*mut usize, usize, u32), &mut address, bytes, 2)
            };
            if status != Some(0) || address == 0 {
                return None;
            }
            let made = Made { address, mapped: 0, registered: false };
            if rule.backend == backend::MAPPED && !same_on_device(address) {
                release(rule.backend, &made);
                return None;
            }
            Some(made)
        }
        backend::REGISTERED | backend::SYSTEM => {
            if on_device && !device::matches_plan() {
                return None;
            }
            let mapped = arena::page_round(bytes);
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            // Shared, so that a fork does not move the parent's pages away from under the device.
            let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
            let pages = libc::mmap(std::ptr::null_mut(), mapped, protection, flags, -1, 0);
            if pages == libc::MAP_FAILED {
                return None;
            }
            let mut made = Made { address: pages as usize, mapped, registered: false };
            if on_device && rule.backend == backend::REGISTERED {
                made.registered = register(made.address, mapped);
                if !made.registered {
                    release(rule.backend, &made);
                    return None;
                }
            }
            Some(made)
        }
        _ => None,
    }
}

unsafe fn same_on_device(address: usize) -> bool {
    let mut seen = 0usize;
    driver_call!(c"cuMemHostGetDevicePointer_v2", (*mut usize, usize, u32), &mut seen, address, 0)
        == Some(0)
        && seen == address
}

unsafe fn register(address: usize, mapped: usize) -> bool {
    if driver_call!(c"cuMemHostRegister_v2", (usize, usize, u32), address, mapped, 2) != Some(0) {
        return false;
    }
    if same_on_device(address) {
        return true;
    }
    driver_call!(c"cuMemHostUnregister", (usize), address);
    false
}

unsafe fn release(kind: u64, made: &Made) {
    match kind {
        backend::MANAGED => {
            driver_call!(c"cuMemFree_v2", (usize), made.address);
        }
        backend::MAPPED => {
            driver_call!(c"cuMemFreeHost", (usize), made.address);
        }
        _ => {
            if made.registered {
                driver_call!(c"cuMemHostUnregister", (usize), made.address);
            }
            libc::munmap(made.address as Pointer, made.mapped);
        }
    }
}

fn live(bytes: usize) {
    config::add(outcome::MERGED, 1);
    let now = config::add(outcome::LIVE_BYTES, bytes as u64);
    config::raise(outcome::PEAK_BYTES, now);
}

fn give_up(rule: u16, bit: u64) {
    config::fault(rule as usize, bit);
    config::add(outcome::FALLBACKS, 1);
}

/// The host side of a planned pair is allocated.
pub(crate) unsafe fn allocate_host(request: &Request) -> Option<usize> {
    if config::EXITING.load(Ordering::Relaxed) {
        return None;
    }
    let number = rule_of_host(request.bytes)?;
    let rule = config::rule(number as usize);
    config::add(config::of_rule(number as usize, outcome::RULE_HOST), 1);
    if request.alignment > 256 && request.alignment > arena::page_round(1) {
        give_up(number, fault::GUARD_FAILED);
        return None;
    }
    // The partner is there already?
    enum Found {
        /// Its address, and whether it never had a host name before.
        Ready(usize, bool),
        Used,
        None,
    }
    let found = BLOCKS.with(|blocks| {
        let Some(address) = blocks.due[number as usize].device.first() else { return Found::None };
        let work = streams::WORK.load(Ordering::Relaxed);
        let Some(block) = blocks.at(address) else { return Found::None };
        let first = !block.host_seen;
        if request.origin == origin::CALLOC && block.work < work {
            return Found::Used;
        }
        block.host_live = true;
        block.host_seen = true;
        blocks.due[number as usize].device.remove(address);
        Found::Ready(address, first)
    });
    match found {
        Found::Used => {
            // calloc promises zeros, and the device may have stored results already.
            give_up(number, fault::LATE_ALLOCATION);
            return None;
        }
        Found::Ready(address, first) => {
            heap::watch(address);
            if first {
                live(request.bytes);
            }
            if request.origin == origin::CALLOC {
                std::ptr::write_bytes(address as *mut u8, 0, request.bytes);
            }
            return Some(address);
        }
        Found::None => {}
    }
    let Some(made) = make(rule, request.bytes, false) else {
        give_up(number, fault::GUARD_FAILED);
        return None;
    };
    let mut block = Block::new(made.address, request.bytes, Role::Merged, number);
    (block.mapped, block.registered) = (made.mapped, made.registered);
    (block.host_live, block.host_seen) = (true, true);
    let added = BLOCKS
        .with(|blocks| blocks.due[number as usize].host.push(made.address) && blocks.insert(block));
    if !added {
        release(rule.backend, &made);
        give_up(number, fault::GUARD_FAILED);
        return None;
    }
    heap::watch(made.address);
    if request.origin == origin::CALLOC && made.mapped == 0 {
        std::ptr::write_bytes(made.address as *mut u8, 0, request.bytes);
    }
    Some(made.address)
}

/// The device side of a planned pair is allocated.
pub(crate) unsafe fn allocate_device(bytes: usize) -> Option<usize> {
    let number = rule_of_device(bytes)?;
    let rule = config::rule(number as usize);
    config::add(config::of_rule(number as usize, outcome::RULE_DEVICE), 1);
    if !device::is_current() {
        give_up(number, fault::GUARD_FAILED);
        return None;
    }
    if !device::matches_plan() {
        return None;
    }
    let waiting = BLOCKS.with(|blocks| {
        let address = blocks.due[number as usize].host.first()?;
        blocks.due[number as usize].host.remove(address);
        blocks.at(address).copied()
    });
    if let Some(block) = waiting {
        let registered = rule.backend == backend::REGISTERED;
        if registered && !register(block.address, block.mapped) {
            // The host buffer stays plain memory; this and all later pairs of the rule stay apart.
            give_up(number, fault::GUARD_FAILED);
            config::set(outcome::REASON, reason::BACKEND);
            return None;
        }
        BLOCKS.with(|blocks| {
            if let Some(found) = blocks.at(block.address) {
                (found.device_live, found.device_seen, found.registered) = (true, true, registered);
            }
        });
        live(bytes);
        return Some(block.address);
    }
    let Some(made) = make(rule, bytes, true) else {
        give_up(number, fault::GUARD_FAILED);
        return None;
    };
    let mut block = Block::new(made.address, bytes, Role::Merged, number);
    (block.mapped, block.registered) = (made.mapped, made.registered);
    (block.device_live, block.device_seen) = (true, true);
    block.work = streams::WORK.load(Ordering::Relaxed);
    let added = BLOCKS.with(|blocks| {
        blocks.due[number as usize].device.push(made.address) && blocks.insert(block)
    });
    if !added {
        release(rule.backend, &made);
        give_up(number, fault::GUARD_FAILED);
        return None;
    }
    Some(made.address)
}

/// The program frees the host name.
pub(crate) unsafe fn free_host(address: usize) {
    let last = BLOCKS.with(|blocks| {
        let block = blocks.at(address)?;
        if !block.host_live {
            return None;
        }
        block.host_live = false;
        let block = *block;
        blocks.due[block.rule as usize].host.remove(address);
        if block.device_live {
            blocks.due[block.rule as usize].device.push(address);
            return None;
        }
        blocks.remove(address)
    });
    heap::unwatch(address);
    if let Some(block) = last {
        dispose(&block);
    }
}

/// The program frees the device name. The wait that `cuMemFree` makes in practice is kept.
pub(crate) unsafe fn free_device(address: usize) -> c_int {
    let capturing = streams::CAPTURES.load(Ordering::Relaxed) > 0;
    let status = if capturing { 0 } else { device::wait_for_all() };
    if !capturing && status == 0 {
        streams::waited_for_all();
    }
    let last = BLOCKS.with(|blocks| {
        let block = blocks.at(address)?;
        if !block.device_live {
            return None;
        }
        block.device_live = false;
        let block = *block;
        blocks.due[block.rule as usize].device.remove(address);
        if block.host_live {
            return None;
        }
        blocks.remove(address)
    });
    if let Some(block) = last {
        dispose(&block);
    }
    status
}

/// Both names are gone: the buffer goes, after everything that may use it has finished.
unsafe fn dispose(block: &Block) {
    if block.host_seen && block.device_seen {
        config::subtract(outcome::LIVE_BYTES, block.bytes as u64);
    }
    let exiting = config::EXITING.load(Ordering::Relaxed);
    if exiting || config::current_mode() == echo_runtime::wire::mode::OFF && !config::claimed() {
        return; // the driver may be gone, or this is a forked child: the process's end frees it
    }
    if streams::CAPTURES.load(Ordering::Relaxed) > 0 {
        return; // no wait is legal now; keeping the buffer is
    }
    let kind = config::rule(block.rule as usize).backend;
    let made = Made { address: block.address, mapped: block.mapped, registered: block.registered };
    if !block.device_seen && made.mapped != 0 {
        release(kind, &made); // never reached the device
        return;
    }
    let Some(_context) = Context::ensure() else { return };
    device::wait_for_all();
    streams::waited_for_all();
    release(kind, &made);
}

/// A copy in an optimized run.
#[inline]
pub(crate) unsafe fn copy(copy: &Copy, call: impl FnOnce() -> c_int) -> c_int {
    let (own, touches) = BLOCKS.with(|blocks| {
        let own = (copy.source == copy.destination)
            .then(|| blocks.at(copy.source).copied())
            .flatten()
            .filter(|block| {
                block.role == Role::Merged
                    && block.bytes == copy.bytes
                    && block.host_live
                    && block.device_live
            });
        let touches = own.is_none()
            && [copy.source, copy.destination]
                .into_iter()
                .any(|end| blocks.holding(end).is_some_and(|block| block.role == Role::Merged));
        (own, touches)
    });
    let capturing = streams::CAPTURES.load(Ordering::Relaxed) > 0;
    match own {
        Some(block) if !capturing => skip(copy, &block),
        _ => {
            let status = call();
            copy.settle();
            if touches && status == 0 && !capturing {
                // The original staged the host end or returned only when done; merged memory does not.
                config::add(outcome::UNPLANNED, 1);
                device::wait_for_stream(streams::handle(copy.stream));
                streams::waited(copy.stream);
            }
            if status == 0 {
                digest(copy, true);
            }
            status
        }
    }
}

/// Replaces a copy of the merged buffer onto itself by the wait that the copy contained: for its own
/// stream, or the barrier scope of the default stream. The wait is left out only where the plan saw
/// none needed and nothing at all is unfinished now.
unsafe fn skip(copy: &Copy, block: &Block) -> c_int {
    let number = block.rule;
    mark(number, copy.upload);
    config::add(outcome::SKIPPED_COPIES, 1);
    config::add(outcome::SKIPPED_BYTES, copy.bytes as u64);
    config::add(config::of_rule(number as usize, outcome::RULE_SKIPPED), 1);
    let clean = if copy.upload { rule_flag::UPLOAD_CLEAN } else { rule_flag::DOWNLOAD_CLEAN };
    let mut status = 0;
    if streams::idle() && config::rule(number as usize).flags & clean != 0 {
        config::add(outcome::WAITS_LEFT_OUT, 1);
    } else {
        status = device::wait_for_stream(streams::handle(copy.stream));
        config::add(outcome::WAITS, 1);
        if status == 0 {
            streams::waited(copy.stream);
        }
    }
    if status == 0 && !copy.upload {
        digest(copy, false);
    }
    status
}
