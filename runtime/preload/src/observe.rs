//! Matching of blocks to rules, and the unchanged runs of phase 2: round marks, digests, copy time.

use std::ffi::c_int;
use std::sync::atomic::Ordering::Relaxed;

use echo_runtime::wire::{control, flag, mode, outcome};

use crate::blocks::{BLOCKS, Block, NO_RULE, Role};
use crate::copies::Copy;
use crate::{config, real, site, streams};

/// The rule whose host allocation has this size and the caller's site.
pub(crate) unsafe fn rule_of_host(bytes: usize) -> Option<u16> {
    rule_of(bytes, |rule| rule.host)
}

/// The rule whose device allocation has this size and the caller's site.
pub(crate) unsafe fn rule_of_device(bytes: usize) -> Option<u16> {
    rule_of(bytes, |rule| rule.device)
}

unsafe fn rule_of(bytes: usize, side: impl Fn(&config::Rule) -> u64) -> Option<u16> {
    let mut found = None;
    for index in 0..config::rule_count() {
        let rule = config::rule(index);
        if rule.bytes == bytes {
            let here = *found.get_or_insert_with(|| site::site());
            if side(&rule) == here {
                let known = config::current_mode() == mode::OPTIMIZE && config::faulted(index);
                return (!known && config::claim()).then_some(index as u16);
            }
        }
    }
    None
}

/// The rule of a linking copy: whole blocks, one rule, and partners of each other.
pub(crate) fn linking(copy: &Copy, host: &Block, device: &Block) -> Option<u16> {
    let whole = host.address == copy.host()
        && host.bytes == copy.bytes
        && device.address == copy.device()
        && device.bytes == copy.bytes;
    (whole && host.rule != NO_RULE && host.rule == device.rule && host.partner == device.address)
        .then_some(host.rule)
}

/// Notes the start of a round if the rule's copies mark rounds.
pub(crate) fn mark(rule: u16, upload: bool) {
    let direction = if upload { 1 } else { 2 };
    if u64::from(rule) != config::word(control::MARKER)
        || config::word(control::MARKER_DIRECTION) != direction
    {
        return;
    }
    let count = config::add(outcome::MARKS, 1);
    if count > 0 {
        let slot = (count - 1) as usize % outcome::MARK_SLOTS;
        config::set(outcome::FIRST_MARK + slot, real::now());
    }
}

/// Hash of memory, 32 bytes a step, and the tail.
pub(crate) unsafe fn digest_of(address: usize, bytes: usize) -> u64 {
    let mut lanes = [
        0x9e37_79b9_7f4a_7c15u64,
        0xc2b2_ae3d_27d4_eb4f,
        0x1656_67b1_9e37_79f9,
        0x2545_f491_4f6c_dd1d,
    ];
    let words = address as *const u64;
    for step in 0..bytes / 32 {
        for (lane, value) in lanes.iter_mut().enumerate() {
            let word = words.add(step * 4 + lane).read_unaligned();
            *value = (*value ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        }
    }
    for at in bytes / 32 * 32..bytes {
        let byte = u64::from(*(address as *const u8).add(at));
        lanes[0] = (lanes[0] ^ byte).wrapping_mul(0x0000_0100_0000_01b3);
    }
    lanes[0] ^ lanes[1].rotate_left(7) ^ lanes[2].rotate_left(13) ^ lanes[3].rotate_left(29)
}

/// Adds a downloaded buffer to the digest, if that is on. Every download counts, of a pair or not, so
/// that a pair without downloads is judged by what the program computes from it.
pub(crate) unsafe fn digest(copy: &Copy, wait: bool) {
    if !config::flag(flag::DIGEST) || copy.upload || streams::CAPTURES.load(Relaxed) > 0 {
        return;
    }
    if wait
        && copy.asynchronous
        && crate::device::wait_for_stream(streams::handle(copy.stream)) != 0
    {
        return;
    }
    let value = digest_of(copy.destination, copy.bytes);
    let sum = config::get(outcome::DIGEST).rotate_left(5) ^ value;
    config::set(outcome::DIGEST, sum.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    config::add(outcome::DIGESTS, 1);
}

/// A copy of an unchanged run.
pub(crate) unsafe fn copy(copy: &Copy, call: impl FnOnce() -> c_int) -> c_int {
    let rule = BLOCKS.with(|blocks| {
        let host = *blocks.at(copy.host()).filter(|block| block.role == Role::Host)?;
        let device = *blocks.at(copy.device()).filter(|block| block.role == Role::Device)?;
        linking(copy, &host, &device)
    });
    let Some(rule) = rule else {
        let status = call();
        copy.settle();
        if status == 0 {
            digest(copy, true);
        }
        return status;
    };
    mark(rule, copy.upload);
    let start = real::now();
    let status = call();
    config::add(outcome::REAL_NS, real::now() - start);
    config::add(outcome::REAL_COPIES, 1);
    config::add(outcome::REAL_BYTES, copy.bytes as u64);
    config::add(config::of_rule(rule as usize, outcome::RULE_COPIES), 1);
    copy.settle();
    if status == 0 {
        digest(copy, true);
    }
    status
}
