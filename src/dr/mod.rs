//! The command line of `echo-dr`: the merge on unmodified binaries (docs/dr.md).

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "command line")]

mod analyze;
mod arguments;
mod auto;
mod doctor;
mod preload;
mod profile;
mod report;
mod run;
mod session;
mod status;
mod trials;
mod validate;

pub use arguments::{Arguments, Command};
pub use status::{End, OWN_FAILURE, finish};

/// Performs a command and returns how this process is to end.
///
/// # Errors
/// What keeps echo-dr itself from working; the program's own failures are a normal end.
pub fn perform(arguments: Arguments) -> anyhow::Result<End> {
    match arguments.command {
        Command::Doctor(options) => doctor::doctor(&options),
        Command::Profile(options) => profile::profile(&options),
        Command::Analyze(options) => analyze::analyze(&options),
        Command::Run(options) => run::run(&options),
        Command::Auto(options) => auto::auto(&options),
    }
}

/// The exit status for a program that could not be started: 127 not found, 126 not executable.
pub fn start_failure(error: &anyhow::Error) -> Option<u8> {
    error.downcast_ref::<session::NotStarted>().map(|failure| failure.code)
}
