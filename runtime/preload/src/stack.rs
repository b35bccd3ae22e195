//! Remembered call stacks: a known stack is recognised by the stack words that the unwinder had to read to get
//! through it, so that a repeated call need not be unwound.

use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering::*};

use crate::site::{WALK, Walk};

const ENTRIES: usize = 256;
/// Stack words of one remembered stack: per frame its return address and one that links frames, and some
/// more that merely look the same.
const SLOTS: usize = 2 * WALK + 16;

/// Where a call stands: its stack pointer and frame pointer register.
#[derive(Clone, Copy)]
pub(crate) struct Here {
    stack: usize,
    frame: usize,
}

/// A remembered stack: valid only while every recorded stack word still has its value.
struct Entry {
    busy: AtomicU32,
    generation: AtomicU32,
    stack: AtomicUsize,
    frame: AtomicUsize,
    slots: AtomicUsize,
    hash: AtomicU64,
    at: [AtomicUsize; SLOTS],
    value: [AtomicUsize; SLOTS],
}

static CACHE: [Entry; ENTRIES] = [const {
    Entry {
        busy: AtomicU32::new(0),
        generation: AtomicU32::new(0),
        stack: AtomicUsize::new(0),
        frame: AtomicUsize::new(0),
        slots: AtomicUsize::new(0),
        hash: AtomicU64::new(0),
        at: [const { AtomicUsize::new(0) }; SLOTS],
        value: [const { AtomicUsize::new(0) }; SLOTS],
    }
}; ENTRIES];

/// The caller's registers.
#[inline(always)]
pub(crate) fn here() -> Here {
    let (stack, frame): (usize, usize);
    // SAFETY: reads two registers.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!("mov {}, rsp", out(reg) stack, options(nomem, nostack, preserves_flags));
        frame = 0; // return addresses lie where the unwind tables say, whatever rbp holds
    }
    // SAFETY: as above.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!("mov {}, sp", "mov {}, x29", out(reg) stack, out(reg) frame,
            options(nomem, nostack, preserves_flags));
    }
    Here { stack, frame }
}

fn index(here: Here) -> usize {
    (here.stack >> 4).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56
}

/// The hash remembered for this stack, if it is one that is known.
pub(crate) unsafe fn recall(here: Here, generation: u32) -> Option<u64> {
    for way in 0..4 {
        let entry = &CACHE[(index(here) + way) & (ENTRIES - 1)];
        if entry.stack.load(Relaxed) != here.stack || entry.generation.load(Relaxed) != generation {
            continue;
        }
        if entry.busy.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
            continue;
        }
        let slots = entry.slots.load(Relaxed);
        let same = slots > 0
            && entry.stack.load(Relaxed) == here.stack
            && entry.frame.load(Relaxed) == here.frame
            && (0..slots).all(|slot| {
                let address = entry.at[slot].load(Relaxed) as *const usize;
                // SAFETY: the recorded words lie above this frame on the same stack.
                *address == entry.value[slot].load(Relaxed)
            });
        let hash = entry.hash.load(Relaxed);
        entry.busy.store(0, Release);
        if same {
            return Some(hash);
        }
    }
    None
}

/// Remembers `hash` for the stack that `walk` went through, where `here` was the caller's place in it.
pub(crate) unsafe fn remember(here: Here, generation: u32, walk: &Walk, hash: u64) {
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let way = TURN.fetch_add(1, Relaxed) & 3;
    let entry = &CACHE[(index(here) + way) & (ENTRIES - 1)];
    if entry.busy.compare_exchange(0, 1, Acquire, Relaxed).is_err() {
        return;
    }
    let mut slots = Slots { entry, taken: 0 };
    let taken = if record(here, walk, &mut slots).is_some() { slots.taken } else { 0 };
    entry.stack.store(here.stack, Relaxed);
    entry.frame.store(here.frame, Relaxed);
    entry.generation.store(generation, Relaxed);
    entry.hash.store(hash, Relaxed);
    entry.slots.store(taken, Relaxed);
    entry.busy.store(0, Release);
}

/// The words recorded so far.
struct Slots<'a> {
    entry: &'a Entry,
    taken: usize,
}

impl Slots<'_> {
    /// Records a word; none if there is no room.
    fn push(&mut self, at: usize, value: usize) -> Option<()> {
        self.entry.at.get(self.taken)?.store(at, Relaxed);
        self.entry.value[self.taken].store(value, Relaxed);
        self.taken += 1;
        Some(())
    }
}

/// Records all return addresses where the unwinder found them, and all saved frame pointers that link two of
/// those frames. None if this stack must never be reused.
#[cfg(target_arch = "x86_64")]
unsafe fn record(here: Here, walk: &Walk, slots: &mut Slots<'_>) -> Option<()> {
    // A return address lies just below the CFA of the frame that returns.
    for frame in 0..walk.frames.saturating_sub(1) {
        let slot = walk.cfa[frame].wrapping_sub(8);
        if slot < here.stack {
            continue; // frames below `site` itself: the unwinding, not the program
        }
        if *(slot as *const usize) != walk.pc[frame] {
            return None; // a signal frame or an unusual convention
        }
        slots.push(slot, walk.pc[frame])?;
        if slot - 8 < here.stack {
            continue;
        }
        let saved = *((slot - 8) as *const usize);
        if saved > slot && saved == walk.cfa[frame + 1].wrapping_sub(16) {
            slots.push(slot - 8, saved)?;
        }
    }
    Some(())
}

/// AArch64 leaves it to each function where in its frame the return address is kept. The unwinder read it from
/// some word of that frame; all words that hold it are recorded, so that one is among them (a signed address,
/// FEAT_PAuth, differs in its upper bits only). The same for the caller's frame pointer, by which the unwinder
/// finds the bounds of frames of variable size. None if a return address is not found: then it was in a
/// register, as in a function that a signal interrupted.
#[cfg(target_arch = "aarch64")]
unsafe fn record(here: Here, walk: &Walk, slots: &mut Slots<'_>) -> Option<()> {
    /// Bits of an address that a signature leaves alone, with the smallest address space Linux gives (39 bits).
    const ADDRESS: usize = (1 << 39) - 1;
    /// Words looked through per stack at most.
    const LIMIT: usize = 1 << 13;
    let mut left = LIMIT;
    // The last frame walked tells where the one before it ends; what it returns to is not part of the identity.
    for frame in 0..walk.frames.saturating_sub(1) {
        let (low, high) = (walk.cfa[frame], walk.cfa[frame + 1]);
        if high <= here.stack {
            continue; // frames below `site` itself: the unwinding, not the program
        }
        let low = low.max(here.stack);
        left = left.checked_sub(high.checked_sub(low)? / 8)?;
        let (target, link) = (walk.pc[frame + 1], walk.fp[frame + 1]);
        if target == 0 && low == high {
            break; // the code at the frame's place says that it is the outermost
        }
        let mut found = false;
        for at in (low..high).step_by(8) {
            // SAFETY: between this frame and an outer one of the same stack.
            let value = *(at as *const usize);
            let returns = value & ADDRESS == target & ADDRESS;
            found |= returns;
            if returns || (link != 0 && value == link) {
                slots.push(at, value)?;
            }
        }
        if !found {
            return None;
        }
    }
    Some(())
}
