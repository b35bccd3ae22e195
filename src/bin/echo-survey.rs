//! `echo-survey`: how common is the copy between host and device in a list of repositories?

use std::process::ExitCode;

use clap::Parser;
use echo::survey::{Arguments, run};

fn main() -> ExitCode {
    match run(Arguments::parse()) {
        Ok(code) => code,
        Err(error) => {
            // The last word of a failed run; there is nowhere else to say it.
            #[expect(clippy::print_stderr, reason = "command line")]
            {
                eprintln!("echo-survey: {error:#}");
            }
            ExitCode::from(2)
        }
    }
}
