//! Stacks of their own for the threads of a block, and the switch between them.

use std::arch::naked_asm;

/// Bytes of stack per GPU thread. Touched pages only cost memory; the lowest page is a guard.
const STACK: usize = 512 << 10;

/// A suspended point of execution.
pub(crate) struct Fiber {
    /// Where it goes on; meaningless while it runs.
    pub(crate) stack_pointer: *mut usize,
    stack: *mut u8,
    /// Bytes at the top that stay unused: stacks that all end at one offset within a page would compete for the same
    /// few places of the cache.
    unused: usize,
}

impl Fiber {
    /// The fiber number `index`, with a fresh stack.
    pub(crate) fn new(index: usize) -> Self {
        // SAFETY: a fresh anonymous mapping whose lowest page is then closed.
        let stack = unsafe {
            let stack = libc::mmap(
                std::ptr::null_mut(),
                STACK,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            );
            assert!(stack != libc::MAP_FAILED, "no address space for the stack of a GPU thread");
            libc::mprotect(stack, 4096, libc::PROT_NONE);
            stack.cast::<u8>()
        };
        Self { stack_pointer: std::ptr::null_mut(), stack, unused: index % 512 * 64 }
    }

    /// Where its stack begins, for [`start`].
    pub(crate) fn top(&self) -> *mut usize {
        // SAFETY: a place in this fiber's stack; a multiple of 64 as all terms are.
        unsafe { self.stack.add(STACK - 64 - self.unused).cast::<usize>() }
    }
}

/// Saves as [`switch`] does, and calls `entry` on the stack that begins at `top`. The processor knows where a jump goes
/// that it has seen before; a return to a place that nobody called it would predict wrongly.
///
/// # Safety
/// `top` must be that of a fiber that is not in use.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn start(
    save: *mut *mut usize,
    top: *mut usize,
    entry: extern "C" fn() -> !,
) {
    // On entry the stack pointer is 8 modulo 16, as after a call.
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "xor ebp, ebp",
        "push 0",
        "jmp rdx",
    )
}

/// Saves the callee-saved registers and the stack pointer to `save`, and goes on where `to` was saved.
///
/// # Safety
/// `to` must have been saved by this function or [`start`], and not be in use.
#[unsafe(naked)]
pub(crate) unsafe extern "C" fn switch(save: *mut *mut usize, to: *mut usize) {
    naked_asm!(
        "push rbp",
        "push rbx",
        "push r12",
        "push r13",
        "push r14",
        "push r15",
        "mov [rdi], rsp",
        "mov rsp, rsi",
        "pop r15",
        "pop r14",
        "pop r13",
        "pop r12",
        "pop rbx",
        "pop rbp",
        "ret",
    )
}
