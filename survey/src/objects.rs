//! Files of one commit, straight from git objects: nothing is ever checked out.
//!
//! `git ls-tree` names the files, a thread picks the wanted ones and asks `git cat-file` in batches, first for their
//! sizes and then for those that are small enough, and the caller reads them as they come. (`ls-tree` could tell the
//! sizes too, but looks up every object for that.) Paths are only labels here; no file is created or opened by any.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::io::{BufRead, BufWriter, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};

use crate::git::{Reach, git, last_line, output};
use crate::guard::{Guard, Running, start};
use crate::limits::Limits;
use crate::path_rules::{PathClass, classify};
use crate::row::FileCounts;
use crate::skip::Skip;
use crate::visit::{Selection, Visit};

/// One commit in one git directory.
#[derive(Debug, Clone)]
pub(crate) struct Commit {
    pub(crate) git_dir: PathBuf,
    /// Full hash.
    pub(crate) hash: String,
    /// Files above the size limit were not fetched, so an absent one is too large rather than lost.
    pub(crate) filtered: bool,
}

/// Paths longer than this do not exist in honest repositories (bytes).
const LONGEST_PATH: u64 = 64 << 10;
/// Files asked for at once; bounds what is in flight.
const BATCH_FILES: usize = 256;

/// The hash of `commit` or of HEAD.
///
/// # Errors
/// [`Skip::Escapes`], [`Skip::Empty`], [`Skip::CommitMissing`], [`Skip::Corrupt`], or the guard's.
pub(crate) fn resolve(
    git_dir: &Path,
    commit: Option<&str>,
    deadline: Instant,
) -> Result<String, Skip> {
    stays_inside(git_dir)?;
    let wanted = format!("{}^{{commit}}", commit.unwrap_or("HEAD"));
    let arguments =
        ["rev-parse", "--verify", "--quiet", "--end-of-options", &wanted].map(OsStr::new);
    output(Some(git_dir), &arguments, deadline, |message| match commit {
        Some(commit) => Skip::CommitMissing(commit.to_owned()),
        None if message.contains("without a message") => Skip::Empty,
        None => Skip::Corrupt(message),
    })
}

/// A git directory must not borrow objects or files from elsewhere.
fn stays_inside(git_dir: &Path) -> Result<(), Skip> {
    let escapes = |what: String| Err(Skip::Escapes(what));
    for file in ["objects/info/alternates", "objects/info/http-alternates", "commondir"] {
        if git_dir.join(file).symlink_metadata().is_ok() {
            return escapes(format!("`{file}` points to another repository"));
        }
    }
    for part in [
        "HEAD",
        "config",
        "packed-refs",
        "refs",
        "objects",
        "objects/pack",
        "objects/info",
        "shallow",
    ] {
        if git_dir.join(part).symlink_metadata().is_ok_and(|meta| meta.is_symlink()) {
            return escapes(format!("`{part}` of the git directory is a symbolic link"));
        }
    }
    Ok(())
}

/// A file that is wanted if its size permits.
struct Candidate {
    path: Vec<u8>,
    class: PathClass,
    hash: Vec<u8>,
}

/// What `git cat-file` answers next.
enum Expected {
    /// The sizes of so many objects.
    Sizes(usize),
    /// The contents of these.
    Contents(Vec<Wanted>),
}

/// Sizes in bytes, in the order asked for; none for an object that is not there.
type Sizes = Vec<Option<u64>>;

/// A file that was asked for.
struct Wanted {
    path: Vec<u8>,
    class: PathClass,
    size: u64,
}

/// Visits the selected files in path order.
///
/// # Errors
/// [`Skip::Corrupt`] when objects cannot be read, or the guard's.
pub(crate) fn each_file(
    commit: &Commit,
    limits: &Limits,
    selection: Selection,
    deadline: Instant,
    visit: &Visit<'_>,
) -> Result<FileCounts, Skip> {
    let guard = || Guard { memory: Some(limits.git_memory), ..deadline.into() };
    let mut lister = {
        let mut command = git(Some(&commit.git_dir), Reach::Nothing);
        command.args(["ls-tree", "-r", "-z", "--full-tree", &commit.hash]);
        start(command, guard())?
    };
    let mut reader = {
        let mut command = git(Some(&commit.git_dir), Reach::Nothing);
        command.args(["cat-file", "--batch-command", "--buffer"]);
        start(command, guard())?
    };
    let streams = (lister.stdout(), reader.stdin(), reader.stdout());
    let (Some(listing), Some(requests), Some(contents)) = streams else {
        return Err(Skip::NoGit("no pipes".into()));
    };
    let (announce, announced) = bounded(2);
    let (tell, told) = bounded(1);
    let (listed, read) = std::thread::scope(|scope| {
        let asker = scope.spawn(move || {
            let asker = Asker {
                requests: BufWriter::with_capacity(32 << 10, requests),
                announce,
                told,
                filtered: commit.filtered,
                limits,
                selection,
                counts: FileCounts::default(),
                seen: HashSet::new(),
                chosen: 0,
            };
            asker.ask(listing)
        });
        let read = receive(contents, announced, tell, visit);
        let listed =
            asker.join().unwrap_or_else(|_| Err(Skip::Internal("the lister panicked".into())));
        (listed, read)
    });
    let (failed, stopped) = match read {
        Ok(done) => done,
        Err(error) => {
            let cause = check(reader, "cat-file").and(check(lister, "ls-tree"));
            return Err(cause.err().unwrap_or(Skip::Corrupt(error.to_string())));
        }
    };
    if stopped {
        return Ok(FileCounts::default());
    }
    let mut counts = match listed {
        Ok(counts) => {
            check(lister, "ls-tree")?;
            check(reader, "cat-file")?;
            counts
        }
        Err(skip) => {
            let cause = check(reader, "cat-file").and(check(lister, "ls-tree"));
            return Err(cause.err().unwrap_or(skip));
        }
    };
    counts.failed += failed;
    Ok(counts)
}

fn check(running: Running, name: &str) -> Result<(), Skip> {
    let ended = running.finish()?;
    if ended.success {
        return Ok(());
    }
    if ended.stderr.contains("usage: git") {
        return Err(Skip::NoGit(format!(
            "git {name} lacks an option; git 2.36 or later is needed"
        )));
    }
    Err(Skip::Corrupt(last_line(&ended.stderr)))
}

/// Reads the listing and asks for the wanted files.
struct Asker<'a> {
    requests: BufWriter<ChildStdin>,
    announce: Sender<Expected>,
    told: Receiver<Sizes>,
    filtered: bool,
    limits: &'a Limits,
    selection: Selection,
    counts: FileCounts,
    seen: HashSet<u128>,
    chosen: u64,
}

impl Asker<'_> {
    fn ask(mut self, mut listing: std::io::BufReader<ChildStdout>) -> Result<FileCounts, Skip> {
        let mut record = Vec::new();
        let mut candidates = Vec::new();
        loop {
            record.clear();
            let length =
                (&mut listing).take(LONGEST_PATH).read_until(0, &mut record).map_err(lost)?;
            if length == 0 {
                break;
            }
            if record.pop() != Some(0) {
                return Err(Skip::Corrupt(
                    "a path is longer than 64 kB, or the listing broke off".into(),
                ));
            }
            self.counts.total += 1;
            candidates.extend(choose(&record, &mut self.counts, self.selection));
            if candidates.len() == BATCH_FILES && !self.request(&mut candidates)? {
                return Ok(self.counts);
            }
        }
        self.request(&mut candidates)?;
        Ok(self.counts)
    }

    /// Asks for the contents of those candidates that are small enough and new. False when nobody listens any more.
    fn request(&mut self, candidates: &mut Vec<Candidate>) -> Result<bool, Skip> {
        if candidates.is_empty() {
            return Ok(true);
        }
        let mut commands = Vec::new();
        for candidate in &*candidates {
            command(&mut commands, b"info ", &candidate.hash);
        }
        if !self.send(Expected::Sizes(candidates.len()), commands)? {
            return Ok(false);
        }
        let Ok(sizes) = self.told.recv() else { return Ok(false) };
        let mut commands = Vec::new();
        let mut batch = Vec::new();
        for (candidate, size) in candidates.drain(..).zip(sizes) {
            let Some(size) = size else {
                if self.filtered {
                    self.counts.too_large += 1;
                } else {
                    self.counts.failed += 1;
                }
                continue;
            };
            if size > self.limits.file_bytes {
                self.counts.too_large += 1;
                continue;
            }
            let key = key(&candidate.hash)?;
            if !self.selection.whole_tree && !self.seen.insert(key) {
                self.counts.duplicate += 1;
                continue;
            }
            self.chosen += 1;
            if self.chosen > self.limits.files {
                return Err(Skip::TooBig(format!("more than {} source files", self.limits.files)));
            }
            command(&mut commands, b"contents ", &candidate.hash);
            batch.push(Wanted { path: candidate.path, class: candidate.class, size });
        }
        if batch.is_empty() {
            return Ok(true);
        }
        self.send(Expected::Contents(batch), commands)
    }

    /// Announces first and asks second: the reader must know what comes before git may block on sending it.
    fn send(&mut self, expected: Expected, mut commands: Vec<u8>) -> Result<bool, Skip> {
        if self.announce.send(expected).is_err() {
            return Ok(false);
        }
        commands.extend_from_slice(b"flush\n");
        self.requests.write_all(&commands).map_err(lost)?;
        self.requests.flush().map_err(lost)?;
        Ok(true)
    }
}

fn lost(error: std::io::Error) -> Skip {
    Skip::Corrupt(error.to_string())
}

fn command(commands: &mut Vec<u8>, verb: &[u8], hash: &[u8]) {
    commands.extend_from_slice(verb);
    commands.extend_from_slice(hash);
    commands.push(b'\n');
}

/// The first 128 bits of a hash.
fn key(hash: &[u8]) -> Result<u128, Skip> {
    hash.get(..32)
        .and_then(|digits| std::str::from_utf8(digits).ok())
        .and_then(|digits| u128::from_str_radix(digits, 16).ok())
        .ok_or_else(|| Skip::Corrupt("an object name is not a hash".into()))
}

/// Splits `mode type hash<TAB>path` and decides whether the file may be read.
fn choose(record: &[u8], counts: &mut FileCounts, selection: Selection) -> Option<Candidate> {
    let tab = memchr::memchr(b'\t', record)?;
    let path = &record[tab + 1..];
    let mut fields = record[..tab].split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let (mode, _kind, hash) = (fields.next()?, fields.next()?, fields.next()?);
    match mode {
        b"120000" => {
            counts.links += 1;
            return None;
        }
        b"160000" => {
            counts.submodules += 1;
            return None;
        }
        _ => {}
    }
    let class = selection.admit(classify(path), counts)?;
    Some(Candidate { path: path.to_vec(), class, hash: hash.to_vec() })
}

/// Reads what was asked for. Returns the number of absent objects and whether the visitor stopped early.
fn receive(
    mut answers: std::io::BufReader<ChildStdout>,
    announced: Receiver<Expected>,
    tell: Sender<Sizes>,
    visit: &Visit<'_>,
) -> std::io::Result<(u64, bool)> {
    let mut failed = 0;
    let mut body = Vec::new();
    for expected in announced {
        let batch = match expected {
            Expected::Sizes(count) => {
                let sizes: Sizes =
                    (0..count).map(|_| header(&mut answers)).collect::<std::io::Result<_>>()?;
                if tell.send(sizes).is_err() {
                    break;
                }
                continue;
            }
            Expected::Contents(batch) => batch,
        };
        for wanted in batch {
            let Some(size) = header(&mut answers)? else {
                failed += 1;
                continue;
            };
            if size != wanted.size {
                return Err(std::io::Error::other("an object has two sizes"));
            }
            body.clear();
            (&mut answers).take(size + 1).read_to_end(&mut body)?;
            if body.pop() != Some(b'\n') || body.len() as u64 != size {
                return Err(std::io::Error::other("an object broke off"));
            }
            if visit(&wanted.path, wanted.class, &body) == ControlFlow::Break(()) {
                return Ok((failed, true));
            }
        }
    }
    Ok((failed, false))
}

/// The size in an answer's first line, `hash type size`; none for `hash missing`.
fn header(answers: &mut impl BufRead) -> std::io::Result<Option<u64>> {
    let mut line = String::new();
    answers.take(256).read_line(&mut line)?;
    if line.ends_with(" missing\n") {
        return Ok(None);
    }
    match line.trim_end().rsplit(' ').next().and_then(|size| size.parse().ok()) {
        Some(size) if line.ends_with('\n') => Ok(Some(size)),
        Some(_) | None => {
            Err(std::io::Error::other(format!("unexpected object header `{}`", line.trim_end())))
        }
    }
}
