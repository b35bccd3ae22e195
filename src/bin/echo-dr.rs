//! `echo-dr`: merges host and device buffers of an unmodified CUDA program at run time.

use std::process::ExitCode;

use clap::Parser;
use echo::dr::{Arguments, OWN_FAILURE, finish, perform, start_failure};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Status 2, clap's own, could be the program's.
            let failed = error.use_stderr();
            let _ = error.print();
            return if failed { ExitCode::from(OWN_FAILURE) } else { ExitCode::SUCCESS };
        }
    };
    match perform(arguments) {
        Ok(end) => finish(end),
        Err(error) => {
            // The last word of a failed run; there is nowhere else to say it.
            #[expect(clippy::print_stderr, reason = "command line")]
            {
                eprintln!("echo-dr: {error:#}");
            }
            ExitCode::from(start_failure(&error).unwrap_or(OWN_FAILURE))
        }
    }
}
