//! Comparing what host and device buffers hold (condition S1, beyond the paper's checks).

use std::sync::atomic::{AtomicUsize, Ordering};

use echo_runtime::wire::{fault, outcome};

use crate::device::{Context, driver_call};
use crate::observe::digest_of;
use crate::{arena, config};

/// Comparisons collected under the lock and made outside it.
const BATCH: usize = 64;
/// A content comparison to make.
#[derive(Clone, Copy)]
pub(crate) struct Compare {
    pub(crate) rule: u16,
    pub(crate) host: usize,
    pub(crate) device: usize,
    pub(crate) bytes: usize,
    /// Compare with this digest instead of with the host buffer.
    pub(crate) digest: Option<u64>,
    pub(crate) bit: u64,
}

/// Comparisons to make.
pub(crate) struct Batch {
    items: [Option<Compare>; BATCH],
    length: usize,
}

impl Batch {
    pub(crate) fn new() -> Batch {
        Batch { items: [None; BATCH], length: 0 }
    }

    /// Adds a comparison; one too many rejects its rule.
    pub(crate) fn push(&mut self, item: Compare) {
        if self.length < BATCH {
            self.items[self.length] = Some(item);
            self.length += 1;
        } else {
            config::fault(item.rule as usize, fault::GUARD_FAILED);
        }
    }

    /// Copies each device buffer to scratch memory and compares.
    pub(crate) unsafe fn run(&self) {
        for item in self.items.iter().flatten() {
            config::add(config::of_rule(item.rule as usize, outcome::RULE_CHECKS), 1);
            let same = match scratch(item.bytes).filter(|_| fetch(item)) {
                None => {
                    config::fault(item.rule as usize, fault::GUARD_FAILED);
                    continue;
                }
                Some(copy) => match item.digest {
                    Some(digest) => digest_of(copy, item.bytes) == digest,
                    None => {
                        let left = std::slice::from_raw_parts(copy as *const u8, item.bytes);
                        let right = std::slice::from_raw_parts(item.host as *const u8, item.bytes);
                        left == right
                    }
                },
            };
            if !same {
                config::fault(item.rule as usize, item.bit);
            }
        }
    }
}

unsafe fn fetch(item: &Compare) -> bool {
    let Some(_context) = Context::ensure() else { return false };
    let Some(target) = scratch(item.bytes) else { return false };
    driver_call!(c"cuMemcpyDtoH_v2", (usize, usize, usize), target, item.device, item.bytes)
        == Some(0)
}

/// Pages to download into, reused; grown when needed. Only used by the thread that compares, and
/// two threads that compare at once would at worst see a difference, that is, reject.
unsafe fn scratch(bytes: usize) -> Option<usize> {
    static PAGES: AtomicUsize = AtomicUsize::new(0);
    static LENGTH: AtomicUsize = AtomicUsize::new(0);
    if LENGTH.load(Ordering::Acquire) < bytes {
        let length = arena::page_round(bytes);
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
        let pages = libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0);
        if pages == libc::MAP_FAILED {
            return None;
        }
        PAGES.store(pages as usize, Ordering::Release);
        LENGTH.store(length, Ordering::Release);
    }
    Some(PAGES.load(Ordering::Acquire))
}
