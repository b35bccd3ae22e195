//! `cargo xtask demo`: from a bare machine to a patch.

use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::setup::{self, Need};
use crate::step;

/// Installs what echo-fix needs, builds it, and runs it on the demonstration program without changing it.
///
/// # Errors
/// If something cannot be installed, built or run.
pub(crate) fn run() -> Result<()> {
    setup::ensure(Need::Tool)?;
    let mut build = Command::new("cargo");
    build.args(["build", "--quiet", "--bin", "echo-fix"]);
    step::run("build echo-fix", Duration::from_secs(900), &mut build)?;
    let mut fix = Command::new("cargo");
    fix.args(["run", "--quiet", "--bin", "echo-fix", "--", "corpus/demo", "--dry-run"]);
    fix.envs(setup::environment());
    step::run("echo-fix corpus/demo --dry-run", Duration::from_secs(120), &mut fix)?;
    println!("{NEXT}");
    Ok(())
}

const NEXT: &str = "
Above: a patch (standard output) that merges two pairs of buffers, and why the third was declined (standard error).
Nothing was written. To try it on your own code:

  cargo install --path .                 # or use target/debug/echo-fix
  echo-fix path/to/src --dry-run         # show the patch
  echo-fix path/to/src --apply           # write it
  echo-fix --explain S1                  # what a condition means";
