//! First and last acts of the emulated process.

use std::sync::atomic::{AtomicBool, Ordering};

use crate::{arena, config, program, race, random, trap, what_if};

static STARTED: AtomicBool = AtomicBool::new(false);

/// Whether the emulator is set up, so that heap calls of the program can be served.
pub(crate) fn started() -> bool {
    STARTED.load(Ordering::Relaxed)
}

/// Sets the emulator up, once.
pub(crate) fn ensure() {
    if STARTED.load(Ordering::Relaxed) {
        return;
    }
    config::read_environment();
    random::seed(config::config().seed);
    program::locate();
    arena::reserve();
    what_if::read_environment();
    trap::install();
    race::start(config::config().race);
    STARTED.store(true, Ordering::Relaxed);
}

extern "C" fn at_load() {
    ensure();
}

extern "C" fn at_exit() {
    what_if::print_links();
    race::print_summary();
    let code = race::exit_code();
    if code != 0 {
        trap::end(code);
    }
}

#[used]
#[unsafe(link_section = ".init_array")]
static INIT: extern "C" fn() = at_load;

#[used]
#[unsafe(link_section = ".fini_array")]
static FINI: extern "C" fn() = at_exit;
