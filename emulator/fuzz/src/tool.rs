//! What `echo-fix` makes of a source.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

/// How to run it.
#[derive(Debug, Clone)]
pub struct Tool {
    /// The binary.
    pub binary: PathBuf,
    /// Value of `--target`.
    pub target: String,
}

/// What it said about one pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Name of the host side.
    pub host: String,
    /// Name of the device side.
    pub device: String,
    /// Condition of the headline; None: merged.
    pub declined: Option<String>,
}

/// Its answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// The source with all edits made.
    pub text: String,
    /// Verdicts by function.
    pub verdicts: BTreeMap<String, Vec<Verdict>>,
}

impl Tool {
    /// Whether devices of the target keep the host from managed memory while they work.
    pub fn exclusive(&self) -> bool {
        ["any-uma", "orin", "xavier"].contains(&self.target.as_str())
    }

    /// Transforms `file`, whose text is `text`.
    ///
    /// # Errors
    /// If the tool fails, drops an edit, or could not analyse the file.
    pub fn transform(&self, file: &Path, text: &str) -> Result<Answer> {
        let output = Command::new(&self.binary)
            .args(["--format", "json", "--min-size", "0", "--target", &self.target])
            .arg(file)
            .env_remove("ECHO_CONFIG")
            .output()
            .with_context(|| format!("cannot start {}", self.binary.display()))?;
        if output.status.code() != Some(0) {
            let errors = String::from_utf8_lossy(&output.stderr);
            bail!("echo-fix {}: {}\n{errors}", file.display(), output.status);
        }
        let report: Value = serde_json::from_slice(&output.stdout).context("echo-fix's report")?;
        if report["files"][0]["status"] != "analysed" || report["files"][0]["errors"] != 0 {
            bail!("echo-fix did not understand a generated source: {}", report["files"]);
        }
        let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
        let mut edits = Vec::new();
        for pair in report["pairs"].as_array().context("no pairs in the report")? {
            let word = |side: &str, key: &str| -> Result<String> {
                Ok(pair[side][key].as_str().with_context(|| format!("{side}.{key}"))?.to_owned())
            };
            let declined = match pair["verdict"].as_str() {
                Some("merge") => None,
                _ => Some(pair["objections"][0]["condition"].as_str().unwrap_or("none").to_owned()),
            };
            verdicts.entry(word("host", "function")?).or_default().push(Verdict {
                host: word("host", "name")?,
                device: word("device", "name")?,
                declined,
            });
            for edit in pair["edits"].as_array().into_iter().flatten() {
                let offset = |key: &str| edit[key].as_u64().and_then(|at| usize::try_from(at).ok());
                let (start, end) =
                    offset("start").zip(offset("end")).context("an edit without its range")?;
                let replacement = edit["replacement"].as_str().unwrap_or_default();
                edits.push((start, end, replacement.to_owned()));
            }
        }
        // Pairs may share an edit.
        edits.sort_unstable();
        edits.dedup();
        let mut text = text.to_owned();
        for (start, end, replacement) in edits.into_iter().rev() {
            text.replace_range(start..end, &replacement);
        }
        Ok(Answer { text, verdicts })
    }
}
