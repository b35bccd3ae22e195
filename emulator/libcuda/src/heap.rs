//! The C and C++ heap, for calls made by the program's own code; libraries keep theirs.

use std::arch::naked_asm;
use std::ffi::c_void;

use crate::arena::{self, Kind};
use crate::trap::{Trap, trap};
use crate::{config, program, race, schedule, start, what_if};

unsafe extern "C" {
    fn __libc_malloc(bytes: usize) -> *mut c_void;
    fn __libc_calloc(count: usize, bytes: usize) -> *mut c_void;
    fn __libc_realloc(block: *mut c_void, bytes: usize) -> *mut c_void;
    fn __libc_memalign(align: usize, bytes: usize) -> *mut c_void;
    fn __libc_free(block: *mut c_void);
}

// Each entry passes its caller's address and frame pointer on: they decide who called and name the allocation.
macro_rules! entry {
    ($($name:ident [$first:literal $second:literal] => $target:path;)*) => { $(
        /// Heap entry point; see the function it jumps to.
        #[unsafe(no_mangle)]
        #[unsafe(naked)]
        pub extern "C" fn $name() {
            naked_asm!(
                concat!("mov ", $first, ", [rsp]"),
                concat!("mov ", $second, ", rbp"),
                "jmp {target}",
                target = sym $target,
            )
        }
    )* };
}

entry! {
    malloc["rsi" "rdx"] => serve_malloc;
    calloc["rdx" "rcx"] => serve_calloc;
    realloc["rdx" "rcx"] => serve_realloc;
    posix_memalign["rcx" "r8"] => serve_posix_memalign;
    aligned_alloc["rdx" "rcx"] => serve_aligned;
    memalign["rdx" "rcx"] => serve_aligned;
    _Znwm["rsi" "rdx"] => serve_new;
    _Znam["rsi" "rdx"] => serve_new;
    _ZnwmRKSt9nothrow_t["rdx" "rcx"] => serve_new_nothrow;
    _ZnamRKSt9nothrow_t["rdx" "rcx"] => serve_new_nothrow;
    _ZnwmSt11align_val_t["rdx" "rcx"] => serve_new_aligned;
    _ZnamSt11align_val_t["rdx" "rcx"] => serve_new_aligned;
}

// Blocks below this are the program's odds and ends: C++ nodes and strings.
const SMALLEST_NEW: usize = 64;
const SMALLEST: usize = 4;

fn from_program(caller: usize) -> bool {
    start::started() && program::contains(caller) && config::config().host_arena
}

/// A guarded block for the program, or null where the arena has no room.
fn allocate(bytes: usize, align: usize, caller: usize, frame: usize) -> *mut c_void {
    let sequence = what_if::next_host();
    if let Some(address) = what_if::host_block(sequence, bytes as u64, false) {
        schedule::back_to_host();
        return address as *mut c_void;
    }
    match arena::allocate(Kind::Host, bytes as u64, align) {
        Some(address) => {
            arena::label(Kind::Host, Some(sequence), program::call_site(caller, frame));
            address as *mut c_void
        }
        None => std::ptr::null_mut(),
    }
}

unsafe extern "C" fn serve_malloc(bytes: usize, caller: usize, frame: usize) -> *mut c_void {
    if bytes >= SMALLEST && from_program(caller) {
        let block = allocate(bytes, 16, caller, frame);
        if !block.is_null() {
            return block;
        }
    }
    // SAFETY: libc's allocator under its own name.
    unsafe { __libc_malloc(bytes) }
}

unsafe extern "C" fn serve_calloc(
    count: usize,
    size: usize,
    caller: usize,
    frame: usize,
) -> *mut c_void {
    if let Some(bytes) = count.checked_mul(size)
        && bytes >= SMALLEST
        && from_program(caller)
    {
        let block = allocate(bytes, 16, caller, frame);
        if !block.is_null() {
            // SAFETY: a fresh block of that size.
            unsafe { std::ptr::write_bytes(block.cast::<u8>(), 0, bytes) };
            race::access(block as usize, bytes, true);
            return block;
        }
    }
    // SAFETY: libc's allocator under its own name.
    unsafe { __libc_calloc(count, size) }
}

unsafe extern "C" fn serve_realloc(
    block: *mut c_void,
    bytes: usize,
    caller: usize,
    frame: usize,
) -> *mut c_void {
    if block.is_null() {
        // SAFETY: same contract.
        return unsafe { serve_malloc(bytes, caller, frame) };
    }
    if !arena::contains(block as usize) {
        // SAFETY: the block is libc's.
        return unsafe { __libc_realloc(block, bytes) };
    }
    let Some(old) =
        arena::find(block as usize).filter(|old| old.live && old.base == block as usize)
    else {
        trap(Trap::Freed, "host: realloc of what is not a live block");
    };
    if bytes == 0 {
        release(block);
        return std::ptr::null_mut();
    }
    let mut fresh = allocate(bytes, 16, caller, frame);
    if fresh.is_null() {
        // SAFETY: libc's allocator under its own name.
        fresh = unsafe { __libc_malloc(bytes) };
    }
    if !fresh.is_null() {
        let kept = bytes.min(old.bytes as usize);
        race::copy(fresh as usize, block as usize, kept);
        // SAFETY: both blocks are at least `kept` bytes long and distinct.
        unsafe { std::ptr::copy_nonoverlapping(block.cast::<u8>(), fresh.cast::<u8>(), kept) };
        release(block);
    }
    fresh
}

unsafe extern "C" fn serve_posix_memalign(
    out: *mut *mut c_void,
    align: usize,
    bytes: usize,
    caller: usize,
    frame: usize,
) -> i32 {
    if !align.is_power_of_two() || !align.is_multiple_of(size_of::<usize>()) {
        return libc::EINVAL;
    }
    // SAFETY: the caller passes a place for the result.
    unsafe {
        *out = serve_aligned(align, bytes, caller, frame);
        if (*out).is_null() { libc::ENOMEM } else { 0 }
    }
}

unsafe extern "C" fn serve_aligned(
    align: usize,
    bytes: usize,
    caller: usize,
    frame: usize,
) -> *mut c_void {
    if bytes >= SMALLEST && align <= 4096 && align.is_power_of_two() && from_program(caller) {
        let block = allocate(bytes, align.max(16), caller, frame);
        if !block.is_null() {
            return block;
        }
    }
    // SAFETY: libc's allocator under its own name.
    unsafe { __libc_memalign(align, bytes) }
}

unsafe extern "C" fn serve_new_nothrow(
    bytes: usize,
    _tag: usize,
    caller: usize,
    frame: usize,
) -> *mut c_void {
    if bytes >= SMALLEST_NEW && from_program(caller) {
        let block = allocate(bytes, 16, caller, frame);
        if !block.is_null() {
            return block;
        }
    }
    // SAFETY: libc's allocator under its own name.
    unsafe { __libc_malloc(bytes) }
}

unsafe extern "C" fn serve_new(bytes: usize, caller: usize, frame: usize) -> *mut c_void {
    // SAFETY: same contract.
    let block = unsafe { serve_new_nothrow(bytes.max(1), 0, caller, frame) };
    if block.is_null() {
        trap(Trap::Fault, "host: operator new: no memory");
    }
    block
}

unsafe extern "C" fn serve_new_aligned(
    bytes: usize,
    align: usize,
    caller: usize,
    frame: usize,
) -> *mut c_void {
    // SAFETY: same contract.
    let block = unsafe { serve_aligned(align, bytes.max(1), caller, frame) };
    if block.is_null() {
        trap(Trap::Fault, "host: operator new: no memory");
    }
    block
}

/// Frees a block of the program or of a library.
fn release(block: *mut c_void) {
    if block.is_null() {
        return;
    }
    if !arena::contains(block as usize) {
        // SAFETY: the block is libc's.
        unsafe { __libc_free(block) };
        return;
    }
    match what_if::release(block as usize) {
        what_if::Release::NotUnified => {}
        what_if::Release::Kept => return,
        what_if::Release::Last => schedule::wait_for_all(),
    }
    if arena::kind_of(block as usize) == Kind::Device || !arena::free(block as usize) {
        trap(Trap::Freed, &format!("host: free({block:p}) of what is not a live block"));
    }
}

macro_rules! freeing {
    ($($name:ident($($rest:ident),*);)*) => { $(
        /// Frees what the heap entry points gave.
        ///
        /// # Safety
        /// As `free`.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(block: *mut c_void $(, $rest: usize)*) {
            $( let _ = $rest; )*
            release(block);
        }
    )* };
}

freeing! {
    free();
    cfree();
    _ZdlPv();
    _ZdaPv();
    _ZdlPvm(_bytes);
    _ZdaPvm(_bytes);
    _ZdlPvSt11align_val_t(_align);
    _ZdaPvSt11align_val_t(_align);
    _ZdlPvmSt11align_val_t(_bytes, _align);
    _ZdaPvmSt11align_val_t(_bytes, _align);
    _ZdlPvRKSt9nothrow_t(_tag);
    _ZdaPvRKSt9nothrow_t(_tag);
}

/// Usable size of a block in bytes.
///
/// # Safety
/// As libc's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    if arena::contains(block as usize) {
        return arena::find(block as usize).map_or(0, |block| block.bytes as usize);
    }
    // glibc keeps the size and three flags in the word before the block; a mapped block has a word less for its user.
    if block.is_null() {
        return 0;
    }
    const MAPPED: usize = 2;
    // SAFETY: a block of libc's allocator has its header before it.
    let header = unsafe { *block.cast::<usize>().sub(1) };
    let overhead = if header & MAPPED != 0 { 2 } else { 1 } * size_of::<usize>();
    (header & !7) - overhead
}
