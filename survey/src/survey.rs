//! Many repositories: a stream in, a stream out, constant memory between.

use std::path::Path;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use sha1::{Digest, Sha1};

use crate::facts::FileFacts;
use crate::fetch::Cache;
use crate::guard::is_over;
use crate::limits::Limits;
use crate::list::Entry;
use crate::prove::Prover;
use crate::retry::Gate;
use crate::row::Row;
use crate::sample::Sampler;
use crate::scan::scan;
use crate::skip::Skip;
use crate::syntax::{GaveUp, read_tree};
use crate::tally::fingerprint;
use crate::visit::Selection;

/// What a survey is run with.
pub struct Options<'a> {
    /// Limits per repository and file.
    pub limits: Limits,
    /// Where repositories are fetched to.
    pub cache: Cache,
    /// Count other people's code as the repository's own.
    pub include_vendored: bool,
    /// Count generated code.
    pub include_generated: bool,
    /// Repositories scanned at a time, and threads that parse. At least 1.
    pub jobs: usize,
    /// Sample for labelling by hand.
    pub sampler: Option<Sampler>,
    /// Decides tier T4.
    pub prover: Option<&'a dyn Prover>,
    /// An existing folder for what is needed only during the run.
    pub scratch: &'a Path,
    /// Waits; a parameter so that tests need no time.
    pub pause: &'a (dyn Fn(Duration) + Sync),
}

impl Options<'_> {
    /// Digest of everything that changes rows: rows with another digest are not comparable.
    pub fn digest(&self) -> String {
        let Limits { file_bytes, files, evidence, .. } = &self.limits;
        let mut hash = Sha1::new();
        hash.update(format!(
            "{} {file_bytes} {files} {evidence} {} {} {} {:?}",
            env!("CARGO_PKG_VERSION"),
            self.include_vendored,
            self.include_generated,
            self.prover.is_some(),
            self.sampler.as_ref().map(|sampler| (sampler.size, sampler.seed)),
        ));
        hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
    }
}

/// Shared by all workers.
pub(crate) struct Setting<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) cache: &'a Cache,
    pub(crate) gate: Gate,
    pub(crate) selection: Selection,
    pub(crate) threads_per_folder: usize,
    pub(crate) sampler: Option<Sampler>,
    pub(crate) prover: Option<&'a dyn Prover>,
    pub(crate) scratch: &'a Path,
    pub(crate) digest: String,
    pub(crate) pause: &'a (dyn Fn(Duration) + Sync),
}

/// One file that needs the grammar.
pub(crate) struct Job {
    pub(crate) path: Vec<u8>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) reply: Sender<Parsed>,
}

/// One file parsed.
pub(crate) struct Parsed {
    pub(crate) path: Vec<u8>,
    /// Size of the file.
    pub(crate) bytes: u64,
    /// See [`crate::Row::fingerprints`].
    pub(crate) fingerprint: u64,
    pub(crate) facts: Result<FileFacts, GaveUp>,
}

/// Time spent, summed over threads; for the report on speed, never part of results.
#[derive(Debug, Clone, Copy, Default)]
pub struct Effort {
    /// Parsing and reading the syntax trees.
    pub parsing: Duration,
}

/// Scans every entry and hands each row over as soon as it is there (in no particular order).
/// A false answer of `on_row` stops the survey.
pub fn run(
    entries: impl Iterator<Item = Entry> + Send,
    options: &Options<'_>,
    mut on_row: impl FnMut(Row) -> bool,
) -> Effort {
    let jobs = options.jobs.max(1);
    let selection = Selection {
        vendored: options.include_vendored,
        generated: options.include_generated,
        whole_tree: false,
    };
    let setting = Setting {
        limits: &options.limits,
        cache: &options.cache,
        gate: Gate::default(),
        selection,
        threads_per_folder: 1,
        sampler: options.sampler.clone(),
        prover: options.prover,
        scratch: options.scratch,
        digest: options.digest(),
        pause: options.pause,
    };
    let (to_scan, work) = bounded::<Entry>(jobs);
    let (parsers, to_parse) = bounded::<Job>(4 * jobs);
    let (done, rows) = bounded::<Row>(jobs);
    std::thread::scope(|scope| {
        let parsing: Vec<_> = (0..jobs)
            .map(|_| {
                let to_parse = to_parse.clone();
                scope.spawn(move || parse_all(&to_parse))
            })
            .collect();
        drop(to_parse);
        for _ in 0..jobs {
            let (work, parsers, done, setting) =
                (work.clone(), parsers.clone(), done.clone(), &setting);
            scope.spawn(move || {
                for entry in work {
                    let row = guarded(&entry, setting, &parsers);
                    if done.send(row).is_err() {
                        return;
                    }
                }
            });
        }
        drop((work, parsers, done));
        scope.spawn(move || {
            for entry in entries {
                if to_scan.send(entry).is_err() {
                    return;
                }
            }
        });
        for row in &rows {
            if !on_row(row) {
                break;
            }
        }
        // Workers that still have a row to hand over must see that nobody takes it.
        drop(rows);
        let spent = parsing.into_iter().map(|thread| thread.join().unwrap_or_default()).sum();
        Effort { parsing: spent }
    })
}

fn parse_all(jobs: &Receiver<Job>) -> Duration {
    let mut spent = Duration::ZERO;
    for Job { path, bytes, reply } in jobs {
        let start = std::time::Instant::now();
        let facts = std::panic::catch_unwind(|| read_tree(&path, &bytes)).unwrap_or(Err(GaveUp));
        spent += start.elapsed();
        let (fingerprint, bytes) = (fingerprint(&bytes), bytes.len() as u64);
        // The repository may have been given up meanwhile.
        let _ = reply.send(Parsed { path, bytes, fingerprint, facts });
    }
    spent
}

/// A bug met in one repository must not end the survey of the others.
fn guarded(entry: &Entry, setting: &Setting<'_>, parsers: &Sender<Job>) -> Row {
    if is_over() {
        let interrupted = Skip::Internal("the survey was interrupted".into());
        return Row::skipped(entry, &setting.digest, interrupted);
    }
    let attempt = std::panic::AssertUnwindSafe(|| scan(entry, setting, parsers));
    std::panic::catch_unwind(attempt).unwrap_or_else(|_| {
        Row::skipped(entry, &setting.digest, Skip::Internal("the scanner panicked".into()))
    })
}
