//! Set-up and checks: `cargo xtask --help`.

fn main() {}
