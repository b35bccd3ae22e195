//! Set-up and checks that any developer can run: `cargo xtask help`.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod cross;
mod demo;
mod emu;
mod machine;
mod setup;
mod step;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
usage: cargo xtask COMMAND

  demo    installs what echo-fix needs, builds it, and shows a patch for the program in corpus/demo
  test    installs what the tests need and runs everything: format, lints, tests
  emu     runs CUDA programs on the CPU: `emu run FILE.cu [ARGUMENTS]`, `emu compare A.cu B.cu`, `emu help`
  fuzz    runs echo-fix on generated programs and compares what it makes of them: `fuzz --minutes N --seed S`,
          `fuzz --long` for 6 minutes from the programs of the tests on, `fuzz --mutants N`
  aarch64 builds echo-dr's preloaded object for AArch64 on another machine
  help    this page

The commands install packages with apt when run as root on Debian or Ubuntu, and otherwise keep to target/.
On a machine that has everything they install nothing.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["demo"] => demo::run(),
        ["test"] => test::run(),
        ["aarch64"] => test::aarch64(),
        ["help" | "-h" | "--help"] | [] => {
            println!("{HELP}");
            Ok(())
        }
        ["emu", rest @ ..] => {
            return emu::run(rest).unwrap_or_else(|why| {
                eprintln!("xtask: {why:#}");
                ExitCode::FAILURE
            });
        }
        ["fuzz", rest @ ..] => {
            return emu::fuzz(rest).unwrap_or_else(|why| {
                eprintln!("xtask: {why:#}");
                ExitCode::FAILURE
            });
        }
        unknown => {
            eprintln!("xtask: unknown command `{}`\n\n{HELP}", unknown.join(" "));
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why:#}");
            ExitCode::FAILURE
        }
    }
}
