//! Memory of four kinds, each in an address range of its own. Every block has its own pages, ends at a guard page, and
//! its addresses are never used again, so that a stray access faults instead of hitting a neighbour.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::config::config;
use crate::global::Global;

/// What a block is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// cudaMalloc: only the device.
    Device,
    /// cudaMallocManaged: both, with the limits of `concurrentManagedAccess`.
    Managed,
    /// The program's heap: only the host.
    Host,
    /// cudaHostAlloc: both.
    Pinned,
}

const KINDS: [Kind; 4] = [Kind::Device, Kind::Managed, Kind::Host, Kind::Pinned];

impl Kind {
    /// The word in reports.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Managed => "managed",
            Self::Host => "host",
            Self::Pinned => "pinned",
        }
    }

    /// Whether kernels may use it.
    pub(crate) const fn device_may_use(self) -> bool {
        !matches!(self, Self::Host)
    }
}

/// Who may use a managed block on a device without concurrent access (cudaStreamAttachMemAsync).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Attachment {
    /// Any stream: the host must wait for all of them.
    Global,
    /// The host alone.
    Host,
    /// One stream, by index.
    Single(usize),
}

/// One allocation, live or freed.
#[derive(Debug, Clone)]
pub(crate) struct Block {
    /// First byte.
    pub(crate) base: usize,
    /// Size in bytes, as asked for (at least 1).
    pub(crate) bytes: u64,
    /// First page and the size of the pages in bytes, guard excluded.
    pub(crate) pages: (usize, usize),
    pub(crate) kind: Kind,
    pub(crate) live: bool,
    /// Number among all allocations.
    pub(crate) id: u32,
    /// Number among the host allocations, or among the cudaMalloc calls (what-if names).
    pub(crate) sequence: Option<u32>,
    /// Return addresses in the program, as offsets, innermost first.
    pub(crate) site: Vec<usize>,
    /// Who may use it, if managed.
    pub(crate) attachment: Attachment,
    /// Whether cudaHostRegister gave it to the device.
    pub(crate) registered: bool,
    /// Whether a reset of the device took it away, so that freeing it is an error and no fault.
    pub(crate) lost: bool,
    closed: bool,
}

impl Block {
    /// Whether `bytes` from `address` lie inside.
    pub(crate) fn covers(&self, address: usize, bytes: u64) -> bool {
        address >= self.base && (address - self.base) as u64 + bytes <= self.bytes
    }
}

/// Bytes of address space per kind.
pub(crate) const RANGE: usize = 512 << 30;
const PAGE: usize = 4096;
const HUGE_PAGE: usize = 2 << 20;
// From this size on a block has huge pages only: opening, closing and first use then cost a fraction.
const LARGE: usize = HUGE_PAGE / 4;
// Each live block costs two mappings and Linux allows 65,530; the rest of the program's heap stays unguarded.
const MOST_HOST_BLOCKS: usize = 16_000;
// Of a block larger than two of these only both ends are poisoned: filling costs real memory.
const POISONED_END: usize = 8 << 20;

static BASE: AtomicUsize = AtomicUsize::new(0);

struct Arena {
    used: usize,
    blocks: Vec<Block>,
    live: Vec<u32>,
    live_bytes: u64,
}

struct Arenas {
    all: [Arena; 4],
    next_id: u32,
    device_open: bool,
    host_closed: bool,
    variables: Vec<(usize, usize)>,
}

const fn arena() -> Arena {
    Arena { used: 0, blocks: Vec::new(), live: Vec::new(), live_bytes: 0 }
}

static ARENAS: Global<Arenas> = Global::new(Arenas {
    all: [arena(), arena(), arena(), arena()],
    next_id: 0,
    device_open: false,
    host_closed: false,
    variables: Vec::new(),
});

/// Reserves the address space.
pub(crate) fn reserve() {
    // SAFETY: a fresh anonymous mapping.
    let base = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            RANGE * 4 + HUGE_PAGE,
            libc::PROT_NONE,
            libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
            -1,
            0,
        )
    };
    assert!(base != libc::MAP_FAILED, "no address space for the emulator's memory");
    BASE.store((base as usize).next_multiple_of(HUGE_PAGE), Ordering::Relaxed);
}

/// First byte of all arenas.
#[inline]
pub(crate) fn base() -> usize {
    BASE.load(Ordering::Relaxed)
}

/// Whether the address belongs to some arena.
#[inline]
pub(crate) fn contains(address: usize) -> bool {
    address.wrapping_sub(base()) < RANGE * 4 && base() != 0
}

/// The kind of memory at an address; everything outside the arenas is the host's.
pub(crate) fn kind_of(address: usize) -> Kind {
    if contains(address) { KINDS[(address - base()) / RANGE] } else { Kind::Host }
}

/// A block of `bytes` (0 counts as 1), its end aligned to `align` against the guard page. None: no memory.
pub(crate) fn allocate(kind: Kind, bytes: u64, align: usize) -> Option<usize> {
    let (poison, seed, protect, limit) = {
        let config = config();
        (config.poison, config.seed, config.protect, config.device_bytes)
    };
    let mut arenas = ARENAS.get();
    let bytes = bytes.max(1);
    let rounded = usize::try_from(bytes).ok()?.checked_next_multiple_of(align)?;
    let page = if rounded >= LARGE { HUGE_PAGE } else { PAGE };
    let pages = rounded.checked_next_multiple_of(page)?;
    let (device_open, host_closed, id) = (arenas.device_open, arenas.host_closed, arenas.next_id);
    let arena = &mut arenas.all[kind as usize];
    let start = if pages >= LARGE { arena.used.next_multiple_of(HUGE_PAGE) } else { arena.used };
    let full = start.checked_add(pages + PAGE).is_none_or(|end| end > RANGE);
    if full || (kind == Kind::Host && arena.live.len() >= MOST_HOST_BLOCKS) {
        return None;
    }
    if kind != Kind::Host && arena.live_bytes + bytes > limit {
        return None;
    }
    let first = base() + kind as usize * RANGE + start;
    if !set_protection(first, pages, true) {
        return None;
    }
    if pages >= LARGE {
        // SAFETY: the pages belong to this block alone; if the system has no huge pages, nothing changes.
        unsafe { libc::madvise(first as *mut _, pages, libc::MADV_HUGEPAGE) };
    }
    arena.used = start + pages + PAGE;
    let start = first + pages - rounded;
    if poison {
        let both = kind.device_may_use() && kind != Kind::Pinned;
        let pattern = if both {
            0xA0 + (seed.wrapping_mul(7).wrapping_add(u64::from(id) * 3) % 29) as u8
        } else {
            0x50 + (seed.wrapping_mul(5).wrapping_add(u64::from(id)) % 23) as u8
        };
        let end = pages.min(POISONED_END);
        // SAFETY: the pages were just made writable and belong to this block alone.
        unsafe {
            std::ptr::write_bytes(first as *mut u8, pattern, end);
            std::ptr::write_bytes((first + pages - end) as *mut u8, pattern, end);
        }
    }
    let closed = protect
        && match kind {
            Kind::Device => !device_open,
            Kind::Host => host_closed,
            Kind::Managed | Kind::Pinned => false,
        };
    if closed {
        set_protection(first, pages, false);
    }
    arena.live.push(arena.blocks.len() as u32);
    arena.live_bytes += bytes;
    arena.blocks.push(Block {
        base: start,
        bytes,
        pages: (first, pages),
        kind,
        live: true,
        id,
        sequence: None,
        site: Vec::new(),
        attachment: Attachment::Global,
        registered: false,
        lost: false,
        closed,
    });
    arenas.next_id += 1;
    Some(start)
}

/// Records where the newest block of `kind` was allocated and as which call of its sort.
pub(crate) fn label(kind: Kind, sequence: Option<u32>, site: Vec<usize>) {
    if let Some(block) = ARENAS.get().all[kind as usize].blocks.last_mut() {
        block.sequence = sequence;
        block.site = site;
    }
}

/// Frees the block that starts at `address`; false if there is none or it is freed already.
pub(crate) fn free(address: usize) -> bool {
    let mut arenas = ARENAS.get();
    if !contains(address) {
        return false;
    }
    let arena = &mut arenas.all[(address - base()) / RANGE];
    let Some(index) = index_at(&arena.blocks, address) else { return false };
    let block = &arena.blocks[index];
    if !block.live || block.base != address {
        return false;
    }
    arena.end(index);
    true
}

/// Takes away all memory that the driver gave, as a reset of the device does.
pub(crate) fn lose_all() {
    let mut arenas = ARENAS.get();
    for kind in KINDS {
        if kind == Kind::Host {
            continue;
        }
        let arena = &mut arenas.all[kind as usize];
        for index in arena.live.clone() {
            arena.end(index as usize);
            arena.blocks[index as usize].lost = true;
        }
    }
}

/// The block whose pages or guard page hold `address`, live or freed.
pub(crate) fn find(address: usize) -> Option<Block> {
    if !contains(address) {
        return None;
    }
    let arenas = ARENAS.get();
    let blocks = &arenas.all[(address - base()) / RANGE].blocks;
    index_at(blocks, address).map(|index| blocks[index].clone())
}

fn index_at(blocks: &[Block], address: usize) -> Option<usize> {
    let after = blocks.partition_point(|block| block.pages.0 <= address);
    let index = after.checked_sub(1)?;
    let (first, bytes) = blocks[index].pages;
    (address < first + bytes + PAGE).then_some(index)
}

/// Bytes of device and managed memory in use.
pub(crate) fn device_bytes_in_use() -> u64 {
    let arenas = ARENAS.get();
    arenas.all[Kind::Device as usize].live_bytes + arenas.all[Kind::Managed as usize].live_bytes
}

/// Sets who may use a managed block.
pub(crate) fn attach(address: usize, attachment: Attachment) {
    let mut arenas = ARENAS.get();
    let blocks = &mut arenas.all[Kind::Managed as usize].blocks;
    if let Some(index) = index_at(blocks, address) {
        blocks[index].attachment = attachment;
    }
}

/// Gives a block of the host's memory to the device, or takes it back.
pub(crate) fn register(address: usize, registered: bool) {
    let mut arenas = ARENAS.get();
    let blocks = &mut arenas.all[Kind::Host as usize].blocks;
    if contains(address)
        && let Some(index) = index_at(blocks, address)
    {
        blocks[index].registered = registered;
    }
}

/// Whether an address lies in a registered block of the host.
pub(crate) fn is_registered(address: usize) -> bool {
    find(address).is_some_and(|block| block.registered && block.live)
}

/// Whether host and device may both use an address. Memory of the host that the emulator did not give counts: the
/// device can reach it here, and nothing is known of it.
pub(crate) fn shared_with_device(address: usize) -> bool {
    match kind_of(address) {
        Kind::Device => false,
        Kind::Managed | Kind::Pinned => true,
        Kind::Host => config().pageable_access || !contains(address) || is_registered(address),
    }
}

/// Whether the driver allocated or registered the block.
pub(crate) fn known_to_driver(block: &Block) -> bool {
    block.kind != Kind::Host || block.registered
}

/// Notes a variable of a device image: `bytes` bytes at `address`.
pub(crate) fn add_device_variable(address: usize, bytes: usize) {
    let mut arenas = ARENAS.get();
    if !arenas.variables.contains(&(address, bytes)) {
        arenas.variables.push((address, bytes));
    }
}

/// Whether an address lies in a variable of a device image.
pub(crate) fn is_device_variable(address: usize) -> bool {
    let inside = |&(start, bytes): &(usize, usize)| (start..start + bytes).contains(&address);
    ARENAS.get().variables.iter().any(inside)
}

/// Opens device memory to the code that runs next; for kernels also closes the program's heap.
pub(crate) fn enter_device(kernel: bool) {
    if !config().protect {
        return;
    }
    let mut arenas = ARENAS.get();
    if !arenas.device_open {
        arenas.device_open = true;
        arenas.all[Kind::Device as usize].set_all(false);
    }
    arenas.all[Kind::Managed as usize].set_all(false);
    let closed = kernel && !config().pageable_access;
    if arenas.host_closed != closed {
        arenas.host_closed = closed;
        arenas.all[Kind::Host as usize].set_all(closed);
    }
}

/// Closes device memory to the host. `closed` says which managed blocks the host may not touch now.
pub(crate) fn leave_device(closed: impl Fn(Attachment) -> bool) {
    if !config().protect {
        return;
    }
    let mut arenas = ARENAS.get();
    if arenas.device_open {
        arenas.device_open = false;
        arenas.all[Kind::Device as usize].set_all(true);
    }
    if arenas.host_closed {
        arenas.host_closed = false;
        arenas.all[Kind::Host as usize].set_all(false);
    }
    let managed = &mut arenas.all[Kind::Managed as usize];
    for &index in &managed.live {
        let block = &mut managed.blocks[index as usize];
        let close = closed(block.attachment);
        block.set(close);
    }
}

impl Arena {
    fn end(&mut self, index: usize) {
        let block = &mut self.blocks[index];
        block.live = false;
        // A fresh mapping, not a change of the old: it becomes one with its neighbours, and mappings are few.
        // SAFETY: the pages belong to this block, which nobody may use any more.
        let fresh = unsafe {
            libc::mmap(
                block.pages.0 as *mut _,
                block.pages.1,
                libc::PROT_NONE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | libc::MAP_FIXED,
                -1,
                0,
            )
        };
        assert!(fresh != libc::MAP_FAILED, "freed memory cannot be closed");
        self.live_bytes -= block.bytes;
        let at = self.live.binary_search(&(index as u32)).unwrap_or_else(|at| at);
        self.live.remove(at);
    }

    fn set_all(&mut self, closed: bool) {
        for &index in &self.live {
            self.blocks[index as usize].set(closed);
        }
    }
}

impl Block {
    fn set(&mut self, closed: bool) {
        // Registered memory stays open to kernels.
        let closed = closed && !self.registered;
        if self.closed != closed {
            self.closed = closed;
            set_protection(self.pages.0, self.pages.1, !closed);
        }
    }
}

fn set_protection(first: usize, bytes: usize, open: bool) -> bool {
    let protection = if open { libc::PROT_READ | libc::PROT_WRITE } else { libc::PROT_NONE };
    // SAFETY: the pages lie in the reserved range and belong to one block.
    unsafe { libc::mprotect(first as *mut _, bytes, protection) == 0 }
}
