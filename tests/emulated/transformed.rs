//! What `echo-fix` makes of a fixture, and what it declines.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;
use serde_json::Value;

use crate::markers::Configuration;

/// A transformed fixture.
pub struct Transformed {
    /// The changed copy: a file or a folder.
    pub place: PathBuf,
    /// The patch.
    pub text: Vec<u8>,
}

/// A declined pair.
pub struct Decline {
    /// `host/device`.
    pub names: String,
    /// Conditions of all objections, headline first.
    pub conditions: Vec<String>,
    /// Lines of the two allocations.
    pub lines: (u64, u64),
}

/// Whether a device of the configuration's target keeps the host from managed memory while it works.
pub fn is_exclusive(configuration: &Configuration) -> bool {
    let managed = configuration.memory.as_deref().is_none_or(|memory| memory == "managed");
    managed && ["any-uma", "orin", "xavier"].contains(&configuration.target.as_str())
}

/// The tool's report on a fixture.
pub fn report(fixture: &Path, configuration: &Configuration) -> Result<Value, Failed> {
    let mut arguments = configuration.flags();
    arguments.extend(["--format", "json"]);
    json(fixture, &arguments)
}

/// A changed copy of the fixture; None if the tool changes nothing.
pub fn make(
    fixture: &Path,
    configuration: &Configuration,
    report: &Value,
) -> Result<Option<Transformed>, Failed> {
    let patch = report["patch"].as_str().unwrap_or_default();
    if patch.is_empty() {
        return Ok(None);
    }
    let root = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let root = root.join("emulated").join(configuration.to_string());
    for file in crate::files(fixture) {
        let copy = root.join(&file);
        fs::create_dir_all(copy.parent().ok_or("a path without a folder")?)?;
        fs::write(copy, edited(&file, report)?)?;
    }
    Ok(Some(Transformed { place: root.join(fixture), text: patch.as_bytes().to_vec() }))
}

/// The file with the edits of all merged pairs made. (That `--apply` does just this is tested in `corpus.rs`.)
fn edited(file: &Path, report: &Value) -> Result<Vec<u8>, Failed> {
    let pairs = report["pairs"].as_array().ok_or("no pairs in the report")?;
    let edits = pairs.iter().filter_map(|pair| pair["edits"].as_array()).flatten();
    let mut here = Vec::new();
    for edit in edits.filter(|edit| edit["file"].as_str().map(Path::new) == Some(file)) {
        let offset = |key: &str| edit[key].as_u64().and_then(|at| usize::try_from(at).ok());
        let (start, end) = offset("start").zip(offset("end")).ok_or("an edit without its range")?;
        here.push((start, end, edit["replacement"].as_str().unwrap_or_default()));
    }
    // Pairs may share an edit.
    here.sort_unstable();
    here.dedup();
    let mut text = fs::read(file)?;
    for (start, end, replacement) in here.into_iter().rev() {
        text.splice(start..end, replacement.bytes());
    }
    Ok(text)
}

/// The pairs that the report declines.
pub fn declines(report: &Value) -> Result<Vec<Decline>, Failed> {
    let pairs = report["pairs"].as_array().ok_or("no pairs in the report")?;
    let declined = pairs.iter().filter(|pair| pair["verdict"] == "decline");
    let side = |pair: &Value, side: &str| -> Option<(String, u64)> {
        Some((pair[side]["name"].as_str()?.to_owned(), pair[side]["line"].as_u64()?))
    };
    let read = |pair: &Value| -> Option<Decline> {
        let ((host, host_line), (device, device_line)) =
            (side(pair, "host")?, side(pair, "device")?);
        let objections = pair["objections"].as_array()?.iter();
        let condition = |objection: &Value| objection["condition"].as_str().map(str::to_owned);
        Some(Decline {
            names: format!("{host}/{device}"),
            conditions: objections.filter_map(condition).collect(),
            lines: (host_line, device_line),
        })
    };
    declined.map(|pair| read(pair).ok_or_else(|| format!("cannot read {pair}").into())).collect()
}

fn json(fixture: &Path, arguments: &[&str]) -> Result<Value, Failed> {
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
    serde_json::from_slice(&output.stdout).map_err(|why| {
        let errors = String::from_utf8_lossy(&output.stderr);
        format!("echo-fix {}: {why}\n{errors}", fixture.display()).into()
    })
}
