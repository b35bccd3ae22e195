//! Tier T4 by running `echo-fix` over a repository's exported source tree.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use echo_survey::{Place, Proof, Prover, ProverAnswer, run_limited};
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
        command.current_dir(root).args(["--dry-run", "--format", "json", "."]);
        match run_limited(command, time, LONGEST_REPORT) {
            Ok(report) => read_report(&report),
            Err(why) => ProverAnswer::not_run(why),
        }
    }
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
    let proved = pairs.iter().filter(|pair| pair["verdict"] == "merge").map(|pair| Place {
        path: pair["host"]["file"].as_str().unwrap_or_default().to_owned(),
        line: pair["host"]["line"].as_u64().and_then(|line| u32::try_from(line).ok()).unwrap_or(0),
        what: pair["id"].as_str().unwrap_or_default().to_owned(),
    });
    ProverAnswer {
        proof: Proof::Ran {
            merge: count("merge"),
            decline: count("decline"),
            not_analysed: files.iter().filter(|file| file["status"] != "analysed").count() as u64,
        },
        proved: proved.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_report_of_echo_fix() {
        let report = br#"{"schema_version":1,"files":[{"path":"a.cu","status":"partial"}],"pairs":[
            {"id":"a.cu:main:h/d","verdict":"merge","host":{"file":"a.cu","line":12}},
            {"id":"a.cu:main:g/e","verdict":"decline","host":{"file":"a.cu","line":13}}]}"#;
        let answer = read_report(report);
        assert_eq!(answer.proof, Proof::Ran { merge: 1, decline: 1, not_analysed: 1 });
        assert_eq!(answer.proved[0].line, 12);
        assert!(matches!(read_report(b"{}").proof, Proof::NotRun { .. }));
        assert!(matches!(read_report(b"error").proof, Proof::NotRun { .. }));
    }
}
