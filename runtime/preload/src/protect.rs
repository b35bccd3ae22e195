//! Guard by PROT_NONE and SIGSEGV: the portable fallback, blind to system calls and to threads that
//! the kernel kills for a fault with SIGSEGV blocked (see `signals` and `inout` for what covers that).

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use echo_runtime::wire::fault;

use crate::arena::{self, OPEN};
use crate::real::Pointer;
use crate::signals;

static ACTIVE: AtomicBool = AtomicBool::new(false);
/// The program's own handling of SIGSEGV, run for faults that are not ours.
static PROGRAM_HANDLER: AtomicUsize = AtomicUsize::new(libc::SIG_DFL);
static PROGRAM_ACTION: Action = Action(UnsafeCell::new(None));

struct Action(UnsafeCell<Option<libc::sigaction>>);
// SAFETY: written only by the sigaction hook; a program that races its own sigaction calls for one
// signal gets one of the two actions, as it would without us.
unsafe impl Sync for Action {}

/// Whether PROT_NONE is the guard in use.
pub(crate) fn active() -> bool {
    ACTIVE.load(Ordering::Acquire)
}

/// Installs the handler.
pub(crate) unsafe fn start() -> bool {
    let mut action: libc::sigaction = std::mem::zeroed();
    action.sa_sigaction = on_fault as *const () as usize;
    action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK | libc::SA_NODEFER;
    let mut before: libc::sigaction = std::mem::zeroed();
    if signals::original_sigaction(libc::SIGSEGV, &action, &mut before) != 0 {
        return false;
    }
    set_program_action(&before);
    ACTIVE.store(true, Ordering::Release);
    true
}

/// Stops intercepting signals (in a forked child); the handler stays and chains.
pub(crate) fn forget() {
    ACTIVE.store(false, Ordering::Release);
}

/// Makes the range trap.
pub(crate) unsafe fn guard(address: usize, length: usize) -> bool {
    active() && libc::mprotect(address as Pointer, length, libc::PROT_NONE) == 0
}

/// Ends trapping.
pub(crate) unsafe fn unguard(address: usize, length: usize) {
    libc::mprotect(address as Pointer, length, libc::PROT_READ | libc::PROT_WRITE);
}

/// What the program believes is installed for SIGSEGV.
pub(crate) unsafe fn program_action() -> libc::sigaction {
    (*PROGRAM_ACTION.0.get()).unwrap_or_else(|| std::mem::zeroed())
}

/// Stores what the program wants installed for SIGSEGV.
pub(crate) unsafe fn set_program_action(action: &libc::sigaction) {
    *PROGRAM_ACTION.0.get() = Some(*action);
    PROGRAM_HANDLER.store(action.sa_sigaction, Ordering::Release);
}

unsafe extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, context: Pointer) {
    let address = (*info).si_addr() as usize;
    // A positive si_code is a fault; kill() and raise() have none that is ours.
    if (*info).si_code > 0
        && let Some(entry) = arena::holding(address)
    {
        if entry.state.load(Ordering::Acquire) == OPEN {
            arena::trapped(entry, fault::HOST_ACCESS);
        }
        // Closed meanwhile by another thread: the pages are (or will be) accessible; try again.
        unguard(entry.address.load(Ordering::Acquire), entry.bytes.load(Ordering::Acquire));
        return;
    }
    let handler = PROGRAM_HANDLER.load(Ordering::Acquire);
    if handler == libc::SIG_DFL || handler == libc::SIG_IGN {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        signals::original_sigaction(signal, &action, std::ptr::null_mut());
        if (*info).si_code <= 0 {
            libc::raise(signal);
        }
        return; // the faulting instruction runs again and ends the process as it would without us
    }
    let action = program_action();
    if action.sa_flags & libc::SA_SIGINFO != 0 {
        let call: extern "C" fn(libc::c_int, *mut libc::siginfo_t, Pointer) =
            std::mem::transmute(handler);
        call(signal, info, context);
    } else {
        let call: extern "C" fn(libc::c_int) = std::mem::transmute(handler);
        call(signal);
    }
}
