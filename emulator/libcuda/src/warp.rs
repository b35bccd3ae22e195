//! Warp operations: lanes wait until those they named have come, then see each other's values.

/// What a lane brings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Offer {
    /// The lanes it wants to meet.
    pub(crate) mask: u32,
    /// Which operation; lanes of different kinds do not meet.
    pub(crate) kind: u32,
    pub(crate) value: u64,
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
    /// Whether all that wait do the same kind of operation, and whether they also name the same lanes.
    one_kind: bool,
    one_mask: bool,
    first: Offer,
    masks: [u32; 32],
    kinds: [u32; 32],
    /// What they bring. Not `Table::values`: those of the meeting before may still be read.
    values: [u64; 32],
}

impl Lanes {
    pub(crate) const NONE: Self = Self {
        ready: 0,
        waiting: 0,
        ended: 0,
        one_kind: true,
        one_mask: true,
        first: Offer { mask: 0, kind: 0, value: 0 },
        masks: [0; 32],
        kinds: [0; 32],
        values: [0; 32],
    };

    /// Another warp runs, in which nobody waits. What its lanes bring is written before it is read.
    pub(crate) fn enter(&mut self, ready: u32, ended: u32) {
        (self.ready, self.waiting, self.ended) = (ready, 0, ended);
    }

    /// A lane comes to wait.
    pub(crate) fn offer(&mut self, lane: usize, offer: Offer) {
        if self.waiting == 0 {
            self.first = offer;
            (self.one_kind, self.one_mask) = (true, true);
        }
        self.one_kind &= offer.kind == self.first.kind;
        self.one_mask &= offer.mask == self.first.mask;
        self.masks[lane] = offer.mask;
        self.kinds[lane] = offer.kind;
        self.values[lane] = offer.value;
        self.waiting |= 1 << lane;
    }

    /// Lets the lanes meet whose partners have all come; if there are none such, those of one kind go on without the
    /// partners that wait elsewhere, as converged hardware would. False if no lane waits for its warp.
    pub(crate) fn resolve(&mut self, table: &mut Table) -> bool {
        let waiting = self.waiting;
        if waiting == 0 {
            return false;
        }
        let group = if self.one_kind && (self.one_mask || self.all_have_come()) {
            waiting
        } else {
            self.complete().unwrap_or_else(|| self.stuck())
        };
        table.values = self.values;
        for lane in bits(group) {
            // A lane of another kind in the group met others.
            let met = self.group_of(lane, group);
            let mask = self.masks[lane];
            table.active[lane] = if mask == 0 { met } else { met & mask };
        }
        self.waiting &= !group;
        self.ready |= group;
        true
    }

    fn has_come(&self, lane: usize, group: u32) -> bool {
        self.kinds[lane] != ACTIVE_MASK && self.masks[lane] & !self.ended & !group == 0
    }

    fn all_have_come(&self) -> bool {
        bits(self.waiting).all(|lane| self.has_come(lane, self.waiting))
    }

    // All groups, of lanes of one kind that name the same lanes, in which nobody is missing.
    fn complete(&self) -> Option<u32> {
        let mut left = self.waiting;
        let mut complete = 0;
        while left != 0 {
            let first = left.trailing_zeros() as usize;
            let same = |&lane: &usize| {
                self.masks[lane] == self.masks[first] && self.kinds[lane] == self.kinds[first]
            };
            let group = bits(left).filter(same).fold(0, |group, lane| group | 1 << lane);
            left &= !group;
            if self.has_come(first, group) {
                complete |= group;
            }
        }
        (complete != 0).then_some(complete)
    }

    // `__activemask()` first: it meets whoever is there.
    fn stuck(&self) -> u32 {
        let asks = bits(self.waiting).find(|&lane| self.kinds[lane] == ACTIVE_MASK);
        let first = asks.unwrap_or(self.waiting.trailing_zeros() as usize);
        self.group_of(first, self.waiting)
    }

    // The lanes among `among` that do the same kind of operation as `lane`.
    fn group_of(&self, lane: usize, among: u32) -> u32 {
        if self.one_kind {
            return among;
        }
        let same = |&other: &usize| self.kinds[other] == self.kinds[lane];
        bits(among).filter(same).fold(0, |group, lane| group | 1 << lane)
    }
}

fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = mask.trailing_zeros();
        mask &= mask.wrapping_sub(1);
        (lane < 32).then_some(lane as usize)
    })
}
