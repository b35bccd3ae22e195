//! `cargo xtask test`: everything a change must pass, in the order that fails soonest.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::setup::{self, Need};
use crate::step;

/// Name, time limit in seconds, arguments of cargo. All use the same profile, so that dependencies are built once.
const STEPS: [(&str, u64, &[&str]); 3] = [
    ("format", 60, &["fmt", "--all", "--check"]),
    ("lints", 600, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ("tests", 1200, &["test", "--quiet", "--workspace"]),
];

/// Sets up what the tests need and runs all steps.
///
/// # Errors
/// At the first step that fails or exceeds its time limit.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    setup::ensure(Need::Tests)?;
    let environment = setup::environment();
    for (name, limit, arguments) in STEPS {
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
        step::run(name, Duration::from_secs(limit), &mut cargo)?;
    }
    eprintln!("==> all: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}
