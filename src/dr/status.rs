//! How echo-dr ends: as the program did, or with a status of its own.

use std::os::unix::process::ExitStatusExt;
use std::process::{ExitCode, ExitStatus};

use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{SigHandler, Signal, raise, signal};

/// echo-dr itself failed.
pub const OWN_FAILURE: u8 = 125;
/// The program cannot be executed.
pub(crate) const NOT_EXECUTABLE: u8 = 126;
/// The program was not found.
pub(crate) const NOT_FOUND: u8 = 127;

/// How this process is to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// With this status.
    Code(u8),
    /// As the program ended.
    Like(ExitStatus),
}

/// Ends as told: with a status, or by the signal that ended the program.
pub fn finish(end: End) -> ExitCode {
    match end {
        End::Code(code) => ExitCode::from(code),
        End::Like(status) => match (status.code(), status.signal()) {
            (Some(code), _) => ExitCode::from(u8::try_from(code).unwrap_or(OWN_FAILURE)),
            (None, Some(number)) => {
                die_by(number);
                ExitCode::from(u8::try_from(128 + number).unwrap_or(OWN_FAILURE))
            }
            (None, None) => ExitCode::from(OWN_FAILURE),
        },
    }
}

/// Ends this process by a signal, without a second core file.
#[allow(unsafe_code)]
fn die_by(number: i32) {
    let Ok(number) = Signal::try_from(number) else { return };
    let _ = setrlimit(Resource::RLIMIT_CORE, 0, 0);
    // SAFETY: the default action runs no code of ours.
    let _ = unsafe { signal(number, SigHandler::SigDfl) };
    let _ = raise(number);
}

/// In words.
pub(crate) fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(0), _) => "ended normally".to_owned(),
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(number)) => match Signal::try_from(number) {
            Ok(name) => format!("was ended by {name}"),
            Err(_) => format!("was ended by signal {number}"),
        },
        (None, None) => "ended in an unknown way".to_owned(),
    }
}
