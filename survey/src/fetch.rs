//! Bringing a repository into the cache: one commit, shallow, without large files, into a bare repository.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use sha1::{Digest, Sha1};

use crate::git::{Reach, git};
use crate::guard::{Guard, Running, start};
use crate::limits::Limits;
use crate::list::{Entry, Origin};
use crate::objects::{Commit, resolve};
use crate::retry::{Failure, Gate, back_off, judge};
use crate::skip::Skip;

/// Where repositories come from and go.
#[derive(Debug)]
pub struct Cache {
    /// Folder of bare repositories.
    pub folder: PathBuf,
    /// Use only what the cache has.
    pub offline: bool,
    /// Delete each repository after its scan, so that a survey of any length needs constant space.
    pub discard: bool,
    /// Prefix of `owner/name`, normally `https://github.com`.
    pub github: String,
}

/// The pinned (or newest) commit of a remote repository.
///
/// # Errors
/// Any [`Skip`].
pub(crate) fn bring(
    entry: &Entry,
    cache: &Cache,
    limits: &Limits,
    gate: &Gate,
    pause: &(dyn Fn(Duration) + Sync),
) -> Result<Commit, Skip> {
    let (url, folder) = match &entry.origin {
        Origin::GitHub { owner, name } => {
            let path = format!("{owner}/{name}");
            (
                format!("{}/{path}.git", cache.github.trim_end_matches('/')),
                cache.folder.join("github").join(path),
            )
        }
        Origin::Url(url) => (url.clone(), cache.folder.join("url").join(short_hash(url))),
        Origin::Local(path) => return Err(Skip::NoFolder(path.display().to_string())),
    };
    let git_dir = folder.with_added_extension("git");
    let io = |error: std::io::Error| Skip::Network(format!("cache: {error}"));
    if let Some(parent) = git_dir.parent() {
        fs::create_dir_all(parent).map_err(io)?;
    }
    // Two lines of the list, or two machines with one cache, may want the same repository.
    let lock = File::create(folder.with_added_extension("lock")).map_err(io)?;
    lock.lock().map_err(io)?;
    let deadline = || Instant::now() + limits.fetch_time;
    let reference = match &entry.commit {
        Some(commit) => format!("refs/echo/{commit}"),
        None => "refs/echo/head".to_owned(),
    };
    let present = |git_dir: &Path| resolve(git_dir, Some(&reference), deadline());
    let known = match &entry.commit {
        // We wrote this reference ourselves when the commit was complete; asking git again costs a process.
        Some(commit) => recorded(&git_dir, commit),
        None => git_dir.is_dir().then(|| present(&git_dir)).and_then(Result::ok),
    };
    match known {
        Some(hash) if cache.offline || entry.commit.is_some() => {
            return Ok(Commit { git_dir, hash, filtered: true });
        }
        _ if cache.offline => return Err(Skip::NotCached),
        Some(_) | None => {}
    }
    tidy(&git_dir);
    let fetched = fetch(&git_dir, &url, entry.commit.as_deref(), &reference, limits, gate, pause);
    if let Err(skip) = fetched {
        tidy(&git_dir);
        return Err(skip);
    }
    let hash = present(&git_dir)?;
    Ok(Commit { git_dir, hash, filtered: true })
}

/// The pinned commit, if an earlier fetch recorded it.
fn recorded(git_dir: &Path, commit: &str) -> Option<String> {
    let content = fs::read_to_string(git_dir.join("refs/echo").join(commit)).ok()?;
    (content.trim() == commit).then(|| commit.to_owned())
}

/// Removes what a failed or killed fetch left behind; the caller holds the lock, so no fetch is under way.
/// Best effort: what cannot be removed is met again by the fetch, which says so.
fn tidy(git_dir: &Path) {
    let listed = |folder: &str| fs::read_dir(git_dir.join(folder)).into_iter().flatten().flatten();
    let is_half = |name: &OsStr| name.to_string_lossy().ends_with(".lock");
    if listed("refs/echo").all(|entry| is_half(&entry.file_name())) {
        // Half a download must not be taken for a repository later.
        let _ = fs::remove_dir_all(git_dir);
        return;
    }
    for entry in listed("").chain(listed("refs/echo")).chain(listed("objects/pack")) {
        let name = entry.file_name();
        if is_half(&name) || name.to_string_lossy().starts_with("tmp_") {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Removes a repository from the cache.
pub(crate) fn discard(commit: &Commit) {
    // Best effort: a leftover costs space, nothing else.
    let _ = fs::remove_dir_all(&commit.git_dir);
}

fn fetch(
    git_dir: &Path,
    url: &str,
    commit: Option<&str>,
    reference: &str,
    limits: &Limits,
    gate: &Gate,
    pause: &(dyn Fn(Duration) + Sync),
) -> Result<(), Skip> {
    let host = host(url);
    let mut last = Skip::Network("no attempt was made".into());
    for attempt in 1..=limits.attempts {
        let closed = gate.wait(&host);
        if closed > Duration::ZERO {
            pause(closed);
        }
        match once(git_dir, url, commit, reference, limits) {
            Ok(()) => return Ok(()),
            Err(Failure::Final(skip)) => return Err(skip),
            Err(Failure::RateLimited { wait, message }) => {
                let wait = wait.unwrap_or_else(|| back_off(attempt + 2));
                last = Skip::RateLimited(message);
                if wait > limits.longest_wait {
                    return Err(Skip::RateLimited(format!(
                        "the server asks to wait {} s",
                        wait.as_secs()
                    )));
                }
                gate.close(&host, wait);
            }
            Err(Failure::Passing(message)) => {
                last = Skip::Network(message);
                if attempt < limits.attempts {
                    pause(back_off(attempt));
                }
            }
        }
    }
    Err(last)
}

fn once(
    git_dir: &Path,
    url: &str,
    commit: Option<&str>,
    reference: &str,
    limits: &Limits,
) -> Result<(), Failure> {
    let deadline = Instant::now() + limits.fetch_time;
    if !git_dir.join("HEAD").is_file() {
        let mut init = git(None, Reach::Nothing);
        // An empty template: no hooks, no description, nothing of the machine's.
        init.args(["init", "--quiet", "--bare", "--template="]);
        if commit.is_some_and(|commit| commit.len() == 64) {
            init.arg("--object-format=sha256");
        }
        init.arg(git_dir);
        let ended =
            start(init, deadline.into()).and_then(Running::finish).map_err(Failure::Final)?;
        if !ended.success {
            return Err(Failure::Final(Skip::Network(crate::git::last_line(&ended.stderr))));
        }
    }
    let mut command = git(Some(git_dir), Reach::Network);
    command.args([
        "fetch",
        "--quiet",
        "--depth=1",
        "--no-tags",
        "--no-recurse-submodules",
        "--no-write-fetch-head",
    ]);
    command.args(["--no-auto-maintenance", "--update-shallow"]);
    command.arg(format!("--filter=blob:limit={}", limits.file_bytes + 1));
    command.args(["--end-of-options", url, &format!("+{}:{reference}", commit.unwrap_or("HEAD"))]);
    let (watched, limit) = (git_dir.to_path_buf(), limits.fetch_bytes);
    let too_big = move || size_of(&watched.join("objects")) > limit;
    let guard =
        Guard { deadline, memory: Some(limits.git_memory), too_big: Some(Box::new(too_big)) };
    let ended = start(command, guard).and_then(Running::finish).map_err(Failure::Final)?;
    if !ended.success {
        return Err(judge(&ended.stderr, commit));
    }
    // A fast download may be over before the guard has looked once.
    if size_of(&git_dir.join("objects")) > limit {
        // Not to be taken for a complete one the next time.
        let _ = fs::remove_file(git_dir.join(reference));
        return Err(Failure::Final(Skip::TooBig("the download exceeds the limit".into())));
    }
    Ok(())
}

/// Bytes below a folder of git objects; packs lie at most two levels deep.
fn size_of(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    entries
        .filter_map(Result::ok)
        .map(|entry| match entry.metadata() {
            Ok(meta) if meta.is_dir() => size_of(&entry.path()),
            Ok(meta) => meta.len(),
            Err(_) => 0,
        })
        .sum()
}

fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split(['/', ':']).next().unwrap_or_default().to_ascii_lowercase()
}

fn short_hash(text: &str) -> String {
    Sha1::digest(text.as_bytes()).iter().take(10).map(|byte| format!("{byte:02x}")).collect()
}
