//! What-if unification: the n-th host allocation (heap call or cudaHostAlloc) and the m-th cudaMalloc of the program
//! become one managed block, their copies become what merging replaces them by, and the second free frees it. That is
//! merging as the theory defines it, carried out on a program that nobody rewrote. `ECHO_UNIFY=h:d[,h:d...]` merges;
//! `ECHO_PAIRS=1` lists the pairs to name.

use std::collections::BTreeMap;

use crate::arena::{self, Block, Kind};
use crate::global::Global;
use crate::race;

struct Unified {
    host: u32,
    device: u32,
    block: Option<(usize, u64)>,
    owners: u32,
    gone: bool,
    /// Whether the host side was page-locked memory.
    pinned: bool,
}

#[derive(Default)]
struct Link {
    to_device: u32,
    to_host: u32,
    partial: u32,
    asynchronous: u32,
}

struct WhatIf {
    pairs: Vec<Unified>,
    hosts: u32,
    devices: u32,
    listing: bool,
    links: BTreeMap<(usize, usize), Link>,
}

static STATE: Global<WhatIf> = Global::new(WhatIf {
    pairs: Vec::new(),
    hosts: 0,
    devices: 0,
    listing: false,
    links: BTreeMap::new(),
});

/// What a free of an address means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Release {
    /// Not a unified block.
    NotUnified,
    /// The partner still uses it.
    Kept,
    /// The second of the two frees.
    Last,
}

/// Reads `ECHO_UNIFY` and `ECHO_PAIRS`.
pub(crate) fn read_environment() {
    let mut state = STATE.get();
    state.listing = std::env::var("ECHO_PAIRS").is_ok_and(|value| value != "0");
    let list = std::env::var("ECHO_UNIFY").unwrap_or_default();
    for pair in list.split(',').filter(|pair| !pair.is_empty()) {
        let parsed = pair.split_once(':').and_then(|(host, device)| {
            Some((host.trim().parse().ok()?, device.trim().parse().ok()?))
        });
        match parsed {
            Some((host, device)) => {
                state.pairs.push(Unified {
                    host,
                    device,
                    block: None,
                    owners: 0,
                    gone: false,
                    pinned: false,
                });
            }
            None => crate::trap::trap(
                crate::trap::Trap::Unsupported,
                &format!("ECHO_UNIFY: `{pair}` is not HOST:DEVICE"),
            ),
        }
    }
}

/// Number of the host allocation that begins now.
pub(crate) fn next_host() -> u32 {
    let mut state = STATE.get();
    state.hosts += 1;
    state.hosts - 1
}

/// Number of the cudaMalloc call that begins now.
pub(crate) fn next_device() -> u32 {
    let mut state = STATE.get();
    state.devices += 1;
    state.devices - 1
}

/// The shared block, if host allocation `sequence` belongs to a pair.
pub(crate) fn host_block(sequence: u32, bytes: u64, pinned: bool) -> Option<usize> {
    let mut state = STATE.get();
    let pair = state.pairs.iter_mut().find(|pair| pair.host == sequence)?;
    pair.pinned = pinned;
    pair.acquire(bytes)
}

/// The shared block, if cudaMalloc call `sequence` belongs to a pair.
pub(crate) fn device_block(sequence: u32, bytes: u64) -> Option<usize> {
    let mut state = STATE.get();
    let pair = state.pairs.iter_mut().find(|pair| pair.device == sequence)?;
    pair.acquire(bytes)
}

impl Unified {
    fn acquire(&mut self, bytes: u64) -> Option<usize> {
        if self.gone {
            return None;
        }
        let (address, size) = match self.block {
            Some(block) => block,
            None => {
                let address = arena::allocate(Kind::Managed, bytes, 256)?;
                arena::label(Kind::Managed, Some(self.host), Vec::new());
                (address, bytes)
            }
        };
        if size != bytes {
            crate::trap::trap(
                crate::trap::Trap::Unsupported,
                &format!("ECHO_UNIFY {}:{}: {size} and {bytes} bytes", self.host, self.device),
            );
        }
        self.block = Some((address, size));
        self.owners += 1;
        Some(address)
    }

    fn holds(&self, address: usize) -> bool {
        self.block
            .is_some_and(|(start, bytes)| (start..start + bytes.max(1) as usize).contains(&address))
    }
}

/// Counts a free of `address` by one partner.
pub(crate) fn release(address: usize) -> Release {
    let mut state = STATE.get();
    let Some(pair) = state.pairs.iter_mut().find(|pair| pair.holds(address)) else {
        return Release::NotUnified;
    };
    pair.owners = pair.owners.saturating_sub(1);
    if pair.owners > 0 {
        return Release::Kept;
    }
    pair.gone = true;
    pair.block = None;
    Release::Last
}

/// What a copy between the two names of one unified block leaves behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Replacement {
    /// A wait for the legacy stream: the copy was synchronous.
    LegacyStream,
    /// A wait for its own stream: pageable memory may have made the host wait.
    OwnStream,
    /// Nothing.
    Nothing,
}

/// The replacement of a copy if it joins the two names of one unified block.
pub(crate) fn replacement(to: usize, from: usize, asynchronous: bool) -> Option<Replacement> {
    let state = STATE.get();
    let pair = state.pairs.iter().find(|pair| to == from && pair.holds(to))?;
    Some(match (asynchronous, pair.pinned) {
        (false, _) => Replacement::LegacyStream,
        (true, false) => Replacement::OwnStream,
        (true, true) => Replacement::Nothing,
    })
}

/// Counts a copy between host and device blocks for the list of pairs.
pub(crate) fn record(to: usize, from: usize, bytes: u64, asynchronous: bool) {
    if !STATE.get().listing {
        return;
    }
    let (Some(to), Some(from)) = (arena::find(to), arena::find(from)) else { return };
    let host_like = |block: &Block| matches!(block.kind, Kind::Host | Kind::Pinned);
    let (host, device, to_device) = if host_like(&from) && to.kind == Kind::Device {
        (from, to, true)
    } else if host_like(&to) && from.kind == Kind::Device {
        (to, from, false)
    } else {
        return;
    };
    let mut state = STATE.get();
    let link = state.links.entry((host.base, device.base)).or_default();
    if to_device {
        link.to_device += 1;
    } else {
        link.to_host += 1;
    }
    link.partial += u32::from(bytes != host.bytes || bytes != device.bytes);
    link.asynchronous += u32::from(asynchronous);
}

/// Prints the pairs, one `ECHO-LINK` line each: numbers for `ECHO_UNIFY`, sizes in bytes, copies by sort, and the
/// allocation sites as offsets for `addr2line`.
pub(crate) fn print_links() {
    let links = std::mem::take(&mut STATE.get().links);
    for ((host, device), link) in links {
        let (Some(host), Some(device)) = (arena::find(host), arena::find(device)) else { continue };
        let number = |block: &Block| {
            block.sequence.map_or_else(|| "-".to_owned(), |sequence| sequence.to_string())
        };
        let site = |block: &Block| {
            let offsets: Vec<String> =
                block.site.iter().map(|offset| format!("{:x}", offset.saturating_sub(1))).collect();
            offsets.join(",")
        };
        race::print(&format!(
            "ECHO-LINK {} h={} d={} hs={} ds={} h2d={} d2h={} part={} async={} hpc={} dpc={}",
            host.kind.name(),
            number(&host),
            number(&device),
            host.bytes,
            device.bytes,
            link.to_device,
            link.to_host,
            link.partial,
            link.asynchronous,
            site(&host),
            site(&device),
        ));
    }
}
