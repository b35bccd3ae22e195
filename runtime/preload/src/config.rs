//! The control file (read once) and the outcome page (shared memory that outlives a kill).

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering};

use echo_runtime::wire::{self, control, mode, outcome, reason, state};

use crate::real;

/// Current mode; one of [`mode`]. Never goes back from `OFF`.
pub(crate) static MODE: AtomicU8 = AtomicU8::new(mode::OFF as u8);
/// Smallest tracked allocation; `usize::MAX` while nothing is tracked.
pub(crate) static THRESHOLD: AtomicUsize = AtomicUsize::new(usize::MAX);
/// The process is running its exit handlers.
pub(crate) static EXITING: AtomicBool = AtomicBool::new(false);

static WORDS: [AtomicU64; control::WORDS] = [const { AtomicU64::new(0) }; control::WORDS];
static PAGE: AtomicUsize = AtomicUsize::new(0);

/// One planned pair, as the control file gives it.
#[derive(Clone, Copy)]
pub(crate) struct Rule {
    pub(crate) host: u64,
    pub(crate) device: u64,
    pub(crate) bytes: usize,
    pub(crate) backend: u64,
    pub(crate) flags: u64,
}

/// The mode as the 64-bit value of the control file.
#[inline]
pub(crate) fn current_mode() -> u64 {
    u64::from(MODE.load(Ordering::Relaxed))
}

/// Stops all tracking; blocks already handed out stay valid.
pub(crate) fn pass_through(why: u64) {
    THRESHOLD.store(usize::MAX, Ordering::Relaxed);
    MODE.store(mode::OFF as u8, Ordering::Relaxed);
    set(outcome::REASON, why);
    let message = match why {
        reason::NONE | reason::EXECUTABLE | reason::ARGUMENTS | reason::CLAIMED => return,
        reason::DRIVER => "the driver is not the one the plan was made with; running unchanged",
        reason::DEVICE => "the GPU is not the one the plan was made with; running unchanged",
        reason::CONTROL => "the control file cannot be used; running unchanged",
        reason::TRACE => "the trace cannot be written; running unchanged",
        _ => "running unchanged",
    };
    real::say(&[message]);
}

/// A word of the control file.
#[inline]
pub(crate) fn word(index: usize) -> u64 {
    WORDS[index].load(Ordering::Relaxed)
}

/// Whether a bit of the control word `FLAGS` is set.
#[inline]
pub(crate) fn flag(bit: u64) -> bool {
    word(control::FLAGS) & bit != 0
}

/// Number of rules.
#[inline]
pub(crate) fn rule_count() -> usize {
    (word(control::RULES) as usize).min(wire::MAX_RULES)
}

/// Rule number `index`.
#[inline]
pub(crate) fn rule(index: usize) -> Rule {
    let base = control::FIRST_RULE + index * control::RULE_WORDS;
    Rule {
        host: word(base + control::RULE_HOST),
        device: word(base + control::RULE_DEVICE),
        bytes: word(base + control::RULE_BYTES) as usize,
        backend: word(base + control::RULE_BACKEND),
        flags: word(base + control::RULE_FLAGS),
    }
}

/// Reads the control file into the words; false if it is missing, short, or of another version.
pub(crate) unsafe fn read_control(path: *const libc::c_char) -> bool {
    let file = libc::open(path, libc::O_RDONLY | libc::O_CLOEXEC);
    if file < 0 {
        return false;
    }
    let wanted = control::WORDS * 8;
    let mut done = 0;
    while done < wanted {
        let target = (WORDS.as_ptr() as *mut u8).add(done);
        let got = libc::syscall(libc::SYS_read, file, target, wanted - done);
        if got <= 0 {
            break;
        }
        done += got as usize;
    }
    libc::close(file);
    done >= control::FIRST_RULE * 8
        && word(control::MAGIC) == wire::CONTROL_MAGIC
        && word(control::VERSION) == wire::VERSION
        && done >= (control::FIRST_RULE + rule_count() * control::RULE_WORDS) * 8
}

/// Maps the outcome page; without one the words go nowhere.
pub(crate) unsafe fn map_outcome(path: *const libc::c_char) {
    let file = libc::open(path, libc::O_RDWR | libc::O_CLOEXEC);
    if file < 0 {
        return;
    }
    let bytes = outcome::WORDS * 8;
    let mut status: libc::stat = std::mem::zeroed();
    if libc::fstat(file, &mut status) == 0 && status.st_size as usize >= bytes {
        let page = libc::mmap(
            std::ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file,
            0,
        );
        if page != libc::MAP_FAILED
            && (*(page as *const AtomicU64)).load(Ordering::Relaxed) == wire::OUTCOME_MAGIC
        {
            PAGE.store(page as usize, Ordering::Release);
        }
    }
    libc::close(file);
}

/// Forgets the outcome page (in a forked child).
pub(crate) fn drop_outcome() {
    PAGE.store(0, Ordering::Release);
}

#[inline]
fn cell(index: usize) -> Option<&'static AtomicU64> {
    let page = PAGE.load(Ordering::Acquire);
    // SAFETY: the page holds `outcome::WORDS` words and is never unmapped.
    (page != 0 && index < outcome::WORDS)
        .then(|| unsafe { &*(page as *const AtomicU64).add(index) })
}

/// Adds to an outcome word and returns its new value.
#[inline]
pub(crate) fn add(index: usize, amount: u64) -> u64 {
    cell(index).map_or(0, |word| word.fetch_add(amount, Ordering::Relaxed).wrapping_add(amount))
}

/// Subtracts from an outcome word.
#[inline]
pub(crate) fn subtract(index: usize, amount: u64) {
    if let Some(word) = cell(index) {
        word.fetch_sub(amount, Ordering::Relaxed);
    }
}

/// Sets an outcome word.
#[inline]
pub(crate) fn set(index: usize, value: u64) {
    if let Some(word) = cell(index) {
        word.store(value, Ordering::Relaxed);
    }
}

/// Raises an outcome word to at least `value`.
pub(crate) fn raise(index: usize, value: u64) {
    if let Some(word) = cell(index) {
        word.fetch_max(value, Ordering::Relaxed);
    }
}

/// Reads an outcome word.
pub(crate) fn get(index: usize) -> u64 {
    cell(index).map_or(0, |word| word.load(Ordering::Relaxed))
}

/// Index of a word of rule `rule` in the outcome page.
#[inline]
pub(crate) fn of_rule(rule: usize, word: usize) -> usize {
    outcome::FIRST_RULE + rule * outcome::RULE_WORDS + word
}

/// Without an outcome page the rule faults are kept here, so that a faulted rule is always known.
static FAULTS: [AtomicU64; wire::MAX_RULES] = [const { AtomicU64::new(0) }; wire::MAX_RULES];

/// Records that a rule was violated; bit numbers are [`wire::fault`]. Safe in a signal handler.
pub(crate) fn fault(rule: usize, bit: u64) {
    if rule < wire::MAX_RULES {
        FAULTS[rule].fetch_or(1 << bit, Ordering::Relaxed);
        if let Some(word) = cell(of_rule(rule, outcome::RULE_FAULTS)) {
            word.fetch_or(1 << bit, Ordering::Relaxed);
        }
    }
}

/// Whether a rule has been violated in this process.
#[inline]
pub(crate) fn faulted(rule: usize) -> bool {
    rule >= wire::MAX_RULES || FAULTS[rule].load(Ordering::Relaxed) != 0
}

static CLAIM: AtomicU8 = AtomicU8::new(0);

/// Claims the outcome page for this process at its first planned buffer; false if another process
/// of the same run has it (then this one passes through).
pub(crate) fn claim() -> bool {
    match CLAIM.load(Ordering::Relaxed) {
        1 => return true,
        2 => return false,
        _ => {}
    }
    // SAFETY: getpid has no preconditions.
    let pid = unsafe { libc::getpid() } as u64;
    let won = cell(outcome::PID).is_none_or(|word| {
        word.compare_exchange(0, pid, Ordering::AcqRel, Ordering::Acquire).is_ok()
            || word.load(Ordering::Acquire) == pid
    });
    CLAIM.store(if won { 1 } else { 2 }, Ordering::Relaxed);
    if won {
        set(outcome::STATE, state::ACTIVE);
        set(outcome::REASON, reason::NONE);
    } else {
        THRESHOLD.store(usize::MAX, Ordering::Relaxed);
        MODE.store(mode::OFF as u8, Ordering::Relaxed);
    }
    won
}

/// Whether this process owns the outcome page.
pub(crate) fn claimed() -> bool {
    CLAIM.load(Ordering::Relaxed) == 1
}

/// A forked child owns nothing.
pub(crate) fn drop_claim() {
    CLAIM.store(2, Ordering::Relaxed);
}
