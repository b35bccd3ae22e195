//! What the test programs share.

use std::io::Write as _;

use echo_emulator::{Error, Installation};

/// The emulator. None where this machine has no clang for it: then the test says, past the capture of test output, that
/// it did not run. `cargo xtask test` installs the compiler where it may.
pub(crate) fn installation(test: &str) -> Option<Installation> {
    match Installation::find() {
        Ok(installation) => Some(installation),
        Err(why @ Error::NoClang) => {
            let line = format!("\n**** SKIPPED, NOT TESTED: {test}: {why}\n");
            std::io::stderr().write_all(line.as_bytes()).expect("standard error");
            None
        }
        Err(why) => panic!("{why}"),
    }
}
