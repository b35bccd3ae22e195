//! `cargo xtask emu ...` and `cargo xtask fuzz ...`: the emulator and the fuzzer, built and started as processes of
//! their own.

use std::process::{Command, ExitCode};

use anyhow::{Context as _, Result, bail};

use crate::machine;

/// The compiler that the emulator needs; its name is also that of the program that [`ensure_clang`] looks for.
pub(crate) const CLANG: &str = "clang++-22";

/// Makes sure that the compiler is there.
///
/// # Errors
/// If it is not; the message says what to install.
pub(crate) fn ensure_clang() -> Result<()> {
    if machine::look().programs.contains(CLANG) {
        return Ok(());
    }
    bail!(
        "the emulator needs {CLANG}; as root: apt-get install clang-22
On Debian 12 and later it is in the security suite; elsewhere see https://apt.llvm.org for a package source."
    )
}

/// Builds the emulator and passes `words` on: `run FILE.cu [ARGUMENTS]`, `compare A.cu B.cu`, and their options.
/// The exit code is the emulator's.
///
/// # Errors
/// If the compiler is missing or cargo cannot be started.
pub(crate) fn run(words: &[&str]) -> Result<ExitCode> {
    ensure_clang()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--package", "echo-emulator", "--bin", "echo-emu", "--"])
        .args(words)
        .status()
        .context("cannot start cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}

/// Builds `echo-fix` and the fuzzer and passes `words` on: `--minutes N --seed S`, `--long`, and its other options. With
/// `--mutants`, that `echo-fix` can leave out checks. The exit code is the fuzzer's.
///
/// # Errors
/// If the compiler is missing or cargo cannot be started.
pub(crate) fn fuzz(words: &[&str]) -> Result<ExitCode> {
    ensure_clang()?;
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let build = ["build", "--quiet", "-p", "echo", "--bin", "echo-fix", "-p", "echo-emulator-fuzz"];
    let mutants = words.iter().any(|word| word.starts_with("--mutants"));
    let features: &[&str] = if mutants { &["--features", "echo/mutations"] } else { &[] };
    let built = Command::new(&cargo)
        .args(build)
        .args(["--bin", "echo-fuzz"])
        .args(features)
        .status()
        .context("cannot start cargo")?;
    if !built.success() {
        bail!("the fuzzer does not build");
    }
    let status = Command::new(cargo)
        .args(["run", "--quiet", "--package", "echo-emulator-fuzz", "--bin", "echo-fuzz", "--"])
        .args(words)
        .envs(crate::setup::environment())
        .status()
        .context("cannot start cargo")?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    Ok(ExitCode::from(code))
}
