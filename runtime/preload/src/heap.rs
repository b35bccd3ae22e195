//! The malloc family. Below the threshold a call costs one comparison; `free` costs one look into a
//! counting filter on the address.

use std::ffi::c_int;
use std::sync::atomic::{AtomicU8, AtomicUsize, Ordering};

use echo_runtime::wire::{kind, mode, origin};

use crate::blocks::{BLOCKS, Block, NO_RULE, Role};
use crate::config::{self, THRESHOLD};
use crate::real::{self, Pointer};
use crate::{arena, guard, merge, observe, site, tracer};

const FILTER: usize = 1 << 15;
/// Number of tracked addresses per hash; 255 sticks.
static COUNTS: [AtomicU8; FILTER] = [const { AtomicU8::new(0) }; FILTER];

#[inline(always)]
fn slot(address: usize) -> &'static AtomicU8 {
    &COUNTS[(address >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 49]
}

/// Marks an address so that `free` and `realloc` look it up.
pub(crate) fn watch(address: usize) {
    let _ = slot(address)
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| count.checked_add(1));
}

/// Undoes one [`watch`].
pub(crate) fn unwatch(address: usize) {
    let _ = slot(address).fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| {
        if count == u8::MAX { None } else { count.checked_sub(1) }
    });
}

#[inline(always)]
fn watched(address: usize) -> bool {
    slot(address).load(Ordering::Relaxed) != 0
}

/// How an allocation was asked for.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    pub(crate) bytes: usize,
    /// 0 for malloc's own alignment.
    pub(crate) alignment: usize,
    /// One of [`origin`].
    pub(crate) origin: u8,
}

impl Request {
    unsafe fn original(&self) -> Pointer {
        match self.origin {
            origin::CALLOC => real::__libc_calloc(1, self.bytes),
            origin::ALIGNED => real::__libc_memalign(self.alignment, self.bytes),
            _ => real::__libc_malloc(self.bytes),
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn large(request: Request) -> Pointer {
    let Some(mut inside) = real::enter() else { return request.original() };
    let replaced = match config::current_mode() {
        mode::VALIDATE => guard::allocate(&request),
        mode::OPTIMIZE => merge::allocate_host(&request),
        _ => None,
    };
    if let Some(address) = replaced {
        return address as Pointer;
    }
    let block = request.original();
    if block.is_null() {
        inside.keep_errno();
        return block;
    }
    track(block as usize, &request);
    block
}

/// Records a glibc block in the modes that follow all blocks.
unsafe fn track(address: usize, request: &Request) {
    let current = config::current_mode();
    let rule = match current {
        mode::PROFILE => NO_RULE,
        mode::OBSERVE => match observe::rule_of_host(request.bytes) {
            Some(rule) => rule,
            None => return,
        },
        _ => return,
    };
    let found = if current == mode::PROFILE { site::site() } else { 0 };
    let mut block = Block::new(address, request.bytes, Role::Host, rule);
    (block.site, block.origin) = (found, request.origin);
    let added = BLOCKS.with(|blocks| {
        if rule != NO_RULE
            && let Some(partner) = blocks.match_host(rule, address)
        {
            block.partner = partner;
            if let Some(other) = blocks.at(partner) {
                other.partner = address;
            }
        }
        blocks.insert(block)
    });
    if !added {
        return;
    }
    watch(address);
    if current == mode::PROFILE {
        tracer::event(
            kind::HOST_ALLOC,
            request.origin,
            [address as u64, 0, request.bytes as u64, found, 0],
        );
    }
}

/// See malloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc(bytes: usize) -> Pointer {
    if bytes < THRESHOLD.load(Ordering::Relaxed) {
        return real::__libc_malloc(bytes);
    }
    large(Request { bytes, alignment: 0, origin: origin::MALLOC })
}

/// See calloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn calloc(count: usize, bytes: usize) -> Pointer {
    match count.checked_mul(bytes) {
        Some(total) if total >= THRESHOLD.load(Ordering::Relaxed) => {
            large(Request { bytes: total, alignment: 0, origin: origin::CALLOC })
        }
        _ => real::__libc_calloc(count, bytes),
    }
}

#[inline]
unsafe fn aligned(alignment: usize, bytes: usize) -> Pointer {
    if bytes < THRESHOLD.load(Ordering::Relaxed) {
        return real::__libc_memalign(alignment, bytes);
    }
    large(Request { bytes, alignment, origin: origin::ALIGNED })
}

/// See memalign(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn memalign(alignment: usize, bytes: usize) -> Pointer {
    aligned(alignment, bytes)
}

/// See aligned_alloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aligned_alloc(alignment: usize, bytes: usize) -> Pointer {
    aligned(alignment, bytes)
}

/// See posix_memalign(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn posix_memalign(
    out: *mut Pointer,
    alignment: usize,
    bytes: usize,
) -> c_int {
    if !alignment.is_power_of_two() || !alignment.is_multiple_of(size_of::<Pointer>()) {
        return libc::EINVAL;
    }
    let errno = *libc::__errno_location();
    let block = aligned(alignment, bytes);
    *libc::__errno_location() = errno;
    if block.is_null() {
        return libc::ENOMEM;
    }
    *out = block;
    0
}

/// See valloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn valloc(bytes: usize) -> Pointer {
    if bytes < THRESHOLD.load(Ordering::Relaxed) {
        return real::__libc_valloc(bytes);
    }
    large(Request { bytes, alignment: arena::page_round(1), origin: origin::ALIGNED })
}

/// See pvalloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pvalloc(bytes: usize) -> Pointer {
    if bytes < THRESHOLD.load(Ordering::Relaxed) || bytes > isize::MAX as usize {
        return real::__libc_pvalloc(bytes);
    }
    large(Request {
        bytes: arena::page_round(bytes),
        alignment: arena::page_round(1),
        origin: origin::ALIGNED,
    })
}

/// See realloc(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn realloc(block: Pointer, bytes: usize) -> Pointer {
    if block.is_null() {
        return malloc(bytes);
    }
    if watched(block as usize) {
        return realloc_watched(block, bytes);
    }
    if bytes < THRESHOLD.load(Ordering::Relaxed) {
        return real::__libc_realloc(block, bytes);
    }
    let moved = real::__libc_realloc(block, bytes);
    if !moved.is_null()
        && let Some(_inside) = real::enter()
    {
        track(moved as usize, &Request { bytes, alignment: 0, origin: origin::REALLOC });
    }
    moved
}

/// See reallocarray(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn reallocarray(block: Pointer, count: usize, bytes: usize) -> Pointer {
    match count.checked_mul(bytes) {
        Some(total) => realloc(block, total),
        None => {
            *libc::__errno_location() = libc::ENOMEM;
            std::ptr::null_mut()
        }
    }
}

#[cold]
#[inline(never)]
unsafe fn realloc_watched(block: Pointer, bytes: usize) -> Pointer {
    let Some(inside) = real::enter() else { return real::__libc_realloc(block, bytes) };
    let known = BLOCKS.with(|blocks| {
        blocks.at(block as usize).map(|found| (found.role, found.bytes, found.rule))
    });
    match known {
        None | Some((Role::Device, ..)) => real::__libc_realloc(block, bytes),
        Some((Role::Host, ..)) => {
            if config::current_mode() == mode::PROFILE {
                tracer::event(kind::HOST_REALLOC, 0, [block as u64, 0, 0, 0, 0]);
            }
            BLOCKS.with(|blocks| forget_host(blocks, block as usize));
            unwatch(block as usize);
            let moved = real::__libc_realloc(block, bytes);
            let kept = if moved.is_null() { block as usize } else { moved as usize };
            if !moved.is_null() && bytes >= THRESHOLD.load(Ordering::Relaxed) {
                track(kept, &Request { bytes, alignment: 0, origin: origin::REALLOC });
            }
            moved
        }
        Some((Role::Pages | Role::Merged, old, rule)) => {
            // Own pages cannot grow in place; glibc memory takes over and the rule ends here.
            if bytes == 0 {
                drop(inside);
                free(block);
                return std::ptr::null_mut();
            }
            let moved = real::__libc_malloc(bytes);
            if moved.is_null() {
                return moved;
            }
            guard::before_host_use(block as usize);
            std::ptr::copy_nonoverlapping(block as *const u8, moved as *mut u8, old.min(bytes));
            config::fault(rule as usize, echo_runtime::wire::fault::FREED_IN_WINDOW);
            drop(inside);
            free(block);
            moved
        }
    }
}

/// Takes a host block out of the table and of its rule's waiting list. Its device buffer, if that
/// lives on, waits for the next host buffer (a fresh result array per round, say).
pub(crate) fn forget_host(blocks: &mut crate::blocks::Blocks, address: usize) -> Option<Block> {
    let block = blocks.remove(address)?;
    if block.rule != NO_RULE {
        blocks.due[block.rule as usize].host.remove(address);
        if block.partner != 0
            && let Some(device) = blocks.at(block.partner)
        {
            device.partner = 0;
            blocks.due[block.rule as usize].device.push(block.partner);
        }
    }
    Some(block)
}

/// See free(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(block: Pointer) {
    if !watched(block as usize) {
        return real::__libc_free(block);
    }
    free_watched(block);
}

#[cold]
#[inline(never)]
unsafe fn free_watched(block: Pointer) {
    let Some(_inside) = real::enter() else {
        // A nested call frees only what a nested call allocated, which is always glibc's.
        return real::__libc_free(block);
    };
    let address = block as usize;
    let known = BLOCKS.with(|blocks| blocks.at(address).map(|found| found.role));
    match known {
        None | Some(Role::Device) => real::__libc_free(block),
        Some(Role::Host) => {
            BLOCKS.with(|blocks| forget_host(blocks, address));
            unwatch(address);
            if config::current_mode() == mode::PROFILE {
                tracer::event(kind::HOST_FREE, 0, [address as u64, 0, 0, 0, 0]);
            }
            real::__libc_free(block);
        }
        Some(Role::Pages) => guard::free(address),
        Some(Role::Merged) => merge::free_host(address),
    }
}

/// See malloc_usable_size(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc_usable_size(block: Pointer) -> usize {
    static ORIGINAL: AtomicUsize = AtomicUsize::new(0);
    if watched(block as usize) {
        let own = BLOCKS.with(|blocks| {
            blocks
                .at(block as usize)
                .filter(|found| matches!(found.role, Role::Pages | Role::Merged))
                .map(|found| found.bytes)
        });
        if let Some(bytes) = own {
            return bytes;
        }
    }
    let mut address = ORIGINAL.load(Ordering::Acquire);
    if address == 0 {
        address = real::next(c"malloc_usable_size");
        ORIGINAL.store(address, Ordering::Release);
    }
    if address == 0 {
        return 0;
    }
    let call: unsafe extern "C" fn(Pointer) -> usize = std::mem::transmute(address);
    call(block)
}
