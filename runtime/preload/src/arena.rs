//! Page-aligned blocks for candidate host buffers, and the switch that guards them.
//!
//! The list is read by fault handlers, so it is lock-free: entries are written under the block lock
//! and only ever reused after their pages are gone.

use std::sync::atomic::{AtomicI32, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use echo_runtime::wire::{fault, outcome};

use crate::{config, protect, uffd};

const ENTRIES: usize = 256;
const PAGE: usize = 4096;

/// Entry states.
pub(crate) const FREE: u32 = 0;
pub(crate) const CLOSED: u32 = 1;
pub(crate) const OPEN: u32 = 2;

/// Pages of one host buffer.
pub(crate) struct Entry {
    pub(crate) address: AtomicUsize,
    pub(crate) bytes: AtomicUsize,
    pub(crate) state: AtomicU32,
    pub(crate) rule: AtomicU32,
    offset: AtomicU64,
}

pub(crate) static ARENA: [Entry; ENTRIES] = [const {
    Entry {
        address: AtomicUsize::new(0),
        bytes: AtomicUsize::new(0),
        state: AtomicU32::new(FREE),
        rule: AtomicU32::new(0),
        offset: AtomicU64::new(0),
    }
}; ENTRIES];

static FILE: AtomicI32 = AtomicI32::new(-1);
static END: AtomicU64 = AtomicU64::new(0);

/// Rounds up to whole pages of the system.
pub(crate) fn page_round(bytes: usize) -> usize {
    // SAFETY: sysconf has no preconditions.
    let page = (unsafe { libc::sysconf(libc::_SC_PAGESIZE) } as usize).max(PAGE);
    bytes.div_ceil(page) * page
}

/// Shared pages of their own for one buffer of `rule`; zero-filled. `None` if there are none.
pub(crate) unsafe fn allocate(bytes: usize, rule: usize) -> Option<usize> {
    let length = page_round(bytes);
    let mut file = FILE.load(Ordering::Acquire);
    if file < 0 {
        file = libc::syscall(libc::SYS_memfd_create, c"echo-dr".as_ptr(), libc::MFD_CLOEXEC) as i32;
        if file < 0 {
            return None;
        }
        FILE.store(file, Ordering::Release);
    }
    let entry = ARENA.iter().find(|entry| entry.state.load(Ordering::Acquire) == FREE)?;
    let offset = END.fetch_add(length as u64, Ordering::Relaxed);
    if libc::ftruncate(file, (offset + length as u64) as libc::off_t) != 0 {
        return None;
    }
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let pages = libc::mmap(
        std::ptr::null_mut(),
        length,
        protection,
        libc::MAP_SHARED,
        file,
        offset as libc::off_t,
    );
    if pages == libc::MAP_FAILED {
        return None;
    }
    // Present pages first: a minor fault needs the page in the file's cache.
    for page in (0..length).step_by(PAGE) {
        std::ptr::write_volatile((pages as *mut u8).add(page), 0);
    }
    entry.address.store(pages as usize, Ordering::Release);
    entry.bytes.store(length, Ordering::Release);
    entry.rule.store(rule as u32, Ordering::Release);
    entry.offset.store(offset, Ordering::Release);
    entry.state.store(CLOSED, Ordering::Release);
    Some(pages as usize)
}

/// Gives the pages at `address` back.
pub(crate) unsafe fn release(address: usize) {
    if let Some(entry) = starting_at(address) {
        let length = entry.bytes.load(Ordering::Acquire);
        entry.state.store(FREE, Ordering::Release);
        libc::munmap(address as *mut libc::c_void, length);
        libc::fallocate(
            FILE.load(Ordering::Acquire),
            libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE,
            entry.offset.load(Ordering::Acquire) as libc::off_t,
            length as libc::off_t,
        );
    }
}

fn starting_at(address: usize) -> Option<&'static Entry> {
    ARENA.iter().find(|entry| {
        entry.state.load(Ordering::Acquire) != FREE
            && entry.address.load(Ordering::Acquire) == address
    })
}

/// The entry whose pages hold `address`. Safe in a signal handler.
pub(crate) fn holding(address: usize) -> Option<&'static Entry> {
    ARENA.iter().find(|entry| {
        entry.state.load(Ordering::Acquire) != FREE
            && address.wrapping_sub(entry.address.load(Ordering::Acquire))
                < entry.bytes.load(Ordering::Acquire)
    })
}

/// Makes the next host access to the pages trap; false if that failed.
pub(crate) unsafe fn open(address: usize) -> bool {
    let Some(entry) = starting_at(address) else { return false };
    let length = entry.bytes.load(Ordering::Acquire);
    entry.state.store(OPEN, Ordering::Release);
    let done =
        if uffd::active() { uffd::guard(address, length) } else { protect::guard(address, length) };
    if !done {
        entry.state.store(CLOSED, Ordering::Release);
    }
    done
}

/// Lets host accesses pass again; true if none trapped since [`open`].
pub(crate) unsafe fn close(address: usize) -> bool {
    let Some(entry) = starting_at(address) else { return false };
    let length = entry.bytes.load(Ordering::Acquire);
    let untouched =
        entry.state.compare_exchange(OPEN, CLOSED, Ordering::AcqRel, Ordering::Acquire).is_ok();
    if uffd::active() {
        uffd::unguard(address, length);
    } else {
        protect::unguard(address, length);
    }
    untouched
}

/// A host access hit guarded pages: the rule is rejected and the access may go on. Called by the
/// fault thread or the signal handler; takes no lock.
pub(crate) fn trapped(entry: &Entry, bit: u64) {
    if entry.state.compare_exchange(OPEN, CLOSED, Ordering::AcqRel, Ordering::Acquire).is_ok() {
        let rule = entry.rule.load(Ordering::Acquire) as usize;
        config::fault(rule, bit);
        config::subtract(config::of_rule(rule, outcome::RULE_OPEN), 1);
    }
}

/// A range is about to be used by a system call: with PROT_NONE that would fail instead of trapping.
pub(crate) unsafe fn before_io(address: usize, bytes: usize) {
    for entry in &ARENA {
        if entry.state.load(Ordering::Acquire) != OPEN {
            continue;
        }
        let start = entry.address.load(Ordering::Acquire);
        let length = entry.bytes.load(Ordering::Acquire);
        if address < start + length && start < address.saturating_add(bytes) {
            trapped(entry, fault::HOST_IO);
            protect::unguard(start, length);
        }
    }
}

/// In a forked child: gives every block private pages with the same content, as malloc memory has.
pub(crate) unsafe fn make_private(address: usize, length: usize) {
    let protection = libc::PROT_READ | libc::PROT_WRITE;
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS;
    let copy = libc::mmap(std::ptr::null_mut(), length, protection, flags, -1, 0);
    if copy == libc::MAP_FAILED {
        return;
    }
    libc::mprotect(address as *mut libc::c_void, length, protection);
    std::ptr::copy_nonoverlapping(address as *const u8, copy as *mut u8, length);
    libc::mremap(
        copy,
        length,
        length,
        libc::MREMAP_MAYMOVE | libc::MREMAP_FIXED,
        address as *mut libc::c_void,
    );
}
