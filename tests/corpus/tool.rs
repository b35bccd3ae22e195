//! Runs the `echo-fix` built beside this test.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::Failed;
use serde_json::Value;

use crate::markers::Configuration;

/// Output of a run for people.
pub struct Text {
    /// Standard output: a unified diff.
    pub patch: Vec<u8>,
    /// Standard error: the report.
    pub report: Vec<u8>,
}

/// Has the precompiled prefix built that a run on a single fixture only uses (`tests/fix_prefix.rs` compares both ways).
pub fn fill_cache() {
    // What it finds is not looked at here.
    let _ = run(Path::new("corpus/merge"), &["--dry-run"]);
}

/// The JSON report on a fixture.
pub fn report(fixture: &Path, configuration: &Configuration) -> Result<Value, Failed> {
    let mut arguments = configuration.flags();
    arguments.extend(["--format", "json"]);
    let output = run(fixture, &arguments)?;
    serde_json::from_slice(&output.stdout).map_err(|why| format!("standard output: {why}").into())
}

/// The patch and the report for people, in the standard configuration.
pub fn text(fixture: &Path) -> Result<Text, Failed> {
    let output = run(fixture, &["--dry-run"])?;
    Ok(Text { patch: output.stdout, report: output.stderr })
}

/// Applies the patch to a copy of the fixture: the copy must be what the edits say, without new errors, and leave nothing to do.
pub fn apply_twice(fixture: &Path, configuration: &Configuration) -> Result<(), Failed> {
    let with = |more: &[&'static str]| [&configuration.flags()[..], more].concat();
    // Outside the repository, whose `.gitignore` would hide the copy from the tool.
    let root = std::env::temp_dir().join(format!("echo-corpus-{}", std::process::id()));
    let folder = root.join(fixture);
    fs::create_dir_all(&folder)?;
    let files: Vec<PathBuf> = if fixture.is_dir() {
        fs::read_dir(fixture)?
            .map(|entry| Ok(entry?.path()))
            .collect::<Result<_, std::io::Error>>()?
    } else {
        vec![fixture.to_owned()]
    };
    for file in &files {
        fs::copy(file, folder.join(file.file_name().ok_or("a path without a name")?))?;
    }
    let first = json(run(&folder, &with(&["--format", "json", "--apply", "--allow-dirty"]))?)?;
    for file in &files {
        let copy = folder.join(file.file_name().ok_or("a path without a name")?);
        if fs::read(&copy)? != edited(file, &copy, &first)? {
            return Err(format!("{} is not what the edits say", copy.display()).into());
        }
    }
    let second = json(run(&folder, &with(&["--format", "json"]))?)?;
    if second["patch"].as_str() != Some("") {
        return Err(format!("a second run is not empty:\n{}", second["patch"]).into());
    }
    let errors = |report: &Value| -> Vec<u64> {
        let files = report["files"].as_array().map_or(&[][..], Vec::as_slice);
        files.iter().map(|file| file["errors"].as_u64().unwrap_or(u64::MAX)).collect()
    };
    if errors(&second) != errors(&first) {
        return Err(
            format!("errors before {:?}, after {:?}", errors(&first), errors(&second)).into()
        );
    }
    fs::remove_dir_all(&folder)?;
    Ok(())
}

/// The original's bytes with all edits of the report on `copy` made.
fn edited(original: &Path, copy: &Path, report: &Value) -> Result<Vec<u8>, Failed> {
    let mut edits = Vec::new();
    for edit in report["pairs"]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|pair| pair["edits"].as_array())
        .flatten()
    {
        // Shown as seen from the working folder, which may lie beside the copy.
        let file = edit["file"].as_str().unwrap_or_default();
        if fs::canonicalize(file).ok() == fs::canonicalize(copy).ok() {
            let offset = |key: &str| edit[key].as_u64().and_then(|at| usize::try_from(at).ok());
            let range = offset("start").zip(offset("end")).ok_or("an edit without its range")?;
            edits.push((range.0, range.1, edit["replacement"].as_str().unwrap_or_default()));
        }
    }
    // Pairs may share an edit.
    edits.sort_unstable();
    edits.dedup();
    let mut text = fs::read(original)?;
    for (start, end, replacement) in edits.into_iter().rev() {
        text.splice(start..end, replacement.bytes());
    }
    Ok(text)
}

fn json(output: Output) -> Result<Value, Failed> {
    serde_json::from_slice(&output.stdout).map_err(|why| format!("standard output: {why}").into())
}

fn run(fixture: &Path, arguments: &[&str]) -> Result<Output, Failed> {
    let binary =
        option_env!("CARGO_BIN_EXE_echo-fix").ok_or("this package builds no `echo-fix`")?;
    let output = Command::new(binary)
        .arg(fixture)
        .args(["--min-size", "0"])
        .args(arguments)
        // The user's own cache and configuration stay out of it.
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"))
        .env_remove("ECHO_CONFIG")
        .output()?;
    if output.status.code() != Some(0) {
        let stderr = String::from_utf8_lossy(&output.stderr);
        return Err(format!(
            "echo-fix {} {arguments:?}: {}\n{stderr}",
            fixture.display(),
            output.status
        )
        .into());
    }
    Ok(output)
}
