//! Runs the analysis of each file in a process of its own, so that a crash or a hang loses one file.

use std::collections::{BTreeMap, BTreeSet};
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
use super::settings::Settings;
use super::unit::failed;

/// Longest time one file may take.
const LIMIT: Duration = Duration::from_secs(60);

/// What a worker does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Analyses a file and answers with its report.
    Analyse(Box<Request>),
    /// Builds the precompiled prefix for these arguments and answers with its place, or why there is none.
    BuildPrefix { settings: Box<Settings>, arguments: Vec<String> },
}

/// What a worker is told of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) path: PathBuf,
    /// Description of its precompiled prefix.
    pub(crate) prefix: Option<PathBuf>,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) settings: Settings,
    #[serde(with = "super::model::as_pairs")]
    pub(crate) refused: Refused,
    /// Functions of other units that do not use CUDA.
    pub(crate) host_only: BTreeSet<String>,
}

/// What all files of a run have in common.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Common<'a> {
    pub(crate) settings: &'a Settings,
    /// Folders whose headers may be edited.
    pub(crate) roots: &'a [PathBuf],
    /// Sources of the run that have nothing of CUDA and are no units.
    pub(crate) bystanders: &'a [PathBuf],
    /// The precompiled prefix of each file that has one.
    pub(crate) prefixes: &'a BTreeMap<PathBuf, PathBuf>,
    /// Workers at once.
    pub(crate) jobs: usize,
}

/// Analyses `paths`; results are in their order.
pub(crate) fn analyse_all(
    paths: &[PathBuf],
    common: &Common<'_>,
    refused: &Refused,
    host_only: &BTreeSet<String>,
    done: &(dyn Fn(&Path) + Sync),
) -> Vec<UnitReport> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<UnitReport>>> = Mutex::new(vec![None; paths.len()]);
    std::thread::scope(|scope| {
        for _ in 0..common.jobs.clamp(1, paths.len().max(1)) {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(path) = paths.get(index) else { break };
                    let request = Request {
                        path: path.clone(),
                        prefix: common.prefixes.get(path).cloned(),
                        roots: common.roots.to_vec(),
                        settings: common.settings.clone(),
                        refused: refused.clone(),
                        host_only: host_only.clone(),
                    };
                    let report = match unsuitable(path) {
                        Some(why) => failed(path, &why),
                        None => report(request).unwrap_or_else(|why| failed(path, &why)),
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

/// Why there is no answer.
#[derive(Debug)]
enum Lost {
    /// The limit was reached.
    Late(String),
    /// The worker could not be started, or ended without one.
    Ended(String),
}

impl Lost {
    fn why(self) -> String {
        match self {
            Self::Late(why) | Self::Ended(why) => why,
        }
    }
}

/// The report of one file. A worker that died with a prefix is tried without; one that was late has had its time.
fn report(mut request: Request) -> Result<UnitReport, String> {
    let had_prefix = request.prefix.is_some();
    let answer = match ask(&Task::Analyse(Box::new(request.clone()))) {
        Err(Lost::Ended(_)) if had_prefix => {
            request.prefix = None;
            ask(&Task::Analyse(Box::new(request)))
        }
        answer => answer,
    };
    serde_json::from_slice(&answer.map_err(Lost::why)?).map_err(|e| not_understood(&e))
}

/// Builds a prefix in a process of its own; its place.
pub(crate) fn build_prefix(settings: &Settings, arguments: &[String]) -> Result<PathBuf, String> {
    let task =
        Task::BuildPrefix { settings: Box::new(settings.clone()), arguments: arguments.to_vec() };
    serde_json::from_slice::<Result<PathBuf, String>>(&ask(&task).map_err(Lost::why)?)
        .map_err(|e| not_understood(&e))?
}

fn not_understood(error: &serde_json::Error) -> String {
    format!("the worker's answer is not understood: {error}")
}

/// Runs one worker to its end, or to the limit.
fn ask(task: &Task) -> Result<Vec<u8>, Lost> {
    let program = std::env::current_exe()
        .map_err(|e| Lost::Ended(format!("cannot find this program: {e}")))?;
    let text = serde_json::to_vec(task).map_err(|e| Lost::Ended(e.to_string()))?;
    let mut child = Command::new(program)
        .arg("__worker")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| Lost::Ended(format!("cannot start a worker: {e}")))?;
    if let Some(mut input) = child.stdin.take() {
        // A worker that died early is noticed below.
        let _ = input.write_all(&text);
    }
    let Some(mut output) = child.stdout.take() else {
        return Err(Lost::Ended("the worker has no output".to_owned()));
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
                return Err(Lost::Late("the analysis did not end".to_owned()));
            }
            Ok(None) if start.elapsed() > LIMIT => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Lost::Late(format!(
                    "the analysis took longer than {} s",
                    LIMIT.as_secs()
                )));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(2)),
            Err(error) => return Err(Lost::Ended(format!("cannot wait for the worker: {error}"))),
        }
    };
    let bytes =
        reader.join().map_err(|_| Lost::Ended("the worker's output was lost".to_owned()))?;
    let bytes = bytes.map_err(|e| Lost::Ended(format!("cannot read from the worker: {e}")))?;
    if !status.success() {
        return Err(Lost::Ended(format!("the parser ended abnormally ({status})")));
    }
    Ok(bytes)
}
