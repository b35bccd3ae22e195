//! Files of one commit, straight from git objects: nothing is ever checked out.
//!
//! `git ls-tree` names the files, a thread picks the wanted ones and asks `git cat-file` for them in batches, and the
//! caller reads them as they come. Paths are only labels here; no file is created or opened by any of them.

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
        command.args(["ls-tree", "-r", "-l", "-z", "--full-tree", &commit.hash]);
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
    let (listed, read) = std::thread::scope(|scope| {
        let asker = scope
            .spawn(move || ask(listing, requests, announce, commit.filtered, limits, selection));
        let read = receive(contents, announced, visit);
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

/// Reads the listing, asks for the wanted files, and announces them in the same order.
fn ask(
    mut listing: std::io::BufReader<ChildStdout>,
    requests: ChildStdin,
    announce: Sender<Vec<Wanted>>,
    filtered: bool,
    limits: &Limits,
    selection: Selection,
) -> Result<FileCounts, Skip> {
    let mut counts = FileCounts::default();
    let mut requests = BufWriter::with_capacity(32 << 10, requests);
    let mut seen = HashSet::new();
    let mut record = Vec::new();
    let mut batch = Vec::new();
    let mut commands = Vec::new();
    let mut chosen = 0_u64;
    let lost = |error: std::io::Error| Skip::Corrupt(error.to_string());
    loop {
        record.clear();
        let length = (&mut listing).take(LONGEST_PATH).read_until(0, &mut record).map_err(lost)?;
        if length == 0 {
            break;
        }
        if record.pop() != Some(0) {
            return Err(Skip::Corrupt(
                "a path is longer than 64 kB, or the listing broke off".into(),
            ));
        }
        counts.total += 1;
        let Some((hash, wanted)) =
            choose(&record, &mut counts, filtered, limits, selection, &mut seen)
        else {
            continue;
        };
        chosen += 1;
        if chosen > limits.files {
            return Err(Skip::TooBig(format!("more than {} source files", limits.files)));
        }
        commands.extend_from_slice(b"contents ");
        commands.extend_from_slice(hash);
        commands.push(b'\n');
        batch.push(wanted);
        if batch.len() == BATCH_FILES
            && !send(&mut requests, &mut commands, &announce, &mut batch).map_err(lost)?
        {
            return Ok(counts);
        }
    }
    send(&mut requests, &mut commands, &announce, &mut batch).map_err(lost)?;
    Ok(counts)
}

/// Announces first and asks second: the reader must know what comes before git may block on sending it.
/// False when nobody listens any more.
fn send(
    requests: &mut impl Write,
    commands: &mut Vec<u8>,
    announce: &Sender<Vec<Wanted>>,
    batch: &mut Vec<Wanted>,
) -> std::io::Result<bool> {
    if announce.send(std::mem::take(batch)).is_err() {
        return Ok(false);
    }
    commands.extend_from_slice(b"flush\n");
    requests.write_all(commands)?;
    requests.flush()?;
    commands.clear();
    Ok(true)
}

/// Splits `mode type hash size<TAB>path` and decides whether the file is read.
fn choose<'r>(
    record: &'r [u8],
    counts: &mut FileCounts,
    filtered: bool,
    limits: &Limits,
    selection: Selection,
    seen: &mut HashSet<u128>,
) -> Option<(&'r [u8], Wanted)> {
    let tab = memchr::memchr(b'\t', record)?;
    let path = &record[tab + 1..];
    let mut fields = record[..tab].split(|&byte| byte == b' ').filter(|field| !field.is_empty());
    let (mode, _kind, hash, size) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
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
    let size = match std::str::from_utf8(size).ok()?.parse::<u64>() {
        Ok(size) => size,
        Err(_) => {
            // git prints BAD for an object that is not there.
            if filtered {
                counts.too_large += 1;
            } else {
                counts.failed += 1;
            }
            return None;
        }
    };
    if size > limits.file_bytes {
        counts.too_large += 1;
        return None;
    }
    let key = u128::from_str_radix(std::str::from_utf8(hash.get(..32)?).ok()?, 16).ok()?;
    if !selection.whole_tree && !seen.insert(key) {
        counts.duplicate += 1;
        return None;
    }
    Some((hash, Wanted { path: path.to_vec(), class, size }))
}

/// Reads what was asked for. Returns the number of absent objects and whether the visitor stopped early.
fn receive(
    mut contents: std::io::BufReader<ChildStdout>,
    announced: Receiver<Vec<Wanted>>,
    visit: &Visit<'_>,
) -> std::io::Result<(u64, bool)> {
    let mut failed = 0;
    let mut header = String::new();
    let mut body = Vec::new();
    for batch in announced {
        for wanted in batch {
            header.clear();
            (&mut contents).take(256).read_line(&mut header)?;
            if header.ends_with(" missing\n") {
                failed += 1;
                continue;
            }
            let size: u64 = header
                .trim_end()
                .rsplit(' ')
                .next()
                .and_then(|size| size.parse().ok())
                .filter(|&size| size == wanted.size)
                .ok_or_else(|| {
                    std::io::Error::other(format!(
                        "unexpected object header `{}`",
                        header.trim_end()
                    ))
                })?;
            body.clear();
            (&mut contents).take(size + 1).read_to_end(&mut body)?;
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
