//! Copies between host and device, in every mode.

use std::ffi::c_int;
use std::sync::atomic::Ordering;

use echo_runtime::wire::{copy_flag, foreign as foreign_kind, kind, mode, outcome, rule_flag};

use crate::blocks::{BLOCKS, Role};
use crate::{config, foreign, guard, merge, observe, real, site, streams, tracer, work};

/// One copy as the program asked for it.
#[derive(Clone, Copy)]
pub(crate) struct Copy {
    pub(crate) destination: usize,
    pub(crate) source: usize,
    pub(crate) bytes: usize,
    /// Host to device.
    pub(crate) upload: bool,
    /// Normalised stream.
    pub(crate) stream: u64,
    pub(crate) asynchronous: bool,
}

impl Copy {
    /// Address of the host end.
    #[inline]
    pub(crate) fn host(&self) -> usize {
        if self.upload { self.source } else { self.destination }
    }

    /// Address of the device end.
    #[inline]
    pub(crate) fn device(&self) -> usize {
        if self.upload { self.destination } else { self.source }
    }

    /// Notes what the original call left unfinished or waited for. An upload counts as unfinished
    /// work also in its synchronous form (rule R-22: the data may still be on its way).
    pub(crate) fn settle(&self) {
        if self.asynchronous || self.upload {
            streams::submitted(self.stream);
        } else {
            streams::waited(self.stream);
        }
    }
}

/// Performs a copy whose direction its name tells.
#[inline]
pub(crate) unsafe fn perform(copy: Copy, call: impl FnOnce() -> c_int) -> c_int {
    if config::current_mode() == mode::OFF {
        return call();
    }
    let Some(_inside) = real::enter() else { return call() };
    match config::current_mode() {
        mode::PROFILE => profile(&copy, call),
        mode::VALIDATE => guard::copy(&copy, call),
        mode::OPTIMIZE => merge::copy(&copy, call),
        mode::OBSERVE => observe::copy(&copy, call),
        _ => call(),
    }
}

/// Performs a copy between addresses of unknown kind (`cuMemcpy`): the tracked blocks tell.
#[inline]
pub(crate) unsafe fn perform_unified(copy: Copy, call: impl FnOnce() -> c_int) -> c_int {
    if config::current_mode() == mode::OFF {
        return call();
    }
    let (from, to) = BLOCKS.with(|blocks| {
        (
            blocks.holding(copy.source).map(|b| b.role),
            blocks.holding(copy.destination).map(|b| b.role),
        )
    });
    let device = |role: Option<Role>| matches!(role, Some(Role::Device | Role::Merged));
    match (device(from), device(to)) {
        (false, true) => perform(Copy { upload: true, ..copy }, call),
        (true, false) => perform(Copy { upload: false, ..copy }, call),
        // One merged block on both ends is the copy that merging made a copy onto itself.
        (true, true) if copy.source == copy.destination => {
            perform(Copy { upload: was_upload(copy.source), ..copy }, call)
        }
        _ => {
            let ends = [copy.destination, copy.source];
            foreign::around(&ends, foreign_kind::COPY, Some(copy.stream), !copy.asynchronous, call)
        }
    }
}

/// Direction that a copy within a merged block had: the pair's only one, else the two alternate. A
/// wrong guess changes digests, and so rejects the pair; the wait is the same either way.
fn was_upload(address: usize) -> bool {
    BLOCKS.with(|blocks| {
        let Some(block) = blocks.at(address) else { return false };
        let flags = config::rule(block.rule as usize).flags;
        match (flags & rule_flag::UPLOADS != 0, flags & rule_flag::DOWNLOADS != 0) {
            (true, true) => {
                block.upload_rounds = !block.upload_rounds;
                block.upload_rounds
            }
            (uploads, _) => uploads,
        }
    })
}

unsafe fn profile(copy: &Copy, call: impl FnOnce() -> c_int) -> c_int {
    let start = real::now();
    let (host, device) = BLOCKS.with(|blocks| {
        (
            blocks.holding(copy.host()).map(|block| (block.address, block.role)),
            blocks.holding(copy.device()).map(|block| (block.address, block.role)),
        )
    });
    let host = host.filter(|&(_, role)| role == Role::Host);
    let device = device.filter(|&(_, role)| role == Role::Device);
    match (host, device) {
        (None, None) => {}
        (Some(_), Some(_)) => {
            let mut flags = 0;
            if copy.asynchronous {
                flags |= copy_flag::ASYNC;
            }
            if streams::idle() {
                flags |= copy_flag::CLEAN;
            }
            if streams::CAPTURES.load(Ordering::Relaxed) > 0 {
                flags |= copy_flag::CAPTURING;
            }
            let which = if copy.upload { kind::UPLOAD } else { kind::DOWNLOAD };
            let ends = [copy.destination as u64, copy.source as u64];
            tracer::event(
                which,
                flags,
                [ends[0], ends[1], copy.bytes as u64, site::site(), copy.stream],
            );
            work::recorded_something();
            config::add(outcome::HOOK_CALLS, 1);
            config::add(outcome::HOOK_NS, real::now() - start);
        }
        (Some((address, _)), None) | (None, Some((address, _))) => {
            let words = [address as u64, 0, copy.bytes as u64, 0, copy.stream];
            tracer::event(kind::FOREIGN, foreign_kind::COPY, words);
        }
    }
    let status = call();
    copy.settle();
    status
}
