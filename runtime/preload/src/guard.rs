//! Phase 2: the pairs stay apart, and host accesses to `h` while the GPU may use the pair are
//! trapped (paper section 3.3.2, validation). Beyond the paper, contents are compared where windows
//! close and open (condition S1).
//!
//! Windows: a pair with uploads opens at its upload. It closes at its download; without downloads,
//! when nothing is unfinished any more. A pair with downloads only opens at the next upload of any
//! buffer (or at the next device work, if the last round had no upload) and closes at its download.
//! Where concurrentManagedAccess is 0 every pair also opens at any device work, until nothing is
//! unfinished.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use echo_runtime::wire::{fault, flag, mode, origin, outcome, rule_flag};

use crate::blocks::{BLOCKS, Block, NO_RULE, Role, Window};
use crate::compare::{Batch, Compare};
use crate::copies::Copy;
use crate::heap::{self, Request};
use crate::observe::{digest_of, linking, rule_of_host};
use crate::{arena, config, streams};

/// Copies host to device made so far.
static UPLOADS: AtomicU64 = AtomicU64::new(0);
/// Number of own-page blocks, so that programs without any pay nothing per launch.
static LIVE: AtomicUsize = AtomicUsize::new(0);

fn has(rule: u16, bit: u64) -> bool {
    config::rule(rule as usize).flags & bit != 0
}

/// Own pages for a host buffer that a rule names; `None` leaves the allocation to glibc.
pub(crate) unsafe fn allocate(request: &Request) -> Option<usize> {
    let rule = rule_of_host(request.bytes)?;
    config::add(config::of_rule(rule as usize, outcome::RULE_HOST), 1);
    if request.alignment > arena::page_round(1) {
        config::fault(rule as usize, fault::GUARD_FAILED);
        return None;
    }
    let Some(address) = arena::allocate(request.bytes, rule as usize) else {
        config::fault(rule as usize, fault::GUARD_FAILED);
        return None;
    };
    let mut block = Block::new(address, request.bytes, Role::Pages, rule);
    block.mapped = arena::page_round(request.bytes);
    let added = BLOCKS.with(|blocks| {
        if let Some(partner) = blocks.match_host(rule, address) {
            block.partner = partner;
            let used = match blocks.at(partner) {
                Some(device) => {
                    device.partner = address;
                    device.work < streams::WORK.load(Ordering::Relaxed)
                }
                None => false,
            };
            // The device may already have written its result: a host write now would destroy it.
            if used && !has(rule, rule_flag::UPLOADS) {
                if request.origin == origin::CALLOC {
                    config::fault(rule as usize, fault::LATE_ALLOCATION);
                } else {
                    open(&mut block);
                }
            }
        }
        blocks.insert(block)
    });
    if !added {
        arena::release(address);
        config::fault(rule as usize, fault::GUARD_FAILED);
        return None;
    }
    LIVE.fetch_add(1, Ordering::Relaxed);
    heap::watch(address);
    Some(address)
}

/// Frees an own-page block.
pub(crate) unsafe fn free(address: usize) {
    let block = BLOCKS.with(|blocks| heap::forget_host(blocks, address));
    let Some(mut block) = block else { return };
    heap::unwatch(address);
    if config::current_mode() != mode::VALIDATE {
        return; // a forked child leaves the pages alone
    }
    LIVE.fetch_sub(1, Ordering::Relaxed);
    if matches!(block.window, Window::Open | Window::Draining) && !block.device_seen {
        config::fault(block.rule as usize, fault::FREED_IN_WINDOW);
    }
    close(&mut block);
    arena::release(address);
}

/// The host is about to use the whole block on the program's behalf.
pub(crate) unsafe fn before_host_use(address: usize) {
    BLOCKS.with(|blocks| {
        if let Some(block) = blocks.at(address)
            && block.role == Role::Pages
            && block.window == Window::Open
        {
            config::fault(block.rule as usize, fault::HOST_ACCESS);
            close(block);
        }
    });
}

unsafe fn open(block: &mut Block) {
    if block.window == Window::Open || config::faulted(block.rule as usize) {
        return;
    }
    // Counted before the pages trap, so that the journal never misses an open window.
    config::add(config::of_rule(block.rule as usize, outcome::RULE_OPEN), 1);
    config::add(config::of_rule(block.rule as usize, outcome::RULE_OPENED), 1);
    // Work from before cannot use what this window hands to the device.
    block.work = streams::WORK.load(Ordering::Relaxed);
    if arena::open(block.address) {
        block.window = Window::Open;
        block.device_seen = false;
    } else {
        config::subtract(config::of_rule(block.rule as usize, outcome::RULE_OPEN), 1);
        config::fault(block.rule as usize, fault::GUARD_FAILED);
    }
}

unsafe fn close(block: &mut Block) {
    if block.window == Window::Open {
        if arena::close(block.address) {
            config::subtract(config::of_rule(block.rule as usize, outcome::RULE_OPEN), 1);
            config::add(config::of_rule(block.rule as usize, outcome::RULE_CLOSED), 1);
        }
        block.window = Window::Closed;
        block.content_known = false;
        block.device_seen = false;
    }
}

unsafe fn settle_content(block: &mut Block) {
    block.window = Window::Closed;
    block.host_seen = false;
    if config::flag(flag::S1_CHECK) && !config::faulted(block.rule as usize) {
        block.content = digest_of(block.address, block.bytes);
        block.content_known = true;
    }
}

/// Runs `body` for every own-page block.
unsafe fn each(mut body: impl FnMut(&mut Block)) {
    if LIVE.load(Ordering::Relaxed) == 0 {
        return;
    }
    BLOCKS.with(|blocks| {
        for index in 0..blocks.length() {
            let block = blocks.nth(index);
            if block.role == Role::Pages {
                body(block);
            }
        }
    });
}

fn content_check(block: &Block, bit: u64) -> Option<Compare> {
    (config::flag(flag::S1_CHECK) && block.partner != 0 && !config::faulted(block.rule as usize))
        .then_some(Compare {
            rule: block.rule,
            host: block.address,
            device: block.partner,
            bytes: block.bytes,
            digest: None,
            bit,
        })
}

fn outside_check(block: &Block) -> Option<Compare> {
    let digest = block.content_known.then_some(block.content)?;
    content_check(block, fault::DEVICE_WROTE_OUTSIDE)
        .map(|check| Compare { digest: Some(digest), ..check })
}

/// A round starts, by an upload or by other device work: download-only pairs open.
unsafe fn round_begins(batch: &mut Batch, by_upload: bool) {
    each(|block| {
        if block.partner != 0
            && (by_upload || !block.upload_rounds)
            && !has(block.rule, rule_flag::UPLOADS)
            && matches!(block.window, Window::Fresh | Window::Closed)
        {
            if let Some(check) = outside_check(block) {
                batch.push(check);
            }
            open(block);
        }
    });
}

/// A copy in a validation run.
pub(crate) unsafe fn copy(copy: &Copy, call: impl FnOnce() -> c_int) -> c_int {
    let mut batch = Batch::new();
    let rule = BLOCKS.with(|blocks| {
        let host = blocks.holding(copy.host()).copied().filter(|block| block.role == Role::Pages);
        let device =
            blocks.holding(copy.device()).copied().filter(|block| block.role == Role::Device);
        let link = match (&host, &device) {
            (Some(host), Some(device)) => linking(copy, host, device),
            _ => None,
        };
        if link.is_none() {
            for block in
                [&host, &device].into_iter().flatten().filter(|block| block.rule != NO_RULE)
            {
                let other = match (&host, &device) {
                    (Some(host), Some(device)) => {
                        host.bytes == copy.bytes && device.bytes == copy.bytes
                    }
                    _ => false,
                };
                let bit = if other { fault::OTHER_PARTNER } else { fault::FOREIGN_USE };
                config::fault(block.rule as usize, bit);
            }
        }
        let block = blocks.at(host?.address)?;
        if link.is_some() && copy.upload {
            // Before the upload both buffers must still agree, or the merged buffer already differs.
            let check = match block.window {
                Window::Open => content_check(block, fault::DEVICE_CHANGED_INPUT),
                Window::Closed => outside_check(block),
                Window::Fresh | Window::Draining => None,
            };
            if let Some(check) = check {
                batch.push(check);
            }
        }
        close(block);
        link
    });
    batch.run();
    let mut batch = Batch::new();
    let status = call();
    copy.settle();
    if copy.upload {
        UPLOADS.fetch_add(1, Ordering::Relaxed);
    }
    if let Some(rule) = rule.filter(|_| status == 0) {
        config::add(config::of_rule(rule as usize, outcome::RULE_COPIES), 1);
        BLOCKS.with(|blocks| {
            if let Some(block) = blocks.at(copy.host()) {
                if copy.upload {
                    open(block);
                    return;
                }
                let uploads = UPLOADS.load(Ordering::Relaxed);
                block.upload_rounds = uploads != block.uploads_before;
                block.uploads_before = uploads;
                if copy.asynchronous {
                    // The copy itself is the newest work; it must be finished, too.
                    block.work = streams::WORK.load(Ordering::Relaxed) - 1;
                    block.window = Window::Draining;
                } else {
                    settle_content(block);
                }
            }
        });
    }
    if copy.upload {
        round_begins(&mut batch, true);
    }
    batch.run();
    if !copy.upload && !copy.asynchronous {
        after_wait();
    }
    status
}

/// Device work is about to be submitted.
pub(crate) unsafe fn before_work() {
    if LIVE.load(Ordering::Relaxed) == 0 {
        return;
    }
    each(|block| {
        let uploads = has(block.rule, rule_flag::UPLOADS);
        if block.window == Window::Closed && uploads && block.content_known && !block.host_seen {
            block.host_seen = true; // once per round
            if digest_of(block.address, block.bytes) != block.content {
                config::fault(block.rule as usize, fault::WORK_BEFORE_UPLOAD);
            }
        }
        if config::flag(flag::EXCLUSIVE) && block.window != Window::Open {
            let before = (block.window, block.content_known);
            open(block);
            if block.window == Window::Open {
                block.content_known = before.1;
                block.device_seen = before.0 != Window::Draining; // opened for exclusiveness only
            }
        }
    });
    let mut batch = Batch::new();
    round_begins(&mut batch, false);
    batch.run();
}

/// The host waited for something.
pub(crate) unsafe fn after_wait() {
    if LIVE.load(Ordering::Relaxed) == 0 {
        return;
    }
    let mut batch = Batch::new();
    let idle = streams::idle();
    each(|block| match block.window {
        Window::Open if block.device_seen && !idle => {}
        Window::Open if block.device_seen => {
            let known = block.content_known;
            close(block);
            block.content_known = known;
        }
        Window::Open
            if !has(block.rule, rule_flag::DOWNLOADS) && streams::finished_since(block.work) =>
        {
            close(block);
            if let Some(check) = content_check(block, fault::DEVICE_CHANGED_INPUT) {
                batch.push(check);
            }
            settle_content(block);
        }
        Window::Draining if streams::finished_since(block.work) => settle_content(block),
        Window::Open | Window::Draining | Window::Fresh | Window::Closed => {}
    });
    batch.run();
}

/// The device buffer of a pair is about to be freed.
pub(crate) unsafe fn before_device_free(address: usize) {
    BLOCKS.with(|blocks| {
        let Some(device) = blocks.at(address).copied() else { return };
        if let Some(host) = blocks.at(device.partner)
            && host.role == Role::Pages
            && host.window == Window::Open
        {
            if !host.device_seen && has(host.rule, rule_flag::UPLOADS) {
                config::fault(host.rule as usize, fault::DEVICE_FREED_IN_WINDOW);
            }
            close(host);
        }
    });
}

/// A block was used by a call that is no linking copy.
pub(crate) unsafe fn foreign(address: usize, rule: u16) {
    if rule != NO_RULE {
        config::fault(rule as usize, fault::FOREIGN_USE);
    }
    BLOCKS.with(|blocks| {
        if let Some(block) = blocks.at(address)
            && block.role == Role::Pages
        {
            close(block);
        }
    });
}

/// Rejects every pair that is live now.
pub(crate) unsafe fn fault_live(bit: u64) {
    each(|block| config::fault(block.rule as usize, bit));
}
