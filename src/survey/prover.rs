//! Tier T4 by running `echo-fix` over a repository's exported source tree.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use echo_survey::{Place, Proof, ProvedFiles, Prover, ProverAnswer, run_limited};
use serde_json::Value;

/// The `echo-fix` program.
pub(super) struct EchoFix {
    program: Option<PathBuf>,
}

/// Longest report read (bytes).
const LONGEST_REPORT: u64 = 256 << 20;

impl EchoFix {
    /// The given program, or the one beside this one.
    pub(super) fn find(given: Option<&Path>) -> Self {
        let beside = || {
            let path = std::env::current_exe().ok()?.with_file_name("echo-fix");
            path.is_file().then_some(path)
        };
        Self { program: given.map(Path::to_owned).or_else(beside) }
    }
}

impl Prover for EchoFix {
    fn prove(&self, root: &Path, time: Duration) -> ProverAnswer {
        let Some(program) = &self.program else {
            return ProverAnswer::not_run("echo-fix is not installed beside echo-survey");
        };
        let mut command = Command::new(program);
        // Killed in the middle it leaves its temporary files behind; there they go with the exported tree.
        if let Some(beside) = root.parent() {
            command.env("TMPDIR", beside);
        }
        // Paths in its report are relative to its working directory.
        command.current_dir(root).args(["--dry-run", "--format", "json"]);
        // Whether a merge pays is another question than whether it can be proved.
        command.args(["--min-size", "0"]);
        for folder in include_folders(root) {
            let mut argument = OsString::from("--extra-arg=-I");
            argument.push(folder);
            command.arg(argument);
        }
        command.arg(".");
        match run_limited(command, time, LONGEST_REPORT) {
            Ok(report) => read_report(&report),
            Err(why) => ProverAnswer::not_run(why),
        }
    }
}

/// Folders named in `-I`, at most.
const INCLUDE_FOLDERS: usize = 64;

/// Folders called `include`, in order of path: where a project that does not say how it is built keeps its headers.
fn include_folders(root: &Path) -> Vec<PathBuf> {
    ignore::WalkBuilder::new(root)
        .standard_filters(false)
        .sort_by_file_path(Ord::cmp)
        .build()
        .filter_map(Result::ok)
        .filter(|entry| entry.file_name() == "include")
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_dir()))
        .take(INCLUDE_FOLDERS)
        .map(ignore::DirEntry::into_path)
        .collect()
}

/// Reads what echo-fix prints (schema version 1).
fn read_report(report: &[u8]) -> ProverAnswer {
    let Ok(report) = serde_json::from_slice::<Value>(report) else {
        return ProverAnswer::not_run("echo-fix printed no JSON report");
    };
    if report["schema_version"] != 1 {
        return ProverAnswer::not_run("this version of echo-fix reports in another form");
    }
    let empty = Vec::new();
    let pairs = report["pairs"].as_array().unwrap_or(&empty);
    let files = report["files"].as_array().unwrap_or(&empty);
    let count =
        |verdict: &str| pairs.iter().filter(|pair| pair["verdict"] == verdict).count() as u64;
    let places = |verdict: &str| {
        pairs.iter().filter(|pair| pair["verdict"] == verdict).map(place).collect::<Vec<_>>()
    };
    let status = |status: &str| files.iter().filter(|file| file["status"] == status).count() as u64;
    ProverAnswer {
        proof: Proof::Ran {
            merge: count("merge"),
            decline: count("decline"),
            files: ProvedFiles {
                whole: status("analysed"),
                partial: status("partial"),
                failed: status("failed"),
            },
        },
        proved: places("merge"),
        declined: places("decline"),
    }
}

/// Where a pair's host buffer is allocated, and what was said about the pair.
fn place(pair: &Value) -> Place {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let file = text(&pair["host"]["file"]);
    let objection = &pair["objections"][0];
    let said = match (&objection["condition"], &objection["message"]) {
        (Value::String(condition), Value::String(message)) => format!(" ({condition}: {message})"),
        _ => String::new(),
    };
    Place {
        path: file.strip_prefix("./").unwrap_or(&file).to_owned(),
        line: pair["host"]["line"].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0),
        what: format!("{} / {}{said}", text(&pair["host"]["name"]), text(&pair["device"]["name"])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report_of_echo_fix() {
        let report = br#"{"schema_version":1,"files":[{"path":"a.cu","status":"partial"}],"pairs":[
            {"verdict":"merge","host":{"name":"h","file":"./a.cu","line":12},"device":{"name":"d"}},
            {"verdict":"decline","host":{"name":"g","file":"a.cu","line":13},"device":{"name":"e"},
             "objections":[{"condition":"S1","message":"no"}]}]}"#;
        let answer = read_report(report);
        let files = ProvedFiles { whole: 0, partial: 1, failed: 0 };
        assert_eq!(answer.proof, Proof::Ran { merge: 1, decline: 1, files });
        let place = |line, what: &str| Place { path: "a.cu".into(), line, what: what.into() };
        assert_eq!(answer.proved, [place(12, "h / d")]);
        assert_eq!(answer.declined, [place(13, "g / e (S1: no)")]);
        assert!(matches!(read_report(b"{}").proof, Proof::NotRun { .. }));
        assert!(matches!(read_report(b"error").proof, Proof::NotRun { .. }));
    }
}
