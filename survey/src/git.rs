//! The only place that starts the git command.
//!
//! Repositories are hostile until proved otherwise. Therefore: no inherited environment except what reaching a
//! server needs; no configuration of the user or the system; every setting of a repository that could run a program
//! overridden on the command line; only plumbing that neither checks out, nor filters, nor follows submodules;
//! transports that run commands refused; no prompt can appear; every process runs in a group of its own that is
//! killed when its time is over.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use crate::skip::Skip;

/// What a git process is allowed to reach.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Only objects on this machine.
    Nothing,
    /// Servers (and, for `file://`, other repositories of this machine).
    Network,
}

/// Settings that could start a program or reach out, with the value that prevents it.
/// Command-line settings win over every configuration file of a repository.
const SETTINGS: [&str; 26] = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.attributesFile=/dev/null",
    "core.excludesFile=/dev/null",
    "core.pager=cat",
    "core.askPass=",
    "core.sshCommand=",
    "core.gitProxy=",
    "core.alternateRefsCommand=",
    "core.symlinks=false",
    "credential.helper=",
    "credential.interactive=never",
    "fetch.recurseSubmodules=false",
    "submodule.recurse=false",
    "fetch.writeCommitGraph=false",
    "gc.auto=0",
    "maintenance.auto=false",
    "filter.lfs.smudge=",
    "filter.lfs.process=",
    "http.followRedirects=initial",
    "http.lowSpeedLimit=1000",
    "http.lowSpeedTime=60",
    "advice.detachedHead=false",
    "uploadpack.packObjectsHook=",
    "protocol.allow=never",
];

/// Variables of the caller that a connection may need.
const PASSED_ON: [&str; 14] = [
    "PATH", "TMPDIR", "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO", "SSH_AUTH_SOCK", "CURL_CA_BUNDLE",
];

/// A git command with every safety setting.
pub(crate) fn git(git_dir: Option<&Path>, reach: Reach) -> Command {
    let mut command = Command::new("git");
    command.env_clear();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    for (name, value) in [
        ("LC_ALL", "C"),
        ("HOME", "/nonexistent"), // no ~/.netrc, no ~/.config/git
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        ("GIT_ATTR_NOSYSTEM", "1"),
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_ASKPASS", ""),
        ("SSH_ASKPASS", ""),
        ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=20 -oStrictHostKeyChecking=yes"),
        ("GIT_LFS_SKIP_SMUDGE", "1"),
        ("GIT_NO_LAZY_FETCH", "1"),
        ("GIT_NO_REPLACE_OBJECTS", "1"),
        ("GIT_OPTIONAL_LOCKS", "0"),
        ("GIT_PROTOCOL_FROM_USER", "0"),
    ] {
        command.env(name, value);
    }
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    if reach == Reach::Network {
        for scheme in ["https", "http", "ssh", "git", "file"] {
            command.args(["-c", &format!("protocol.{scheme}.allow=always")]);
        }
        // Response headers tell how long a rate limit lasts; nothing else of the trace is used.
        command.env("GIT_TRACE_CURL", "1").env("GIT_TRACE_CURL_NO_DATA", "1").env("GIT_TRACE_REDACT", "1");
    }
    command.arg("--no-pager");
    if let Some(git_dir) = git_dir {
        command.env("GIT_DIR", git_dir).current_dir("/");
    }
    command
}

/// Why a process was killed.
const ALIVE: u8 = 0;
const OUT_OF_TIME: u8 = 1;
const TOO_BIG: u8 = 2;

/// Kept of standard error (bytes): the end, where git says what went wrong.
const STDERR_KEPT: usize = 64 << 10;

/// Process groups to kill when the program is interrupted.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Kills every git process that is still running. For interrupt handlers.
pub fn kill_children() {
    for &group in GROUPS.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        kill(group);
    }
}

fn kill(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // The group may be gone already; there is nothing to do about it then.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A git process under guard.
pub(crate) struct Running {
    child: Child,
    fate: Arc<AtomicU8>,
    // Dropping the sender ends the guard.
    guard: Option<(mpsc::Sender<()>, JoinHandle<()>)>,
    stderr: Option<JoinHandle<String>>,
}

/// How a process ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) success: bool,
    /// The end of its standard error.
    pub(crate) stderr: String,
}

/// Limits of one process.
pub(crate) struct Guard {
    /// Killed then.
    pub(crate) deadline: Instant,
    /// Killed when this says true; asked a few times a second.
    pub(crate) too_big: Option<Box<dyn Fn() -> bool + Send>>,
}

impl From<Instant> for Guard {
    fn from(deadline: Instant) -> Self {
        Self { deadline, too_big: None }
    }
}

/// Starts a git command with all three streams piped.
///
/// # Errors
/// [`Skip::NoGit`] when it cannot be started.
pub(crate) fn start(mut command: Command, guard: Guard) -> Result<Running, Skip> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let mut child = command.spawn().map_err(|error| Skip::NoGit(error.to_string()))?;
    let group = i32::try_from(child.id()).map_err(|error| Skip::NoGit(error.to_string()))?;
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(group);
    let stderr = child.stderr.take().map(|stream| std::thread::spawn(move || tail(stream)));
    let fate = Arc::new(AtomicU8::new(ALIVE));
    let (stop, stopped) = mpsc::channel();
    let watched = Arc::clone(&fate);
    let watcher = std::thread::spawn(move || watch(group, &guard, &watched, &stopped));
    Ok(Running { child, fate, guard: Some((stop, watcher)), stderr })
}

fn watch(group: i32, guard: &Guard, fate: &AtomicU8, stopped: &mpsc::Receiver<()>) {
    let interval = Duration::from_millis(200);
    loop {
        let left = guard.deadline.saturating_duration_since(Instant::now());
        let wait = if guard.too_big.is_some() { left.min(interval) } else { left };
        if stopped.recv_timeout(wait) != Err(mpsc::RecvTimeoutError::Timeout) {
            return;
        }
        let verdict = if guard.deadline <= Instant::now() {
            OUT_OF_TIME
        } else if guard.too_big.as_ref().is_some_and(|too_big| too_big()) {
            TOO_BIG
        } else {
            continue;
        };
        fate.store(verdict, Ordering::SeqCst);
        kill(group);
        return;
    }
}

fn tail(mut stream: impl Read) -> String {
    let mut kept = Vec::new();
    let mut block = [0; 8192];
    while let Ok(length @ 1..) = stream.read(&mut block) {
        kept.extend_from_slice(&block[..length]);
        if kept.len() > 2 * STDERR_KEPT {
            kept.drain(..kept.len() - STDERR_KEPT);
        }
    }
    String::from_utf8_lossy(&kept).into_owned()
}

impl Running {
    /// Its standard input, once.
    pub(crate) fn stdin(&mut self) -> Option<ChildStdin> {
        self.child.stdin.take()
    }

    /// Its standard output, once.
    pub(crate) fn stdout(&mut self) -> Option<BufReader<ChildStdout>> {
        self.child.stdout.take().map(|stream| BufReader::with_capacity(256 << 10, stream))
    }

    /// Waits for the end.
    ///
    /// # Errors
    /// [`Skip::TimedOut`] or [`Skip::TooBig`] when the guard killed it.
    pub(crate) fn finish(mut self) -> Result<Ended, Skip> {
        self.child.stdin.take();
        self.child.stdout.take();
        let status = self.child.wait();
        // Helpers of git may outlive it and would keep the error stream open.
        self.end_group();
        let stderr = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        match self.fate.load(Ordering::SeqCst) {
            OUT_OF_TIME => Err(Skip::TimedOut("git did not finish in time".into())),
            TOO_BIG => Err(Skip::TooBig("the download exceeds the limit".into())),
            _ => Ok(Ended { success: status.is_ok_and(|status| status.success()), stderr }),
        }
    }

    fn end_group(&mut self) {
        if let Ok(group) = i32::try_from(self.child.id()) {
            kill(group);
            GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&group);
        }
        if let Some((stop, watcher)) = self.guard.take() {
            drop(stop);
            // The guard only sleeps and kills; it cannot fail in a way that matters here.
            let _ = watcher.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end_group();
        // Reaps it; an error means that it is reaped already.
        let _ = self.child.wait();
    }
}

/// Runs a short command to its end and returns what it printed (at most 64 kB).
///
/// # Errors
/// The guard's, [`Skip::NoGit`], or the command's own message through `failed`.
pub(crate) fn output(
    git_dir: Option<&Path>,
    arguments: &[&OsStr],
    deadline: Instant,
    failed: impl FnOnce(String) -> Skip,
) -> Result<String, Skip> {
    let mut command = git(git_dir, Reach::Nothing);
    command.args(arguments);
    let mut running = start(command, deadline.into())?;
    let mut text = String::new();
    if let Some(stdout) = running.stdout() {
        let mut bytes = Vec::new();
        stdout.take(64 << 10).read_to_end(&mut bytes).map_err(|error| Skip::Corrupt(error.to_string()))?;
        text = String::from_utf8_lossy(&bytes).trim().to_owned();
    }
    let ended = running.finish()?;
    if ended.success { Ok(text) } else { Err(failed(last_line(&ended.stderr))) }
}

/// The last `fatal:` or `error:` line, else the last line, for messages.
pub(crate) fn last_line(stderr: &str) -> String {
    let lines = || stderr.lines().map(str::trim).filter(|line| !line.is_empty());
    let line = lines()
        .rfind(|line| line.starts_with("fatal:") || line.starts_with("error:") || line.starts_with("remote:"))
        .or_else(|| lines().next_back())
        .unwrap_or("git failed without a message");
    line.chars().take(300).collect()
}
