//! Files of a plain folder or a work tree.
//!
//! Symbolic links are never followed and only regular files are opened, so no path leads out of the folder and no
//! pipe or device can block the run. `.gitignore` files inside the folder are honoured, those above it are not.

use std::fs::{File, OpenOptions};
use std::io::Read;
use std::ops::ControlFlow;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use ignore::{DirEntry, WalkBuilder, WalkState};
use rustix::fs::OFlags;

use crate::limits::Limits;
use crate::path_rules::classify;
use crate::row::FileCounts;
use crate::skip::Skip;
use crate::visit::{Selection, Visit};

/// In which order files come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// As they are found, by this many threads.
    Any(usize),
    /// Sorted, by one thread.
    ByPath,
}

/// Visits the selected files.
///
/// # Errors
/// [`Skip::NoFolder`], [`Skip::TooBig`] or [`Skip::TimedOut`].
pub(crate) fn each_file(
    root: &Path,
    limits: &Limits,
    selection: Selection,
    order: Order,
    deadline: Instant,
    visit: &Visit<'_>,
) -> Result<FileCounts, Skip> {
    let meta = root.metadata().map_err(|error| Skip::NoFolder(error.to_string()))?;
    if !meta.is_dir() {
        return Err(Skip::NoFolder("not a folder".into()));
    }
    let mut builder = WalkBuilder::new(root);
    builder
        .follow_links(false)
        .hidden(false)
        .parents(false)
        .ignore(false)
        .git_global(false)
        .git_exclude(false)
        .require_git(false)
        .filter_entry(|entry| entry.file_name() != ".git");
    let shared = Mutex::new(FileCounts::default());
    let outcome = Mutex::new(None);
    let step =
        |entry: Result<DirEntry, ignore::Error>, counts: &mut FileCounts, buffer: &mut Vec<u8>| {
            let outcome_now = one(entry, root, limits, selection, counts, buffer, visit);
            if Instant::now() >= deadline {
                return Some(Outcome::Skip(Skip::TimedOut("scanning took too long".into())));
            }
            outcome_now
        };
    match order {
        Order::ByPath | Order::Any(0 | 1) => {
            if order == Order::ByPath {
                builder.sort_by_file_path(Ord::cmp);
            }
            let (mut counts, mut buffer) = (FileCounts::default(), Vec::new());
            for entry in builder.build() {
                if let Some(end) = step(entry, &mut counts, &mut buffer) {
                    set(&outcome, end);
                    break;
                }
            }
            add(&shared, &counts);
        }
        Order::Any(threads) => builder.threads(threads).build_parallel().run(|| {
            let mut local = Local { counts: FileCounts::default(), shared: &shared };
            let (step, outcome) = (&step, &outcome);
            let mut buffer = Vec::new();
            Box::new(move |entry| match step(entry, &mut local.counts, &mut buffer) {
                None => WalkState::Continue,
                Some(end) => {
                    set(outcome, end);
                    WalkState::Quit
                }
            })
        }),
    }
    let counts = shared.into_inner().unwrap_or_else(PoisonError::into_inner);
    match outcome.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(Outcome::Skip(skip)) => Err(skip),
        Some(Outcome::Stopped) => Ok(counts),
        None if counts.source > limits.files => {
            Err(Skip::TooBig(format!("more than {} source files", limits.files)))
        }
        // `source` was only borrowed as the counter of chosen files; the sink keeps the real one.
        None => Ok(FileCounts { source: 0, ..counts }),
    }
}

/// Why the walk ended early.
enum Outcome {
    Stopped,
    Skip(Skip),
}

fn set(outcome: &Mutex<Option<Outcome>>, end: Outcome) {
    outcome.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(end);
}

/// Counts of one walker thread, added up when the walker drops it.
struct Local<'a> {
    counts: FileCounts,
    shared: &'a Mutex<FileCounts>,
}

impl Drop for Local<'_> {
    fn drop(&mut self) {
        add(self.shared, &self.counts);
    }
}

fn add(shared: &Mutex<FileCounts>, counts: &FileCounts) {
    shared.lock().unwrap_or_else(PoisonError::into_inner).add(counts);
}

fn one(
    entry: Result<DirEntry, ignore::Error>,
    root: &Path,
    limits: &Limits,
    selection: Selection,
    counts: &mut FileCounts,
    buffer: &mut Vec<u8>,
    visit: &Visit<'_>,
) -> Option<Outcome> {
    let Ok(entry) = entry else {
        counts.failed += 1; // an unreadable folder
        return None;
    };
    let kind = entry.file_type()?;
    if kind.is_dir() {
        return None;
    }
    counts.total += 1;
    if kind.is_symlink() {
        counts.links += 1;
        return None;
    }
    let path = entry.path().strip_prefix(root).ok()?.as_os_str().as_bytes();
    let class = selection.admit(classify(path), counts)?;
    if !kind.is_file() {
        return None;
    }
    counts.source += 1;
    if counts.source > limits.files {
        return Some(Outcome::Skip(Skip::TooBig(format!(
            "more than {} source files",
            limits.files
        ))));
    }
    match read(entry.path(), limits.file_bytes, buffer) {
        Ok(true) => {}
        Ok(false) => {
            counts.too_large += 1;
            return None;
        }
        Err(_) => {
            counts.failed += 1;
            return None;
        }
    }
    (visit(path, class, buffer) == ControlFlow::Break(())).then_some(Outcome::Stopped)
}

/// Reads a regular file; false when it is larger than the limit.
fn read(path: &Path, limit: u64, buffer: &mut Vec<u8>) -> std::io::Result<bool> {
    // Should the file have become a link or a pipe since it was listed, opening it fails or returns at once.
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let mut file: File = OpenOptions::new()
        .read(true)
        .custom_flags(i32::try_from(flags.bits()).unwrap_or_default())
        .open(path)?;
    let meta = file.metadata()?;
    if !meta.is_file() {
        return Err(std::io::Error::other("no longer a regular file"));
    }
    if meta.len() > limit {
        return Ok(false);
    }
    // What a writer appends meanwhile is not read; asking for more would cost a call for every file.
    buffer.resize(usize::try_from(meta.len()).map_err(std::io::Error::other)?, 0);
    let mut length = 0;
    while length < buffer.len() {
        match file.read(&mut buffer[length..]) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    buffer.truncate(length);
    Ok(true)
}
