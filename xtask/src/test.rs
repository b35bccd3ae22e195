//! `cargo xtask test`: everything a change must pass, in the order that fails soonest.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Result, bail};

use crate::setup::{self, Need};
use crate::{cross, machine, step};

/// Name, time limit in seconds, arguments of cargo. All use the same profile, so that dependencies are built once.
/// The AArch64 object is built before the last one, which tests it.
const STEPS: [(&str, u64, &[&str]); 3] = [
    ("format", 60, &["fmt", "--all", "--check"]),
    ("lints", 600, &["clippy", "--quiet", "--workspace", "--all-targets", "--", "-D", "warnings"]),
    ("tests", 1500, &["test", "--quiet", "--workspace"]),
];

/// Sets up what the tests need and runs all steps.
///
/// # Errors
/// At the first step that fails or exceeds its time limit.
pub(crate) fn run() -> Result<()> {
    let start = Instant::now();
    setup::ensure(Need::Tests)?;
    let mut environment = setup::environment();
    for (name, limit, arguments) in STEPS {
        if name == "tests"
            && let Some(object) = cross::object(&machine::look())?
        {
            environment.push(("ECHO_AARCH64_OBJECT", object.display().to_string()));
        }
        let mut cargo = Command::new("cargo");
        cargo.args(arguments).envs(environment.iter().map(|(name, value)| (name, value)));
        step::run(name, Duration::from_secs(limit), &mut cargo)?;
    }
    eprintln!("==> all: {:.0} s", start.elapsed().as_secs_f64());
    Ok(())
}

/// Builds the AArch64 object alone.
///
/// # Errors
/// If it cannot be built.
pub(crate) fn aarch64() -> Result<()> {
    setup::ensure(Need::Tests)?;
    match cross::object(&machine::look())? {
        Some(object) => println!("{}", object.display()),
        None => bail!("not built"),
    }
    Ok(())
}
