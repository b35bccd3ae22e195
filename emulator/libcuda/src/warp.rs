//! Warp operations: lanes wait until those they named have come, then see each other's values.

use crate::block::{Lane, State};

/// What a lane brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The lanes it wants to meet.
    pub(crate) mask: u32,
    /// Which operation; lanes of different kinds do not meet.
    pub(crate) kind: u32,
    pub(crate) value: u64,
}

impl Offer {
    pub(crate) const NONE: Self = Self { mask: 0, kind: 0, value: 0 };
}

/// `__activemask()`: meets whoever is there once nobody can run on.
const ACTIVE_MASK: u32 = 0;

/// The values of the last resolution, by lane.
pub(crate) struct Table {
    pub(crate) values: [u64; 32],
    /// For each lane, which lanes took part with it.
    pub(crate) active: [u32; 32],
}

/// What device code gets back, in two registers.
#[repr(C)]
pub struct Answer {
    /// Values of the 32 lanes.
    pub values: *const u64,
    /// Bit per lane that took part.
    pub active: u64,
}

/// Lets the lanes meet whose partners have all come; if there are none such, one group goes on without the partners
/// that wait elsewhere, as converged hardware would. False if no lane waits for its warp.
pub(crate) fn resolve(lanes: &mut [Lane], table: &mut Table) -> bool {
    let mut waiting = 0_u32;
    let mut alive = 0_u32;
    for (index, lane) in lanes.iter().enumerate() {
        waiting |= u32::from(lane.state == State::Warp) << index;
        alive |= u32::from(lane.state != State::Done) << index;
    }
    if waiting == 0 {
        return false;
    }
    let mut left = waiting;
    let mut resolved = false;
    while left != 0 {
        let group = group_of(lanes, left);
        left &= !group;
        let offer = lanes[group.trailing_zeros() as usize].offer;
        let complete = offer.kind != ACTIVE_MASK && offer.mask & alive & !group == 0;
        if complete {
            meet(lanes, group, table);
            resolved = true;
        }
    }
    if !resolved {
        let active = lanes
            .iter()
            .enumerate()
            .find(|(_, lane)| lane.state == State::Warp && lane.offer.kind == ACTIVE_MASK);
        let from = active.map_or(waiting, |(index, _)| waiting & !0 << index);
        meet(lanes, group_of(lanes, from), table);
    }
    true
}

// The lanes among `among` that make the same offer as the lowest of them.
fn group_of(lanes: &[Lane], among: u32) -> u32 {
    let first = lanes[among.trailing_zeros() as usize].offer;
    let mut group = 0;
    for (index, lane) in lanes.iter().enumerate() {
        let same = lane.offer.mask == first.mask && lane.offer.kind == first.kind;
        group |= u32::from(among >> index & 1 != 0 && same) << index;
    }
    group
}

fn meet(lanes: &mut [Lane], group: u32, table: &mut Table) {
    for (index, lane) in lanes.iter_mut().enumerate() {
        if group >> index & 1 != 0 {
            table.values[index] = lane.offer.value;
            table.active[index] = group;
            lane.state = State::Ready;
        }
    }
}
