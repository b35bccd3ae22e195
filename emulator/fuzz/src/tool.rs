//! What `echo-fix` makes of a source.

use std::collections::BTreeMap;
use std::ops::Range;
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
    /// Further arguments.
    pub arguments: Vec<String>,
}

/// What it said about one pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// Where the host side is allocated: file, and function.
    pub place: (String, String),
    /// Name of the host side.
    pub host: String,
    /// Name of the device side.
    pub device: String,
    /// Condition of the headline; None: merged.
    pub declined: Option<String>,
}

/// A change of the text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edit {
    /// First byte that is replaced.
    pub start: usize,
    /// One past the last byte that is replaced.
    pub end: usize,
    /// What stands there instead.
    pub replacement: String,
    /// The tool's name of the reason.
    pub step: String,
}

/// Its answer.
#[derive(Debug, Clone)]
pub struct Answer {
    /// Edits by the name of the file, without its folder, in the order in which the tool makes them.
    pub edits: BTreeMap<String, Vec<Edit>>,
    /// Its verdicts.
    pub verdicts: Vec<Verdict>,
}

impl Answer {
    /// The bytes `piece` of the `text` of a file with the edits made.
    #[must_use]
    pub fn apply(&self, file: &str, text: &str, piece: &Range<usize>) -> String {
        let mut changed = text[piece.clone()].to_owned();
        let edits = self.edits.get(file).into_iter().flatten();
        let inside = edits.filter(|edit| piece.start <= edit.start && edit.end <= piece.end);
        for edit in inside.rev() {
            let range = edit.start - piece.start..edit.end - piece.start;
            changed.replace_range(range, &edit.replacement);
        }
        changed
    }
}

impl Tool {
    /// The names of the checks that it can leave out.
    ///
    /// # Errors
    /// If it is not built with the feature `mutations`.
    pub fn checks(&self) -> Result<Vec<String>> {
        let output = Command::new(&self.binary)
            .arg("--list-checks")
            .output()
            .with_context(|| format!("cannot start {}", self.binary.display()))?;
        if !output.status.success() {
            bail!("{} is not built with the feature `mutations`", self.binary.display());
        }
        Ok(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect())
    }

    /// Whether devices of the target keep the host from managed memory while they work.
    pub fn exclusive(&self) -> bool {
        ["any-uma", "orin", "xavier"].contains(&self.target.as_str())
    }

    /// Has the tool look at a folder of sources, which are one program.
    ///
    /// # Errors
    /// If the tool fails or could not analyse a file.
    pub fn transform(&self, folder: &Path) -> Result<Answer> {
        let output = Command::new(&self.binary)
            .args(["--format", "json", "--min-size", "0", "--target", &self.target])
            .args(&self.arguments)
            .arg(".")
            .current_dir(folder)
            .env_remove("ECHO_CONFIG")
            .output()
            .with_context(|| format!("cannot start {}", self.binary.display()))?;
        if output.status.code() != Some(0) {
            let errors = String::from_utf8_lossy(&output.stderr);
            bail!("echo-fix: {}\n{errors}", output.status);
        }
        let report: Value = serde_json::from_slice(&output.stdout).context("echo-fix's report")?;
        for file in report["files"].as_array().context("no files in the report")? {
            if !is_understood(file) {
                bail!("echo-fix did not understand a generated source: {file}");
            }
        }
        let mut answer = Answer { edits: BTreeMap::new(), verdicts: Vec::new() };
        for pair in report["pairs"].as_array().context("no pairs in the report")? {
            answer.add(pair)?;
        }
        for edits in answer.edits.values_mut() {
            // As the tool does: pairs may share an edit.
            edits.sort_unstable();
            edits.dedup();
        }
        Ok(answer)
    }
}

impl Answer {
    fn add(&mut self, pair: &Value) -> Result<()> {
        let word = |side: &str, key: &str| -> Result<String> {
            Ok(pair[side][key].as_str().with_context(|| format!("{side}.{key}"))?.to_owned())
        };
        let merged = pair["verdict"] == "merge";
        let condition = pair["objections"][0]["condition"].as_str().unwrap_or("none");
        self.verdicts.push(Verdict {
            place: (base(&word("host", "file")?), word("host", "function")?),
            host: word("host", "name")?,
            device: word("device", "name")?,
            declined: (!merged).then(|| condition.to_owned()),
        });
        for edit in pair["edits"].as_array().into_iter().flatten().filter(|_| merged) {
            let offset = |key: &str| edit[key].as_u64().and_then(|at| usize::try_from(at).ok());
            let text = |key: &str| edit[key].as_str().with_context(|| format!("an edit's {key}"));
            let (start, end) =
                offset("start").zip(offset("end")).context("an edit without its range")?;
            let file = base(text("file")?);
            let (replacement, step) = (text("replacement")?.to_owned(), text("step")?.to_owned());
            self.edits.entry(file).or_default().push(Edit { start, end, replacement, step });
        }
        Ok(())
    }
}

// Whether the tool takes in all of a file that it can: the body of a lambda with `auto` parameters is a template that it
// does not see through, and must keep away from.
fn is_understood(file: &Value) -> bool {
    let lambdas = |functions: &Vec<Value>| functions.iter().all(|one| one["name"] == "a lambda");
    let known = file["status"] == "analysed"
        || (file["status"] == "partial"
            && file["opaque_functions"].as_array().is_some_and(lambdas));
    known && file["errors"] == 0
}

// The name of a file without its folder.
fn base(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_owned()
}
