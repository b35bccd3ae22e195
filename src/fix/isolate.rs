//! Runs the analysis of files in other processes, so that a crash or a hang loses one file.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use echo_frontend::Frontend;
use echo_frontend::arguments::{ArgumentOptions, all_unit_arguments};
use serde::{Deserialize, Serialize};

use super::discover::unsuitable;
use super::linkage::Others;
use super::model::{Status, UnitReport};
use super::rounds::Refused;
use super::settings::Settings;
use super::unit::failed;
use super::worker_process::{Lost, WorkerProcess};

/// Files that one worker serves: starting one costs a third of what a short file does, and what clang leaves in memory
/// after each file is bounded so.
const SERVES: usize = 24;
/// A worker that needed more memory than this for a file, in KiB, serves no other.
const LARGE: u64 = 256 << 10;

/// What a worker does.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) enum Task {
    /// Analyses a file and answers with its report.
    Analyse(Box<Request>),
    /// Builds the precompiled prefix for these arguments and answers with its place, or why there is none.
    BuildPrefix { settings: Box<Settings>, arguments: Vec<String> },
}

/// A file in one of the ways in which the build compiles it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Unit {
    pub(crate) path: PathBuf,
    /// Index into what `all_unit_arguments` yields for it.
    pub(crate) way: usize,
}

/// What a worker is told of a file.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Request {
    pub(crate) unit: Unit,
    /// Description of its precompiled prefix.
    pub(crate) prefix: Option<PathBuf>,
    pub(crate) roots: Vec<PathBuf>,
    pub(crate) settings: Settings,
    #[serde(with = "super::model::as_pairs")]
    pub(crate) refused: Refused,
    pub(crate) others: Others,
}

/// `paths` in all ways in which the build compiles them.
pub(crate) fn units(
    paths: &[PathBuf],
    frontend: &Frontend,
    options: &ArgumentOptions,
) -> Vec<Unit> {
    let of = |path: &PathBuf| {
        let ways = all_unit_arguments(path, options, frontend.library()).len();
        let path = path.clone();
        (0..ways).map(move |way| Unit { path: path.clone(), way })
    };
    paths.iter().flat_map(of).collect()
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

/// Analyses `units`; results are in their order.
pub(crate) fn analyse_all(
    units: &[Unit],
    common: &Common<'_>,
    refused: &Refused,
    others: &Others,
    done: &(dyn Fn(&Path) + Sync),
) -> Vec<UnitReport> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<Option<UnitReport>>> = Mutex::new(vec![None; units.len()]);
    std::thread::scope(|scope| {
        for _ in 0..common.jobs.clamp(1, units.len().max(1)) {
            scope.spawn(|| {
                let mut worker = Worker::default();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(unit) = units.get(index) else { break };
                    let path = &unit.path;
                    let request = Request {
                        unit: unit.clone(),
                        prefix: common.prefixes.get(path).filter(|_| unit.way == 0).cloned(),
                        roots: common.roots.to_vec(),
                        settings: common.settings.clone(),
                        refused: refused.clone(),
                        others: others.clone(),
                    };
                    let report = match unsuitable(path) {
                        Some(why) => failed(path, &why),
                        None => {
                            report(&mut worker, request).unwrap_or_else(|why| failed(path, &why))
                        }
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
        .zip(units)
        .map(|(report, unit)| report.unwrap_or_else(|| failed(&unit.path, "the worker was lost")))
        .collect()
}

/// A worker that is started when it is needed.
#[derive(Debug, Default)]
struct Worker {
    process: Option<WorkerProcess>,
    served: usize,
}

impl Worker {
    /// The worker's answer; after a loss, and after [`SERVES`] files, the next task starts another.
    fn ask(&mut self, task: &Task) -> Result<Vec<u8>, Lost> {
        let mut process = match self.process.take() {
            Some(process) if self.served < SERVES => process,
            Some(_) | None => {
                self.served = 0;
                WorkerProcess::start()?
            }
        };
        let text = serde_json::to_vec(task).map_err(|e| Lost::Ended(e.to_string()))?;
        let answer = process.ask(&text)?;
        self.served += 1;
        self.process = Some(process);
        Ok(answer)
    }
}

/// The report of one file. A worker that died may owe that to the files before, so a new one is asked too: the answer is the
/// same in whatever order workers get their files. One that died with a prefix is asked without; one that was late has had
/// its time.
fn report(worker: &mut Worker, mut request: Request) -> Result<UnitReport, String> {
    let is_new = worker.process.is_none();
    let mut answer = worker.ask(&Task::Analyse(Box::new(request.clone())));
    if matches!(answer, Err(Lost::Ended(_))) && !is_new {
        answer = worker.ask(&Task::Analyse(Box::new(request.clone())));
    }
    if matches!(answer, Err(Lost::Ended(_))) && request.prefix.is_some() {
        request.prefix = None;
        answer = worker.ask(&Task::Analyse(Box::new(request)));
    }
    let answer = answer.map_err(Lost::why)?;
    let report: UnitReport = serde_json::from_slice(&answer).map_err(|e| not_understood(&e))?;
    if report.file.status == Status::Failed || report.cost.memory > LARGE {
        worker.process = None;
    }
    Ok(report)
}

/// Builds a prefix in a process of its own; its place.
pub(crate) fn build_prefix(settings: &Settings, arguments: &[String]) -> Result<PathBuf, String> {
    let task =
        Task::BuildPrefix { settings: Box::new(settings.clone()), arguments: arguments.to_vec() };
    let answer = Worker::default().ask(&task).map_err(Lost::why)?;
    serde_json::from_slice::<Result<PathBuf, String>>(&answer).map_err(|e| not_understood(&e))?
}

fn not_understood(error: &serde_json::Error) -> String {
    format!("the worker's answer is not understood: {error}")
}
