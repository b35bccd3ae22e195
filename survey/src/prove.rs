//! Tier T4: asking a prover about a repository's source tree.
//!
//! The survey does not know how proofs are made. The caller passes a [`Prover`]; the survey writes the source files of
//! a repository into an empty temporary folder (plain files only, no links, contained paths) and hands it over.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::limits::Limits;
use crate::path_rules::contained;
use crate::row::{Place, Proof};
use crate::scan::Opened;
use crate::survey::Setting;
use crate::visit::Selection;

/// Decides which pairs of a source tree can be merged.
pub trait Prover: Sync {
    /// Analyses the tree below `root` within `time`. Must not write below `root` nor execute anything in it; the
    /// folder above `root` is for its temporary files and is removed afterwards.
    fn prove(&self, root: &Path, time: Duration) -> ProverAnswer;
}

/// What a prover found.
#[derive(Debug, Clone)]
pub struct ProverAnswer {
    /// Numbers, or why there are none.
    pub proof: Proof,
    /// Allocation of each proved pair; paths relative to the root.
    pub proved: Vec<Place>,
    /// Allocation of each declined pair, with the reason.
    pub declined: Vec<Place>,
}

impl ProverAnswer {
    /// An answer without numbers.
    pub fn not_run(why: impl Into<String>) -> Self {
        Self { proof: Proof::NotRun { why: why.into() }, proved: Vec::new(), declined: Vec::new() }
    }
}

/// Bytes of source written for one prover run; larger trees are not tried.
const TREE_BYTES: u64 = 1 << 30;

/// Exports the tree and asks.
pub(crate) fn ask(
    prover: &dyn Prover,
    opened: &Opened,
    setting: &Setting<'_>,
    deadline: Instant,
) -> ProverAnswer {
    match export(opened, setting.limits, setting.scratch, deadline) {
        Ok(folder) => {
            prover.prove(&tree(&folder), deadline.saturating_duration_since(Instant::now()))
        }
        Err(why) => ProverAnswer::not_run(why),
    }
}

/// The tree lies one level down, so that a prover has a place of its own beside it.
fn tree(folder: &TempDir) -> PathBuf {
    folder.path().join("tree")
}

fn export(
    opened: &Opened,
    limits: &Limits,
    scratch: &Path,
    deadline: Instant,
) -> Result<TempDir, String> {
    let folder = tempfile::tempdir_in(scratch).map_err(|error| error.to_string())?;
    let root = tree(&folder);
    fs::create_dir(&root).map_err(|error| error.to_string())?;
    let written = AtomicU64::new(0);
    let selection = Selection { vendored: true, generated: true, whole_tree: true };
    let failure = std::sync::Mutex::new(None);
    let visit = |path: &[u8], _: _, bytes: &[u8]| {
        // A path that would leave the folder belongs to no honest tree; the file is left out.
        let Some(path) = contained(path) else { return ControlFlow::Continue(()) };
        let target = root.join(path);
        let total = written.fetch_add(bytes.len() as u64, Ordering::Relaxed) + bytes.len() as u64;
        let done = if total > TREE_BYTES {
            Err("the source tree is too large".to_owned())
        } else {
            target
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&target, bytes))
                // Two entries may collide (a file where another needs a folder); such a tree cannot be checked out either.
                .map_err(|error| error.to_string())
        };
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(why) => {
                *failure.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = Some(why);
                ControlFlow::Break(())
            }
        }
    };
    opened
        .each_file(limits, selection, crate::folder::Order::ByPath, deadline, &visit)
        .map_err(|skip| skip.to_string())?;
    match failure.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner) {
        Some(why) => Err(why),
        None => Ok(folder),
    }
}
