//! Pairing on traces made by hand: what the end-to-end tests cannot vary one by one.

use echo_runtime::pairing::{Candidate, candidates};
use echo_runtime::trace::{Direction, Event, ForeignUse, Origin, Trace};
use echo_runtime::{Rejection, trace};

const N: u64 = 300_000;

fn host(address: u64, site: u64) -> Event {
    Event::HostAllocated { address, bytes: N, site, origin: Origin::Malloc }
}

fn device(address: u64, site: u64) -> Event {
    Event::DeviceAllocated { address, bytes: N, site }
}

fn copy(direction: Direction, host: u64, device: u64) -> Event {
    Event::Copied {
        direction,
        host,
        device,
        bytes: N,
        site: if direction == Direction::Upload { 100 } else { 101 },
        stream: 1,
        asynchronous: false,
        clean: false,
        capturing: false,
        time: 0,
    }
}

fn up(host: u64, device: u64) -> Event {
    copy(Direction::Upload, host, device)
}

fn down(host: u64, device: u64) -> Event {
    copy(Direction::Download, host, device)
}

fn find(events: Vec<Event>) -> Vec<Candidate> {
    candidates(&Trace { events, ..trace::Trace::default() }, 2)
}

fn only(events: Vec<Event>) -> Candidate {
    let mut found = find(events);
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

const H: u64 = 0x10_0000;
const D: u64 = 0x90_0000;

#[test]
fn copies_in_both_directions_are_one_pair() {
    let pair = only(vec![host(H, 1), device(D, 2), up(H, D), down(H, D), up(H, D), down(H, D)]);
    assert!(pair.rejections.is_empty(), "{:?}", pair.rejections);
    assert_eq!((pair.uploads, pair.downloads, pair.dominant, pair.pairs), (2, 2, 2, 1));
    assert!(!pair.download_clean);
}

#[test]
fn k_min_counts_the_dominant_site() {
    let pair = only(vec![host(H, 1), device(D, 2), up(H, D), down(H, D)]);
    assert_eq!(pair.rejections.iter().collect::<Vec<_>>(), [&Rejection::TooFewCopies]);
}

#[test]
fn order_of_allocation_must_join_what_copies_join() {
    // Two blocks per site, crossed: h1 with d2 and h2 with d1.
    let crossed = vec![
        host(H, 1),
        host(H + N, 1),
        device(D, 2),
        device(D + N, 2),
        up(H, D + N),
        up(H + N, D),
        up(H, D + N),
        up(H + N, D),
    ];
    assert!(only(crossed).rejections.contains(&Rejection::AllocationOrder));
    let straight = vec![
        host(H, 1),
        host(H + N, 1),
        device(D, 2),
        device(D + N, 2),
        up(H, D),
        up(H + N, D + N),
        up(H, D),
        up(H + N, D + N),
    ];
    assert!(only(straight).rejections.is_empty());
    // A third host block of the site that is never copied takes a place in the order.
    let stray = vec![host(H + N, 1), host(H, 1), device(D, 2), up(H, D), up(H, D)];
    assert!(only(stray).rejections.contains(&Rejection::AllocationOrder));
    let freed = vec![
        host(H + N, 1),
        Event::HostFreed { address: H + N },
        host(H, 1),
        device(D, 2),
        up(H, D),
        up(H, D),
    ];
    assert!(only(freed).rejections.is_empty());
}

#[test]
fn host_blocks_one_after_another() {
    let mut fresh = vec![device(D, 2)];
    let mut together = vec![device(D, 2)];
    for round in 0..3 {
        let address = H + round * N;
        fresh.extend([host(address, 1), down(address, D), Event::HostFreed { address }]);
        together.extend([host(address, 1), down(address, D)]);
    }
    assert!(only(fresh).rejections.is_empty());
    assert!(only(together).rejections.contains(&Rejection::SeveralHosts));
}

#[test]
fn one_site_for_two_partners() {
    let found = find(vec![
        host(H, 1),
        host(H + N, 3),
        device(D, 2),
        device(D + N, 2),
        up(H, D),
        up(H, D),
        up(H + N, D + N),
        up(H + N, D + N),
    ]);
    assert_eq!(found.len(), 2);
    assert!(found.iter().all(|pair| pair.rejections.contains(&Rejection::SharedSite)));
}

#[test]
fn other_uses() {
    for (how, why) in [
        (ForeignUse::Copy, Rejection::OtherCopy),
        (ForeignUse::Fill, Rejection::Filled),
        (ForeignUse::Register, Rejection::Registered),
        (ForeignUse::Export, Rejection::Exported),
        (ForeignUse::Query, Rejection::PointerQueried),
    ] {
        for address in [H, D] {
            let foreign = Event::Foreign { address, how };
            let pair = only(vec![host(H, 1), device(D, 2), up(H, D), foreign, up(H, D)]);
            assert_eq!(pair.rejections.iter().collect::<Vec<_>>(), [&why]);
        }
    }
    // Of another block, or after the free, it is no matter.
    let foreign = Event::Foreign { address: D, how: ForeignUse::Fill };
    let later = vec![
        host(H, 1),
        device(D, 2),
        up(H, D),
        up(H, D),
        Event::DeviceFreed { address: D },
        foreign,
    ];
    assert!(only(later).rejections.is_empty());
}

#[test]
fn streams() {
    let work = |stream| Event::Work { stream };
    let same = vec![host(H, 1), device(D, 2), up(H, D), work(1), up(H, D)];
    assert!(only(same).rejections.is_empty());
    let other = vec![host(H, 1), device(D, 2), up(H, D), work(8), up(H, D)];
    assert!(only(other).rejections.contains(&Rejection::SeveralStreams));
    let before = vec![work(8), host(H, 1), device(D, 2), up(H, D), up(H, D)];
    assert!(only(before).rejections.is_empty());
}

#[test]
fn an_event_storm_is_handled_in_order() {
    // Frees without allocations, copies of unknown blocks, double allocations: nothing panics.
    let events: Vec<Event> = (0..5000u64)
        .map(|number| {
            let mix = number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let address = (mix >> 60) * 4096;
            match mix >> 32 & 7 {
                0 => host(address, mix & 3),
                1 => device(address, mix & 3),
                2 => Event::HostFreed { address },
                3 => Event::DeviceFreed { address },
                4 => up(address, address),
                5 => down(address, address + 1),
                6 => Event::HostReallocated { address },
                _ => Event::Reset,
            }
        })
        .collect();
    let first = find(events.clone());
    assert!(!first.is_empty());
    assert_eq!(first, find(events));
}
