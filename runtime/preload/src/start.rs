//! Start, fork and end of the process.

use std::ffi::c_char;
use std::sync::atomic::{AtomicBool, Ordering};

use echo_runtime::wire::{
    FNV_START, control, fault, flag, fnv_bytes, kind, mode, outcome, reason, state,
};

use crate::arena::{self, ARENA, FREE};
use crate::blocks::{BLOCKS, Role};
use crate::config::{self, EXITING, MODE, THRESHOLD};
use crate::real::Pointer;
use crate::{guard, inout, protect, real, signals, streams, tracer, uffd};

#[used]
#[unsafe(link_section = ".init_array")]
static AT_LOAD: extern "C" fn() = at_load;

extern "C" fn at_load() {
    // SAFETY: runs once, before the program, on the only thread.
    unsafe { start() }
}

/// Resolves what hooks need and reads the control file. Without one everything passes through.
unsafe fn start() {
    static ONCE: AtomicBool = AtomicBool::new(false);
    if ONCE.swap(true, Ordering::AcqRel) {
        return;
    }
    let Some(_inside) = real::enter() else { return };
    real::find_dlsym();
    signals::resolve();
    inout::resolve();
    let switch = libc::getenv(c"ECHO_DR".as_ptr());
    if !switch.is_null() && std::ffi::CStr::from_ptr(switch).to_bytes() == b"off" {
        return;
    }
    let path = libc::getenv(c"ECHO_DR_CONTROL".as_ptr());
    if path.is_null() {
        return;
    }
    let page = libc::getenv(c"ECHO_DR_OUTCOME".as_ptr());
    if !page.is_null() {
        config::map_outcome(page);
    }
    if !config::read_control(path) {
        config::pass_through(reason::CONTROL);
        return;
    }
    if config::word(control::EXE_INO) != 0
        && executable() != (config::word(control::EXE_DEV), config::word(control::EXE_INO))
    {
        return;
    }
    if config::word(control::ARGV_HASH) != 0 && arguments_hash() != config::word(control::ARGV_HASH)
    {
        return;
    }
    if config::get(outcome::STATE) == 0 {
        config::set(outcome::STATE, state::LOADED);
    }
    config::set(outcome::STARTED, real::now());
    warm_unwinder();
    let wanted = config::word(control::MODE);
    if wanted == mode::VALIDATE {
        let used = if !config::flag(flag::FORCE_PROTECT) && uffd::start() {
            1
        } else if protect::start() {
            2
        } else {
            config::pass_through(reason::CONTROL);
            return;
        };
        config::set(outcome::GUARD, used);
    }
    libc::pthread_atfork(Some(before_fork), Some(after_fork_parent), Some(after_fork_child));
    libc::atexit(at_exit);
    THRESHOLD.store((config::word(control::THRESHOLD) as usize).max(1), Ordering::Relaxed);
    MODE.store(wanted as u8, Ordering::Release);
}

/// The unwinder loads and caches things at its first use; that must not be inside a hook.
unsafe fn warm_unwinder() {
    crate::site::site();
}

extern "C" fn at_exit() {
    EXITING.store(true, Ordering::Release);
    if !config::claimed() {
        return;
    }
    let Some(_inside) = real::enter() else { return };
    // SAFETY: the trace's own mappings.
    unsafe { tracer::finish() };
    config::set(outcome::ENDED, real::now());
    config::set(outcome::STATE, state::ENDED);
}

extern "C" fn before_fork() {
    BLOCKS.acquire();
}

extern "C" fn after_fork_parent() {
    BLOCKS.release();
    let Some(_inside) = real::enter() else { return };
    match config::current_mode() {
        mode::PROFILE => tracer::event(kind::FORK, 0, [0; 5]),
        // SAFETY: only sets fault bits.
        mode::VALIDATE => unsafe { guard::fault_live(fault::FORK) },
        _ => {}
    }
}

/// The child runs unchanged: its copies of own pages become private, everything passes through.
extern "C" fn after_fork_child() {
    BLOCKS.release();
    THRESHOLD.store(usize::MAX, Ordering::Relaxed);
    MODE.store(mode::OFF as u8, Ordering::Relaxed);
    config::drop_outcome();
    config::drop_claim();
    tracer::forget();
    uffd::forget();
    protect::forget();
    // SAFETY: the entries' pages are mapped; this is the only thread of the child.
    unsafe {
        for entry in ARENA.iter().filter(|entry| entry.state.load(Ordering::Acquire) != FREE) {
            arena::make_private(
                entry.address.load(Ordering::Acquire),
                entry.bytes.load(Ordering::Acquire),
            );
        }
        BLOCKS.with(|blocks| {
            for index in 0..blocks.length() {
                let block = *blocks.nth(index);
                if block.role == Role::Merged && block.mapped != 0 {
                    arena::make_private(block.address, block.mapped);
                }
            }
        });
    }
    let _ = streams::CAPTURES.swap(0, Ordering::Relaxed);
}

/// Device and inode number of the running executable.
pub(crate) unsafe fn executable() -> (u64, u64) {
    let link = c"/proc/self/exe".as_ptr();
    let mut status: libc::stat = std::mem::zeroed();
    // By the name that the link gives: an emulator of another machine answers with the program's name,
    // but to follow the link leads to the emulator.
    let mut path = [0 as c_char; libc::PATH_MAX as usize];
    let length = libc::readlink(link, path.as_mut_ptr(), path.len() - 1);
    let named = length > 0 && libc::stat(path.as_ptr(), &mut status) == 0;
    if !named && libc::stat(link, &mut status) != 0 {
        return (0, 0);
    }
    (status.st_dev, status.st_ino)
}

/// FNV-1a 64 of the command line with its separating zeros.
pub(crate) unsafe fn arguments_hash() -> u64 {
    let file = libc::open(c"/proc/self/cmdline".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
    if file < 0 {
        return 0;
    }
    let mut hash = FNV_START;
    let mut buffer = [0u8; 1024];
    loop {
        let got = libc::syscall(libc::SYS_read, file, buffer.as_mut_ptr() as Pointer, buffer.len());
        if got <= 0 {
            break;
        }
        hash = fnv_bytes(hash, &buffer[..got as usize]);
    }
    libc::close(file);
    hash
}
