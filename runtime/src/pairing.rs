//! Pairing and orderings (paper section 3.3.2): from the events of a profile run to candidate pairs.
//!
//! Copies are grouped by (host site, device site, bytes). Beyond the paper a group must be
//! one-to-one, its blocks must have no other use through the driver, and matching by order of
//! allocation (what phase 3 does) must reproduce exactly the pairs that the copies join.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::rejection::Rejection;
use crate::trace::{Direction, Event, ForeignUse, Origin, Trace};

/// Copies that a pair needs at its dominant copy site (paper: k_min = 2).
pub const DEFAULT_K_MIN: u64 = 2;

/// A pair of allocation sites joined by copies of one size.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Identity of the host allocation site.
    pub host_site: u64,
    /// Identity of the device allocation site.
    pub device_site: u64,
    /// Bytes of one copy.
    pub bytes: u64,
    /// Copies host to device.
    pub uploads: u64,
    /// Copies device to host.
    pub downloads: u64,
    /// Copies at the dominant copy site.
    pub dominant: u64,
    /// Pairs of blocks seen.
    pub pairs: u64,
    /// Every upload was made when no device work was unfinished.
    pub upload_clean: bool,
    /// Every download was made when no device work was unfinished.
    pub download_clean: bool,
    /// Why it is not merged; empty if it may go to validation.
    pub rejections: BTreeSet<Rejection>,
}

/// One allocated block.
#[derive(Debug)]
struct Object {
    site: u64,
    bytes: u64,
    born: usize,
    died: usize,
    partners: BTreeSet<usize>,
    uses: BTreeSet<Rejection>,
}

/// One copy between two tracked blocks.
#[derive(Debug)]
struct Link {
    at: usize,
    host: usize,
    device: usize,
    whole: bool,
}

#[derive(Default)]
struct Objects {
    all: Vec<Object>,
    live: BTreeMap<u64, usize>,
}

impl Objects {
    fn born(&mut self, address: u64, bytes: u64, site: u64, at: usize) -> usize {
        self.died(address, at);
        let object = Object {
            site,
            bytes,
            born: at,
            died: usize::MAX,
            partners: BTreeSet::new(),
            uses: BTreeSet::new(),
        };
        self.all.push(object);
        self.live.insert(address, self.all.len() - 1);
        self.all.len() - 1
    }

    fn died(&mut self, address: u64, at: usize) {
        if let Some(index) = self.live.remove(&address) {
            self.all[index].died = at;
        }
    }

    fn holding(&self, address: u64) -> Option<(usize, u64)> {
        let (&start, &index) = self.live.range(..=address).next_back()?;
        (address - start < self.all[index].bytes).then_some((index, start))
    }

    fn blame(&mut self, address: u64, why: Rejection) {
        if let Some((index, _)) = self.holding(address) {
            self.all[index].uses.insert(why);
        }
    }

    fn blame_live(&mut self, why: Rejection) {
        for &index in self.live.values() {
            self.all[index].uses.insert(why);
        }
    }
}

/// Finds the candidate pairs of a trace, most bytes copied first.
pub fn candidates(trace: &Trace, k_min: u64) -> Vec<Candidate> {
    let mut hosts = Objects::default();
    let mut devices = Objects::default();
    let mut links = Vec::new();
    for (at, event) in trace.events.iter().enumerate() {
        match *event {
            Event::HostAllocated { address, bytes, site, origin } => {
                let index = hosts.born(address, bytes, site, at);
                if origin == Origin::Realloc {
                    hosts.all[index].uses.insert(Rejection::Reallocated);
                }
            }
            Event::HostReallocated { address } => {
                hosts.blame(address, Rejection::Reallocated);
                hosts.died(address, at);
            }
            Event::HostFreed { address } => hosts.died(address, at),
            Event::DeviceAllocated { address, bytes, site } => {
                devices.born(address, bytes, site, at);
            }
            Event::DeviceFreed { address } => devices.died(address, at),
            Event::Copied { host, device, bytes, capturing, .. } => {
                let (Some((host, host_start)), Some((device, device_start))) = (
                    hosts.holding(host).map(|(h, start)| (h, host - start)),
                    devices.holding(device).map(|(d, start)| (d, device - start)),
                ) else {
                    continue;
                };
                hosts.all[host].partners.insert(device);
                devices.all[device].partners.insert(host);
                if capturing {
                    hosts.all[host].uses.insert(Rejection::Captured);
                }
                let whole = host_start == 0
                    && device_start == 0
                    && hosts.all[host].bytes == bytes
                    && devices.all[device].bytes == bytes;
                links.push(Link { at, host, device, whole });
            }
            Event::Foreign { address, how } => {
                let why = match how {
                    ForeignUse::Copy => Rejection::OtherCopy,
                    ForeignUse::Fill => Rejection::Filled,
                    ForeignUse::Register => Rejection::Registered,
                    ForeignUse::Export => Rejection::Exported,
                    ForeignUse::Query => Rejection::PointerQueried,
                };
                hosts.blame(address, why);
                devices.blame(address, why);
            }
            Event::Captured => {
                hosts.blame_live(Rejection::Captured);
                devices.blame_live(Rejection::Captured);
            }
            Event::Forked => hosts.blame_live(Rejection::Forked),
            Event::Reset => devices.blame_live(Rejection::Reset),
            Event::Work { .. } | Event::Waited { .. } => {}
        }
    }
    group(trace, k_min, &hosts.all, &devices.all, &links)
}

fn copied(event: &Event) -> Option<(Direction, u64, u64, u64, bool, bool)> {
    match *event {
        Event::Copied { direction, bytes, site, stream, asynchronous, clean, .. } => {
            Some((direction, bytes, site, stream, asynchronous, clean))
        }
        Event::HostAllocated { .. }
        | Event::HostFreed { .. }
        | Event::HostReallocated { .. }
        | Event::DeviceAllocated { .. }
        | Event::DeviceFreed { .. }
        | Event::Foreign { .. }
        | Event::Work { .. }
        | Event::Waited { .. }
        | Event::Captured
        | Event::Forked
        | Event::Reset => None,
    }
}

fn group(
    trace: &Trace,
    k_min: u64,
    hosts: &[Object],
    devices: &[Object],
    links: &[Link],
) -> Vec<Candidate> {
    let mut groups: BTreeMap<(u64, u64, u64), Vec<&Link>> = BTreeMap::new();
    for link in links {
        if let Some((_, bytes, ..)) = copied(&trace.events[link.at]) {
            groups
                .entry((hosts[link.host].site, devices[link.device].site, bytes))
                .or_default()
                .push(link);
        }
    }
    let mut found = Vec::new();
    for (&(host_site, device_site, bytes), members) in &groups {
        let mut candidate = Candidate {
            host_site,
            device_site,
            bytes,
            uploads: 0,
            downloads: 0,
            dominant: 0,
            pairs: 0,
            upload_clean: true,
            download_clean: true,
            rejections: BTreeSet::new(),
        };
        let mut sites: HashMap<(u64, Direction), u64> = HashMap::new();
        let mut streams = BTreeSet::new();
        let mut pairs = BTreeSet::new();
        for link in members {
            let Some((direction, _, site, stream, asynchronous, clean)) =
                copied(&trace.events[link.at])
            else {
                continue;
            };
            *sites.entry((site, direction)).or_default() += 1;
            streams.insert(stream);
            pairs.insert((link.host, link.device));
            match direction {
                Direction::Upload => {
                    candidate.uploads += 1;
                    candidate.upload_clean &= clean;
                }
                Direction::Download => {
                    candidate.downloads += 1;
                    candidate.download_clean &= clean;
                    if asynchronous && !waited_for(trace, link.at, stream) {
                        candidate.rejections.insert(Rejection::NotWaitedFor);
                    }
                }
            }
            if !link.whole {
                candidate.rejections.insert(Rejection::SizeMismatch);
            }
            if hosts[link.host].partners.len() > 1 {
                candidate.rejections.insert(Rejection::SeveralDevices);
            }
            if !one_after_another(hosts, &devices[link.device].partners) {
                candidate.rejections.insert(Rejection::SeveralHosts);
            }
            candidate.rejections.extend(&hosts[link.host].uses);
            candidate.rejections.extend(&devices[link.device].uses);
        }
        candidate.pairs = pairs.len() as u64;
        candidate.dominant = sites.values().copied().max().unwrap_or(0);
        if candidate.dominant < k_min {
            candidate.rejections.insert(Rejection::TooFewCopies);
        }
        if streams.len() > 1 || !work_stays_in(trace, members, &streams) {
            candidate.rejections.insert(Rejection::SeveralStreams);
        }
        let shared = groups.keys().any(|&(host, device, size)| {
            size == bytes && (host == host_site) != (device == device_site)
        });
        if shared {
            candidate.rejections.insert(Rejection::SharedSite);
        }
        if !order_matches(hosts, devices, &candidate, &pairs) {
            candidate.rejections.insert(Rejection::AllocationOrder);
        }
        found.push(candidate);
    }
    found.sort_by_key(|candidate| {
        let copied = candidate.bytes.saturating_mul(candidate.uploads + candidate.downloads);
        (std::cmp::Reverse(copied), candidate.host_site, candidate.device_site)
    });
    found
}

/// Whether at most one of the host blocks lives at any time: a fresh result array per round, for one
/// device buffer, is one pair after another.
fn one_after_another(hosts: &[Object], partners: &BTreeSet<usize>) -> bool {
    let mut lives: Vec<_> =
        partners.iter().map(|&host| (hosts[host].born, hosts[host].died)).collect();
    lives.sort_unstable();
    lives.windows(2).all(|pair| pair[0].1 <= pair[1].0)
}

/// Whether the host waits for the stream before the next copy, free or end.
fn waited_for(trace: &Trace, at: usize, stream: u64) -> bool {
    for event in &trace.events[at + 1..] {
        match event {
            Event::Waited { stream: None } => return true,
            Event::Waited { stream: Some(other) } if *other == stream => return true,
            Event::Copied { direction: Direction::Download, asynchronous: true, .. } => {}
            Event::Copied { .. } | Event::HostFreed { .. } | Event::HostReallocated { .. } => {
                return false;
            }
            Event::HostAllocated { .. }
            | Event::DeviceAllocated { .. }
            | Event::DeviceFreed { .. }
            | Event::Foreign { .. }
            | Event::Work { .. }
            | Event::Waited { .. }
            | Event::Captured
            | Event::Forked
            | Event::Reset => {}
        }
    }
    false
}

/// Whether all device work between the first and the last copy of the group is in its stream.
fn work_stays_in(trace: &Trace, members: &[&Link], streams: &BTreeSet<u64>) -> bool {
    let (Some(first), Some(last)) = (members.first(), members.last()) else { return true };
    trace.events[first.at..=last.at].iter().all(|event| match event {
        Event::Work { stream } => streams.contains(stream),
        Event::HostAllocated { .. }
        | Event::HostFreed { .. }
        | Event::HostReallocated { .. }
        | Event::DeviceAllocated { .. }
        | Event::DeviceFreed { .. }
        | Event::Copied { .. }
        | Event::Foreign { .. }
        | Event::Waited { .. }
        | Event::Captured
        | Event::Forked
        | Event::Reset => true,
    })
}

/// Replays phase 3's matching: blocks of the two sites meet in order of allocation, a freed block
/// stops waiting, and a device block whose host block was freed waits again. True if exactly the pairs that the copies join come out.
fn order_matches(
    hosts: &[Object],
    devices: &[Object],
    candidate: &Candidate,
    pairs: &BTreeSet<(usize, usize)>,
) -> bool {
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    enum Step {
        Death,
        Birth,
    }
    let mut steps = Vec::new();
    for (on_device, objects, site) in
        [(false, hosts, candidate.host_site), (true, devices, candidate.device_site)]
    {
        for (index, object) in objects.iter().enumerate() {
            if object.site == site && object.bytes == candidate.bytes {
                steps.push((object.born, Step::Birth, on_device, index));
                steps.push((object.died, Step::Death, on_device, index));
            }
        }
    }
    steps.sort_by(|left, right| (left.0, &left.1).cmp(&(right.0, &right.1)));
    let mut waiting: [Vec<usize>; 2] = [Vec::new(), Vec::new()];
    let mut joined = BTreeSet::new();
    let mut partner_of: HashMap<usize, usize> = HashMap::new();
    for (at, step, on_device, index) in steps {
        let (own, other) = (usize::from(on_device), usize::from(!on_device));
        match step {
            Step::Death => {
                waiting[own].retain(|&entry| entry != index);
                if let Some(device) = (!on_device).then(|| partner_of.remove(&index)).flatten()
                    && devices[device].died > at
                {
                    waiting[1].push(device);
                }
            }
            Step::Birth if waiting[other].is_empty() => waiting[own].push(index),
            Step::Birth => {
                let partner = waiting[other].remove(0);
                let (host, device) = if on_device { (partner, index) } else { (index, partner) };
                partner_of.insert(host, device);
                joined.insert((host, device));
            }
        }
    }
    joined == *pairs
}
