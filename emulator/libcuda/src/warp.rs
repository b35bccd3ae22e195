//! Warp operations: lanes wait until those they named have come, then see each other's values.

use crate::block::Lane;

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

/// Which lanes of the running warp do what, one bit each, and what those that wait for it bring.
pub(crate) struct Lanes {
    pub(crate) ready: u32,
    pub(crate) waiting: u32,
    pub(crate) ended: u32,
    /// Whether all that wait make the same offer, but for the value: that of the first.
    alike: bool,
    first: Offer,
    /// What they bring. Not `Table::values`: those of the meeting before may still be read.
    brought: [u64; 32],
}

impl Lanes {
    pub(crate) const NONE: Self =
        Self { ready: 0, waiting: 0, ended: 0, alike: true, first: Offer::NONE, brought: [0; 32] };

    /// A lane comes to wait.
    pub(crate) fn offer(&mut self, lane: usize, offer: Offer) {
        if self.waiting == 0 {
            self.alike = true;
            self.first = offer;
        } else {
            self.alike &= offer.mask == self.first.mask && offer.kind == self.first.kind;
        }
        self.brought[lane] = offer.value;
        self.waiting |= 1 << lane;
    }

    // The lanes of `group` see each other's values and can go on.
    fn meet(&mut self, group: u32, table: &mut Table) {
        table.values = self.brought;
        for lane in 0..32 {
            if group >> lane & 1 != 0 {
                table.active[lane] = group;
            }
        }
        self.waiting &= !group;
        self.ready |= group;
    }
}

/// Lets the lanes meet whose partners have all come; if there are none such, one group goes on without the partners
/// that wait elsewhere, as converged hardware would. False if no lane waits for its warp.
pub(crate) fn resolve(state: &mut Lanes, lanes: &[Lane], table: &mut Table) -> bool {
    let waiting = state.waiting;
    if waiting == 0 {
        return false;
    }
    if state.alike {
        // Whether their partners have come or are elsewhere: they are the one group there is.
        state.meet(waiting, table);
        return true;
    }
    let all = if lanes.len() >= 32 { !0 } else { (1 << lanes.len()) - 1 };
    let alive = all & !state.ended;
    let mut left = waiting;
    let mut complete = 0;
    while left != 0 {
        let group = group_of(lanes, left);
        left &= !group;
        let offer = lanes[group.trailing_zeros() as usize].offer;
        if offer.kind != ACTIVE_MASK && offer.mask & alive & !group == 0 {
            for lane in 0..32 {
                if group >> lane & 1 != 0 {
                    table.active[lane] = group;
                }
            }
            complete |= group;
        }
    }
    if complete != 0 {
        table.values = state.brought;
        state.waiting &= !complete;
        state.ready |= complete;
        return true;
    }
    let asks = |lane: &usize| waiting >> lane & 1 != 0 && lanes[*lane].offer.kind == ACTIVE_MASK;
    let from = (0..lanes.len()).find(asks).map_or(waiting, |lane| waiting & !0 << lane);
    let group = group_of(lanes, from);
    state.meet(group, table);
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
