//! `sigaction`, `signal` and the mask functions, so that the PROT_NONE guard keeps its handler: the
//! program's SIGSEGV action is stored and chained, and SIGSEGV is never blocked. In every other mode
//! they only pass through.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::{protect, real};

type SigactionFunction =
    unsafe extern "C" fn(c_int, *const libc::sigaction, *mut libc::sigaction) -> c_int;
type SignalFunction = unsafe extern "C" fn(c_int, usize) -> usize;
type MaskFunction =
    unsafe extern "C" fn(c_int, *const libc::sigset_t, *mut libc::sigset_t) -> c_int;

static SIGACTION: AtomicUsize = AtomicUsize::new(0);
static SIGNAL: AtomicUsize = AtomicUsize::new(0);
static SIGPROCMASK: AtomicUsize = AtomicUsize::new(0);
static PTHREAD_SIGMASK: AtomicUsize = AtomicUsize::new(0);

unsafe fn original(cache: &AtomicUsize, name: &CStr) -> usize {
    let known = cache.load(Ordering::Acquire);
    if known != 0 {
        return known;
    }
    let found = real::next(name);
    cache.store(found, Ordering::Release);
    found
}

/// Resolves all originals, at start.
pub(crate) unsafe fn resolve() {
    original(&SIGACTION, c"sigaction");
    original(&SIGNAL, c"signal");
    original(&SIGPROCMASK, c"sigprocmask");
    original(&PTHREAD_SIGMASK, c"pthread_sigmask");
}

/// The original `sigaction`.
pub(crate) unsafe fn original_sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    let address = original(&SIGACTION, c"sigaction");
    if address == 0 {
        return -1;
    }
    let call: SigactionFunction = std::mem::transmute(address);
    call(signal, new, old)
}

/// See sigaction(2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigaction(
    signal: c_int,
    new: *const libc::sigaction,
    old: *mut libc::sigaction,
) -> c_int {
    if signal == libc::SIGSEGV && protect::active() {
        let before = protect::program_action();
        if !new.is_null() {
            protect::set_program_action(&*new);
        }
        if !old.is_null() {
            *old = before;
        }
        return 0;
    }
    original_sigaction(signal, new, old)
}

/// See signal(2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn signal(number: c_int, handler: usize) -> usize {
    if number == libc::SIGSEGV && protect::active() {
        let before = protect::program_action().sa_sigaction;
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        protect::set_program_action(&action);
        return before;
    }
    let address = original(&SIGNAL, c"signal");
    if address == 0 {
        return libc::SIG_ERR;
    }
    let call: SignalFunction = std::mem::transmute(address);
    call(number, handler)
}

unsafe fn mask(
    cache: &AtomicUsize,
    name: &CStr,
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    let address = original(cache, name);
    if address == 0 {
        return libc::ENOSYS;
    }
    let call: MaskFunction = std::mem::transmute(address);
    if !set.is_null()
        && how != libc::SIG_UNBLOCK
        && protect::active()
        && libc::sigismember(set, libc::SIGSEGV) == 1
    {
        let mut without = *set;
        libc::sigdelset(&mut without, libc::SIGSEGV);
        return call(how, &without, old);
    }
    call(how, set, old)
}

/// See sigprocmask(2).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sigprocmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    mask(&SIGPROCMASK, c"sigprocmask", how, set, old)
}

/// See pthread_sigmask(3).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_sigmask(
    how: c_int,
    set: *const libc::sigset_t,
    old: *mut libc::sigset_t,
) -> c_int {
    mask(&PTHREAD_SIGMASK, c"pthread_sigmask", how, set, old)
}
