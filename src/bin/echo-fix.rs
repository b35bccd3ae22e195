//! `echo-fix`: merges host and device buffers in CUDA sources.

use std::process::ExitCode;

fn main() -> ExitCode {
    echo::fix::main()
}
