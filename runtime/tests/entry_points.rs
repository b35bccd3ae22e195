//! The hand-written entry to `dlsym` assembles for both machines. Whether it works is tested by running it: on
//! x86-64 in all tests of `echo-dr`, for AArch64 in an emulator of that machine (`tests/dr_aarch64.rs`) where
//! `cargo xtask test` can build the object; this test needs no more than clang.
#![allow(clippy::print_stderr)] // says what a machine lacks

use std::io::Write;
use std::process::{Command, Stdio};

/// The source with the names that the compiler would put in.
fn source(file: &str) -> String {
    let text =
        std::fs::read_to_string(format!("{}/preload/src/{file}", env!("CARGO_MANIFEST_DIR")))
            .unwrap();
    text.replace("{hook}", "answer").replace("{real}", "original")
}

fn assemble(compiler: &str, arguments: &[&str], text: &str) -> Result<(), String> {
    let output = tempfile::NamedTempFile::new().unwrap();
    let mut child = Command::new(compiler)
        .args(arguments)
        .args(["-c", "-x", "assembler", "-", "-o"])
        .arg(output.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| error.to_string())?;
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let done = child.wait_with_output().unwrap();
    if done.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&done.stderr).into_owned())
    }
}

#[test]
fn x86_64() {
    if cfg!(target_arch = "x86_64") {
        let text = format!(".intel_syntax noprefix\n{}", source("dlsym_x86_64.s"));
        assemble("cc", &[], &text).unwrap();
    }
}

#[test]
fn aarch64() {
    let compilers = ["clang-22", "clang"];
    let found = compilers.iter().find(|name| Command::new(name).arg("--version").output().is_ok());
    let Some(compiler) = found else {
        eprintln!("no clang here: nothing tested");
        return;
    };
    let target = ["-target", "aarch64-linux-gnu"];
    let text = source("dlsym_aarch64.s");
    assemble(compiler, &target, &text).unwrap();
    assert!(
        assemble(compiler, &target, &text.replace("cbz", "cbx")).is_err(),
        "the check must be able to fail"
    );
}
