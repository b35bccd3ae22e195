//! The command line of `echo-survey`.

mod arguments;
mod progress;
mod prover;
mod results;
mod scan;

use std::process::ExitCode;

use arguments::Action;
pub use arguments::Arguments;

/// The run is complete.
const DONE: u8 = 0;
/// `compare`: the two runs differ.
const DIFFERENT: u8 = 1;
/// Some repositories have no numbers or only part of them.
const INCOMPLETE: u8 = 3;

/// Does what the arguments ask.
///
/// # Errors
/// Usage and input errors (exit code 2).
pub fn run(arguments: Arguments) -> anyhow::Result<ExitCode> {
    let code = match arguments.action {
        Some(Action::Compare(compare)) => results::compare(&compare)?,
        Some(Action::Merge(merge)) => results::merge(&merge)?,
        Some(Action::Report(report)) => results::report(&report)?,
        None => scan::scan(&arguments.scan)?,
    };
    Ok(ExitCode::from(code))
}
