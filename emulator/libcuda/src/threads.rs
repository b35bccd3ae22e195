//! Host threads, all on the one thread that there is: the function of a thread runs as a whole, when the thread is made
//! or, under the late and random schedules, not before somebody waits for it. A thread that itself has to wait for
//! another ends the process. The race detector takes all threads for the host.

use std::cell::Cell;
use std::collections::VecDeque;
use std::ffi::{c_int, c_void};

use crate::config::{Schedule, config};
use crate::global::Global;
use crate::trap::{Trap, trap};
use crate::{random, schedule};

type Start = unsafe extern "C" fn(*mut c_void) -> *mut c_void;

struct Thread {
    start: Start,
    argument: *mut c_void,
    begun: bool,
    result: *mut c_void,
}

struct State {
    threads: Vec<Thread>,
    waiting: VecDeque<usize>,
}

static STATE: Global<State> = Global::new(State { threads: Vec::new(), waiting: VecDeque::new() });

thread_local! {
    // Threads whose functions have begun and not ended.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

// Handles are numbers; 0 means no thread to the C++ library.
const FIRST_HANDLE: usize = 0x7EAD_0000;

fn run(thread: usize) {
    let (start, argument) = {
        let mut state = STATE.get();
        let thread = &mut state.threads[thread];
        if std::mem::replace(&mut thread.begun, true) {
            return;
        }
        (thread.start, thread.argument)
    };
    DEPTH.set(DEPTH.get() + 1);
    // SAFETY: the program's function with the argument it asked for.
    let result = unsafe { start(argument) };
    DEPTH.set(DEPTH.get() - 1);
    STATE.get().threads[thread].result = result;
}

// Runs a thread that has not begun; without one, whoever waits would wait for ever.
fn run_another(what: &str) {
    let next = STATE.get().waiting.pop_front();
    match next {
        Some(thread) => run(thread),
        None => trap(Trap::Unsupported, &format!("not supported: {what} between host threads")),
    }
}

/// Starts a thread.
///
/// # Safety
/// As of pthreads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_create(
    out: *mut usize,
    _attributes: *const c_void,
    start: Start,
    argument: *mut c_void,
) -> c_int {
    let thread = {
        let mut state = STATE.get();
        let (begun, result) = (false, std::ptr::null_mut());
        state.threads.push(Thread { start, argument, begun, result });
        state.threads.len() - 1
    };
    // SAFETY: the caller's promise.
    unsafe { *out = FIRST_HANDLE + thread };
    crate::start::ensure();
    let schedule = config().schedule;
    let later = match schedule {
        Schedule::Eager | Schedule::OthersFirst => false,
        Schedule::Late => true,
        Schedule::Random => random::below(2) == 0,
    };
    if later {
        STATE.get().waiting.push_back(thread);
    } else {
        run(thread);
        schedule::back_to_host();
    }
    0
}

/// Waits for a thread.
///
/// # Safety
/// As of pthreads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_join(thread: usize, result: *mut *mut c_void) -> c_int {
    let known = thread.checked_sub(FIRST_HANDLE).filter(|&t| t < STATE.get().threads.len());
    let Some(thread) = known else { return libc::ESRCH };
    STATE.get().waiting.retain(|&waiting| waiting != thread);
    run(thread);
    if !result.is_null() {
        // SAFETY: the caller's promise.
        unsafe { *result = STATE.get().threads[thread].result };
    }
    0
}

/// Lets a thread go: one that has not begun does it here, since nobody will wait for it.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_detach(thread: usize) -> c_int {
    let known = thread.checked_sub(FIRST_HANDLE).filter(|&t| t < STATE.get().threads.len());
    let Some(thread) = known else { return libc::ESRCH };
    STATE.get().waiting.retain(|&waiting| waiting != thread);
    run(thread);
    0
}

/// Not from a thread of the program: its function would have to be left in the middle.
#[unsafe(no_mangle)]
pub extern "C" fn pthread_exit(_result: *mut c_void) -> ! {
    trap(Trap::Unsupported, "not supported: pthread_exit")
}

/// Locks a mutex. One that is locked stays so until another thread has run.
///
/// # Safety
/// As of pthreads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_mutex_lock(mutex: *mut libc::pthread_mutex_t) -> c_int {
    loop {
        // SAFETY: the caller's promise.
        match unsafe { libc::pthread_mutex_trylock(mutex) } {
            libc::EBUSY => run_another("a mutex"),
            code => return code,
        }
    }
}

/// Waits for a condition: until another thread has run, which may be too early, as a waiter must expect.
///
/// # Safety
/// As of pthreads.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn pthread_cond_wait(
    _condition: *mut libc::pthread_cond_t,
    mutex: *mut libc::pthread_mutex_t,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        libc::pthread_mutex_unlock(mutex);
        run_another("a condition");
        pthread_mutex_lock(mutex)
    }
}

/// What `std::future` waits with, in the C++ library. True: not for lack of time.
///
/// # Safety
/// As of the C++ library.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn _ZNSt28__atomic_futex_unsigned_base19_M_futex_wait_untilEPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE(
    _base: *mut c_void,
    _place: *mut u32,
    _value: u32,
    _has_timeout: bool,
    _seconds: i64,
    _nanoseconds: i64,
) -> bool {
    run_another("a future");
    true
}

/// Gives way: to a thread that has not begun, if there is one.
#[unsafe(no_mangle)]
pub extern "C" fn sched_yield() -> c_int {
    let next = STATE.get().waiting.pop_front();
    if let Some(thread) = next {
        run(thread);
    }
    0
}

/// Whether code of a thread other than the first is running.
pub(crate) fn in_thread() -> bool {
    DEPTH.get() > 0
}
