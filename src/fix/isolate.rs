//! Runs the analysis of each file in a process of its own, so that a crash or a hang loses one file.

use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use super::discover::unsuitable;
use super::model::UnitReport;
use super::rounds::Refused;
use super::unit::failed;

/// Longest time one file may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What a worker is told.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) path: PathBuf,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) settings: super::settings::Settings,
    #[serde(with = "super::model::as_pairs")]
    pub(crate) refused: Refused,
    /// Functions of other units that do not use CUDA.
    pub(crate) host_only: BTreeSet<String>,
}

/// Analyses `paths` with up to `jobs` workers; results are in the order of `paths`.
pub(crate) fn analyse_all(
    paths: &[PathBuf],
    roots: &[PathBuf],
    settings: &super::settings::Settings,
    refused: &Refused,
    host_only: &BTreeSet<String>,
    jobs: usize,
    done: &(dyn Fn(&Path) + Sync),
) -> Vec<UnitReport> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<UnitReport>>> = Mutex::new(vec![None; paths.len()]);
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, paths.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    let request = Request {
                        path: path.clone(),
                        roots: roots.to_vec(),
                        settings: settings.clone(),
                        refused: refused.clone(),
                        host_only: host_only.clone(),
                    };
                    let report = match unsuitable(path) {
                        Some(why) => failed(path, &why),
                        None => one(&request).unwrap_or_else(|why| failed(path, &why)),
                    };
                    if let Ok(mut results) = results.lock() {
                        results[index] = Some(report);
                    }
                    done(path);
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    results
        .into_iter()
        .zip(paths)
        .map(|(report, path)| report.unwrap_or_else(|| failed(path, "the worker was lost")))
        .collect()
}

/// Runs one worker to its end, or to the limit.
fn one(request: &Request) -> Result<UnitReport, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let text = serde_json::to_vec(request).map_err(|e| e.to_string())?;
    let mut child = Command::new(program)
        .arg("__worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| format!("cannot start a worker: {e}"))?;
    if let Some(mut input) = child.stdin.take() {
        // A worker that died early is noticed below.
        let _ = input.write_all(&text);
    }
    let Some(mut output) = child.stdout.take() else {
        return Err("the worker has no output".to_owned());
    };
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        output.read_to_end(&mut bytes).map(|_| bytes)
    });
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if reader.is_finished() && start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err("the analysis did not end".to_owned());
            }
            Ok(None) if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("the analysis took longer than {} s", LIMIT.as_secs()));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(format!("cannot wait for the worker: {error}")),
        }
    };
    let bytes = reader.join().map_err(|_| "the worker's output was lost".to_owned())?;
    let bytes = bytes.map_err(|e| format!("cannot read from the worker: {e}"))?;
    if !status.success() {
        return Err(format!("the parser ended abnormally ({status})"));
    }
    serde_json::from_slice(&bytes)
        .map_err(|e| format!("the worker's answer is not understood: {e}"))
}
