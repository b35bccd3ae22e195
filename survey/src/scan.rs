//! One repository from list entry to row.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use crossbeam_channel::{Sender, unbounded};

use crate::fetch::{bring, discard};
use crate::folder::{self, Order};
use crate::limits::Limits;
use crate::list::{Entry, Origin};
use crate::objects::{self, Commit, resolve};
use crate::path_rules::{PathClass, has_generated_mark, is_cuda_file, is_lfs_pointer};
use crate::prefilter::{Promise, may_allocate_host, promise};
use crate::prove;
use crate::row::{FileCounts, Proof, Row, SCHEMA_VERSION, Status, Tier};
use crate::skip::Skip;
use crate::survey::{Job, Setting};
use crate::syntax::{read_source, read_tokens};
use crate::tally::{Tally, fingerprint};
use crate::visit::{Selection, Visit};

/// A repository ready to be read.
#[derive(Debug, Clone)]
pub(crate) enum Opened {
    /// From git objects.
    Objects(Commit),
    /// From files.
    Folder(std::path::PathBuf),
}

impl Opened {
    pub(crate) fn each_file(
        &self,
        limits: &Limits,
        selection: Selection,
        order: Order,
        deadline: Instant,
        visit: &Visit<'_>,
    ) -> Result<FileCounts, Skip> {
        match self {
            Self::Objects(commit) => objects::each_file(commit, limits, selection, deadline, visit),
            Self::Folder(root) => {
                folder::each_file(root, limits, selection, order, deadline, visit)
            }
        }
    }
}

/// Files outside CUDA that are parsed in search of a host allocation before the search is given up.
const SECOND_LOOK: u64 = 200;

/// Scans one entry. Never fails: what goes wrong is in the row.
pub(crate) fn scan(entry: &Entry, setting: &Setting<'_>, parsers: &Sender<Job>) -> Row {
    let opened = match open(entry, setting) {
        Ok(opened) => opened,
        Err(skip) => return Row::skipped(entry, &setting.digest, skip),
    };
    let row = read(entry, &opened, setting, parsers).unwrap_or_else(|skip| {
        let mut row = Row::skipped(entry, &setting.digest, skip);
        row.commit = opened_commit(&opened).or(row.commit);
        row
    });
    if let (Opened::Objects(commit), false, true) =
        (&opened, matches!(entry.origin, Origin::Local(_)), setting.cache.discard)
    {
        discard(commit);
    }
    row
}

fn opened_commit(opened: &Opened) -> Option<String> {
    match opened {
        Opened::Objects(commit) => Some(commit.hash.clone()),
        Opened::Folder(_) => None,
    }
}

fn open(entry: &Entry, setting: &Setting<'_>) -> Result<Opened, Skip> {
    match &entry.origin {
        Origin::Local(path) => open_local(path, entry.commit.as_deref(), setting),
        Origin::GitHub { .. } | Origin::Url(_) => {
            bring(entry, setting.cache, setting.limits, &setting.gate, setting.pause)
                .map(Opened::Objects)
        }
    }
}

/// A bare repository is read from its objects, at HEAD or the pinned commit. A work tree is read as the files it
/// holds now, unless a commit is pinned. Anything else is a plain folder.
fn open_local(path: &Path, commit: Option<&str>, setting: &Setting<'_>) -> Result<Opened, Skip> {
    let path = path
        .canonicalize()
        .map_err(|error| Skip::NoFolder(format!("{}: {error}", path.display())))?;
    if !path.is_dir() {
        return Err(Skip::NoFolder(path.display().to_string()));
    }
    let is_git_dir =
        |path: &Path| path.join("HEAD").symlink_metadata().is_ok() && path.join("objects").is_dir();
    let inner = path.join(".git");
    let git_dir = if is_git_dir(&path) {
        path
    } else if commit.is_none() {
        return Ok(Opened::Folder(path));
    } else if inner.symlink_metadata().is_ok_and(|meta| meta.is_dir()) && is_git_dir(&inner) {
        inner
    } else {
        return Err(Skip::CommitMissing(
            "a commit is pinned, but the folder has no repository of its own".into(),
        ));
    };
    let deadline = Instant::now() + setting.limits.scan_time;
    let hash = resolve(&git_dir, commit, deadline)?;
    Ok(Opened::Objects(Commit { git_dir, hash, filtered: false }))
}

fn read(
    entry: &Entry,
    opened: &Opened,
    setting: &Setting<'_>,
    parsers: &Sender<Job>,
) -> Result<Row, Skip> {
    let deadline = Instant::now() + setting.limits.scan_time;
    let sampler = setting.sampler.as_ref().map(|sampler| sampler.within(&entry.name));
    let tally = Mutex::new(Tally::new(setting.limits.evidence, sampler));
    let lock = || tally.lock().unwrap_or_else(PoisonError::into_inner);
    let (reply, replies) = unbounded();
    let visit = |path: &[u8], class: PathClass, bytes: &[u8]| {
        if is_lfs_pointer(bytes) {
            lock().files.lfs += 1;
            return ControlFlow::Continue(());
        }
        if class == PathClass::Python {
            if copies_in_python(bytes) {
                lock().files.python_copies += 1;
            }
            return ControlFlow::Continue(());
        }
        let promise = promise(bytes);
        let generated =
            promise > Promise::Nothing && !setting.selection.generated && has_generated_mark(bytes);
        let cuda_file = is_cuda_file(path);
        {
            let mut tally = lock();
            if generated {
                tally.files.generated += 1;
                return ControlFlow::Continue(());
            }
            tally.files.source += 1;
            tally.files.source_bytes += bytes.len() as u64;
            tally.files.cuda += u64::from(cuda_file);
            if cuda_file || promise == Promise::Cuda {
                tally.see_cuda(path);
            }
        }
        if promise < Promise::Memory {
            return ControlFlow::Continue(());
        }
        // Handing a file to another thread costs more than reading its tokens.
        if let Some(facts) = read_tokens(bytes) {
            lock().see_file(path, bytes.len() as u64, fingerprint(bytes), &facts);
        } else {
            let job = Job { path: path.to_vec(), bytes: bytes.to_vec(), reply: reply.clone() };
            if parsers.send(job).is_err() {
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    };
    let order = Order::Any(setting.threads_per_folder);
    let walked = opened.each_file(setting.limits, setting.selection, order, deadline, &visit);
    drop(reply);
    for parsed in replies {
        let mut tally = lock();
        match parsed.facts {
            Ok(facts) => tally.see_file(&parsed.path, parsed.bytes, parsed.fingerprint, &facts),
            Err(_) => tally.files.failed += 1,
        }
    }
    let walked = walked?;
    let mut tally = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    tally.files.add(&walked);
    if tally.lacks_host_allocation(true) {
        second_look(opened, setting, deadline, &mut tally)?;
    }
    let sum = tally.finish();
    let mut row = Row {
        schema_version: SCHEMA_VERSION,
        index: entry.index,
        repository: entry.name.clone(),
        domain: entry.domain.clone(),
        commit: opened_commit(opened),
        pinned: entry.commit.is_some(),
        status: if sum.files.failed == 0 { Status::Scanned } else { Status::Partial },
        reason: (sum.files.failed > 0).then(|| {
            Skip::Corrupt(format!("{} files could not be read or parsed", sum.files.failed))
        }),
        options: setting.digest.clone(),
        files: sum.files,
        counts: sum.counts,
        columns: sum.columns,
        tier: sum.tier,
        evidence: sum.evidence,
        links: sum.links,
        proof: Proof::NotAsked,
        fingerprints: sum.fingerprints,
        sample: sum.sample,
    };
    // A proof needs an allocation and a copy, perhaps in different files.
    if let Some(prover) = setting.prover
        && row.columns.candidate_repo
    {
        let deadline = Instant::now() + setting.limits.scan_time;
        let answer = prove::ask(prover, opened, setting, deadline);
        if let Proof::Ran { merge: 1.., .. } = answer.proof {
            row.tier = Tier::T4;
        }
        for (column, mut places) in [("proved", answer.proved), ("declined", answer.declined)] {
            if !places.is_empty() {
                places.sort();
                places.truncate(setting.limits.evidence);
                row.evidence.insert(column.to_owned(), places);
            }
        }
        row.proof = answer.proof;
    }
    Ok(row)
}

/// The per-repository definition counts host allocations of any file. Files outside CUDA are parsed for one only
/// where the verdict hangs on it, in path order, so that the answer is always the same.
fn second_look(
    opened: &Opened,
    setting: &Setting<'_>,
    deadline: Instant,
    tally: &mut Tally,
) -> Result<(), Skip> {
    let parsed = AtomicU64::new(0);
    let shared = Mutex::new(tally);
    let visit = |path: &[u8], class: PathClass, bytes: &[u8]| {
        let outside = class == PathClass::Source && promise(bytes) != Promise::Memory;
        if !outside || !may_allocate_host(bytes) || has_generated_mark(bytes) {
            return ControlFlow::Continue(());
        }
        let mut tally = shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Ok(facts) = read_source(path, bytes)
            && (facts.has_host_allocation())
        {
            tally.see_host_allocation(path, &facts);
        }
        if !tally.lacks_host_allocation(true)
            || parsed.fetch_add(1, Ordering::Relaxed) >= SECOND_LOOK
        {
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    opened.each_file(setting.limits, setting.selection, Order::ByPath, deadline, &visit).map(|_| ())
}

fn copies_in_python(bytes: &[u8]) -> bool {
    ["memcpy_htod", "memcpy_dtoh", "cudaMemcpy", "cuMemcpy"]
        .iter()
        .any(|word| memchr::memmem::find(bytes, word.as_bytes()).is_some())
}
