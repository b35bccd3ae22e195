//! The table of live tracked blocks, sorted by address, and the order in which partners are due.

use crate::lock::Lock;

/// Most live tracked blocks; beyond it blocks go untracked (and so are never merged).
pub(crate) const CAPACITY: usize = 8192;
/// Most buffers of one rule that may wait for their partner.
const WAITING: usize = 64;
/// `rule` of a block that no rule names.
pub(crate) const NO_RULE: u16 = u16::MAX;

/// What a tracked block is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Host memory from glibc.
    Host,
    /// Host memory in own pages (validation).
    Pages,
    /// Device memory.
    Device,
    /// Host and device memory in one.
    Merged,
}

/// State of a validated host block (phase 2).
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Window {
    /// No linking copy yet.
    Fresh,
    /// Guarded.
    Open,
    /// Not guarded; `content` tells what both buffers held when it closed.
    Closed,
    /// An asynchronous download is on its way.
    Draining,
}

/// One live block.
#[derive(Clone, Copy)]
pub(crate) struct Block {
    pub(crate) address: usize,
    /// Bytes that the program asked for.
    pub(crate) bytes: usize,
    pub(crate) role: Role,
    pub(crate) rule: u16,
    /// Allocation site (profile only).
    pub(crate) site: u64,
    /// Number of this block in order of allocation (profile only).
    pub(crate) order: u64,
    /// How a host block was asked for (profile only).
    pub(crate) origin: u8,
    /// Address of the other buffer of the pair, 0 while unknown.
    pub(crate) partner: usize,
    /// Bytes of own pages.
    pub(crate) mapped: usize,
    pub(crate) window: Window,
    /// Digest of the content when the window closed.
    pub(crate) content: u64,
    /// `content` holds.
    pub(crate) content_known: bool,
    /// Value of the work counter when the block came to be.
    pub(crate) work: u64,
    pub(crate) host_live: bool,
    pub(crate) device_live: bool,
    pub(crate) host_seen: bool,
    pub(crate) device_seen: bool,
    pub(crate) registered: bool,
    /// Uploads of the process before the last download of this block (validation only).
    pub(crate) uploads_before: u64,
    /// Some upload came between the last two downloads of this block (validation only).
    pub(crate) upload_rounds: bool,
}

impl Block {
    /// A block with nothing known beyond its place.
    pub(crate) const fn new(address: usize, bytes: usize, role: Role, rule: u16) -> Block {
        Block {
            address,
            bytes,
            role,
            rule,
            site: 0,
            order: 0,
            origin: 0,
            partner: 0,
            mapped: 0,
            window: Window::Fresh,
            content: 0,
            content_known: false,
            work: 0,
            host_live: false,
            device_live: false,
            host_seen: false,
            device_seen: false,
            registered: false,
            uploads_before: 0,
            upload_rounds: false,
        }
    }
}

/// First-in first-out list of addresses.
pub(crate) struct Waiting {
    items: [usize; WAITING],
    length: usize,
}

impl Waiting {
    const fn new() -> Waiting {
        Waiting { items: [0; WAITING], length: 0 }
    }

    /// Appends; false if full.
    pub(crate) fn push(&mut self, address: usize) -> bool {
        if self.length == WAITING {
            return false;
        }
        self.items[self.length] = address;
        self.length += 1;
        true
    }

    /// The oldest address.
    pub(crate) fn first(&self) -> Option<usize> {
        (self.length > 0).then(|| self.items[0])
    }

    /// Removes an address wherever it is; false if it is not there.
    pub(crate) fn remove(&mut self, address: usize) -> bool {
        let Some(at) = self.items[..self.length].iter().position(|&item| item == address) else {
            return false;
        };
        self.items.copy_within(at + 1..self.length, at);
        self.length -= 1;
        true
    }
}

/// Buffers of one rule whose partner has not come yet. At most one of the two lists is non-empty.
pub(crate) struct Due {
    pub(crate) host: Waiting,
    pub(crate) device: Waiting,
}

/// All live tracked blocks.
pub(crate) struct Blocks {
    keys: [usize; CAPACITY],
    slots: [u16; CAPACITY],
    length: usize,
    free: [u16; CAPACITY],
    freed: usize,
    used: usize,
    inserted: u64,
    store: [Block; CAPACITY],
    pub(crate) due: [Due; echo_runtime::wire::MAX_RULES],
}

/// The one table.
pub(crate) static BLOCKS: Lock<Blocks> = Lock::new(Blocks {
    keys: [0; CAPACITY],
    slots: [0; CAPACITY],
    length: 0,
    free: [0; CAPACITY],
    freed: 0,
    used: 0,
    inserted: 0,
    store: [Block::new(0, 0, Role::Host, 0); CAPACITY],
    due: [const { Due { host: Waiting::new(), device: Waiting::new() } };
        echo_runtime::wire::MAX_RULES],
});

impl Blocks {
    /// Adds a block, replacing one at the same address; false if the table is full.
    pub(crate) fn insert(&mut self, mut block: Block) -> bool {
        self.inserted += 1;
        block.order = self.inserted;
        match self.keys[..self.length].binary_search(&block.address) {
            Ok(at) => {
                self.store[self.slots[at] as usize] = block;
                true
            }
            Err(at) => {
                let slot = if self.freed > 0 {
                    self.freed -= 1;
                    self.free[self.freed]
                } else if self.used < CAPACITY {
                    self.used += 1;
                    (self.used - 1) as u16
                } else {
                    return false;
                };
                self.keys.copy_within(at..self.length, at + 1);
                self.slots.copy_within(at..self.length, at + 1);
                self.keys[at] = block.address;
                self.slots[at] = slot;
                self.length += 1;
                self.store[slot as usize] = block;
                true
            }
        }
    }

    /// The block that starts at `address`.
    #[inline]
    pub(crate) fn at(&mut self, address: usize) -> Option<&mut Block> {
        let at = self.keys[..self.length].binary_search(&address).ok()?;
        Some(&mut self.store[self.slots[at] as usize])
    }

    /// The block that holds `address`.
    #[inline]
    pub(crate) fn holding(&mut self, address: usize) -> Option<&mut Block> {
        let at = match self.keys[..self.length].binary_search(&address) {
            Ok(at) => at,
            Err(0) => return None,
            Err(at) => at - 1,
        };
        let block = &mut self.store[self.slots[at] as usize];
        (address - block.address < block.bytes).then_some(block)
    }

    /// Takes the block at `address` out.
    pub(crate) fn remove(&mut self, address: usize) -> Option<Block> {
        let at = self.keys[..self.length].binary_search(&address).ok()?;
        let slot = self.slots[at];
        self.keys.copy_within(at + 1..self.length, at);
        self.slots.copy_within(at + 1..self.length, at);
        self.length -= 1;
        self.free[self.freed] = slot;
        self.freed += 1;
        Some(self.store[slot as usize])
    }

    /// Number of live blocks.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// The `index`-th block by address.
    pub(crate) fn nth(&mut self, index: usize) -> &mut Block {
        &mut self.store[self.slots[index] as usize]
    }

    /// Takes the oldest device buffer of the rule that waits for a host buffer, or makes the host
    /// buffer wait. The same order is simulated by the analysis of traces.
    pub(crate) fn match_host(&mut self, rule: u16, address: usize) -> Option<usize> {
        let due = &mut self.due[rule as usize];
        match due.device.first() {
            Some(device) => {
                due.device.remove(device);
                Some(device)
            }
            None => {
                due.host.push(address);
                None
            }
        }
    }

    /// The mirror image of [`Blocks::match_host`].
    pub(crate) fn match_device(&mut self, rule: u16, address: usize) -> Option<usize> {
        let due = &mut self.due[rule as usize];
        match due.host.first() {
            Some(host) => {
                due.host.remove(host);
                Some(host)
            }
            None => {
                due.device.push(address);
                None
            }
        }
    }
}
