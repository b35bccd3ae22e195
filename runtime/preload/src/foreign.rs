//! Uses of tracked memory that are no linking copies: fills, partial, strided and peer copies,
//! registration, export, queries. Never merged: in profile and validation they reject the pair; in
//! an optimized run they are made on the merged buffer and completed at once (rule R-30).

use std::ffi::c_int;

use echo_runtime::wire::{kind, mode, outcome};

use crate::blocks::{BLOCKS, Role};
use crate::device;
use crate::{config, guard, real, streams, tracer};

/// Makes a call that uses the blocks at `ends`. `stream` is where its device work goes, if any;
/// `blocking` tells that the call waits for that stream.
pub(crate) unsafe fn around(
    ends: &[usize],
    why: u8,
    stream: Option<u64>,
    blocking: bool,
    call: impl FnOnce() -> c_int,
) -> c_int {
    let current = config::current_mode();
    if current == mode::OFF {
        return call();
    }
    let Some(_inside) = real::enter() else { return call() };
    let mut merged = false;
    for &end in ends {
        let found = BLOCKS.with(|blocks| {
            blocks.holding(end).map(|block| (block.address, block.role, block.rule))
        });
        let Some((address, role, rule)) = found else { continue };
        match current {
            mode::PROFILE => {
                tracer::event(kind::FOREIGN, why, [address as u64, 0, 0, 0, stream.unwrap_or(0)])
            }
            mode::VALIDATE => guard::foreign(address, rule),
            _ => {}
        }
        merged |= role == Role::Merged;
    }
    if current == mode::VALIDATE && stream.is_some() {
        guard::before_work();
    }
    let status = call();
    if let Some(stream) = stream {
        streams::submitted(stream);
        if blocking {
            streams::waited(stream);
        }
        if merged && current == mode::OPTIMIZE {
            config::add(outcome::UNPLANNED, 1);
            if streams::CAPTURES.load(std::sync::atomic::Ordering::Relaxed) == 0 {
                device::wait_for_stream(streams::handle(stream));
                streams::waited(stream);
            }
        }
    }
    status
}
