//! Child processes under guard: each runs in a process group of its own, which is killed as a whole when its time is
//! over, when its download grows too large, or when the program is interrupted.

use std::collections::BTreeSet;
use std::io::{BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit, waitid,
};

use crate::skip::Skip;

/// Why a process was killed.
const ALIVE: u8 = 0;
const OUT_OF_TIME: u8 = 1;
const TOO_BIG: u8 = 2;

/// Kept of standard error (bytes): the end, where git says what went wrong.
const STDERR_KEPT: usize = 64 << 10;

/// Process groups to kill when the program is interrupted.
static GROUPS: Mutex<BTreeSet<i32>> = Mutex::new(BTreeSet::new());

/// Nothing is started any more.
static OVER: AtomicBool = AtomicBool::new(false);

/// Kills every child process that is still running and lets no other start; repositories not begun yet are skipped
/// without touching the disk. For interrupt handlers.
pub fn kill_children() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    OVER.store(true, Ordering::SeqCst);
    for &group in groups.iter() {
        kill(group);
    }
}

/// Whether [`kill_children`] was called.
pub(crate) fn is_over() -> bool {
    OVER.load(Ordering::SeqCst)
}

fn kill(group: i32) {
    if let Some(group) = Pid::from_raw(group) {
        // The group may be gone already; there is nothing to do about it then.
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// A child process under guard.
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
    /// Memory that it, and each process it starts, may have (bytes). A small pack can ask for any amount of it.
    pub(crate) memory: Option<u64>,
    /// Killed when this says true; asked a few times a second.
    pub(crate) too_big: Option<Box<dyn Fn() -> bool + Send>>,
}

impl From<Instant> for Guard {
    fn from(deadline: Instant) -> Self {
        Self { deadline, memory: None, too_big: None }
    }
}

/// Starts a command with all three streams piped.
///
/// # Errors
/// [`Skip::NoGit`] when it cannot be started.
pub(crate) fn start(mut command: Command, guard: Guard) -> Result<Running, Skip> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    let (mut child, group) = {
        // Held while it starts: an interrupt finds it in the list, or it does not start.
        let mut groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
        if is_over() {
            return Err(Skip::Internal("the survey was interrupted".into()));
        }
        let child = command.spawn().map_err(|error| Skip::NoGit(error.to_string()))?;
        let group = i32::try_from(child.id()).map_err(|error| Skip::NoGit(error.to_string()))?;
        groups.insert(group);
        // From here on: what it has taken since its start is at most its own program.
        if let (Some(_), Some(process)) = (guard.memory, Pid::from_raw(group)) {
            let limit = Rlimit { current: guard.memory, maximum: guard.memory };
            // It may have ended already.
            let _ = prlimit(Some(process), Resource::Data, limit);
        }
        (child, group)
    };
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
        // Helpers of git may outlive it and would keep the error stream open. They are killed while the process is
        // still unreaped: afterwards its number may belong to somebody else.
        if let Some(process) = i32::try_from(self.child.id()).ok().and_then(Pid::from_raw) {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(process), options), Err(Errno::INTR)) {}
        }
        self.end_group();
        let status = self.child.wait();
        let stderr = self.stderr.take().and_then(|thread| thread.join().ok()).unwrap_or_default();
        match self.fate.load(Ordering::SeqCst) {
            OUT_OF_TIME => Err(Skip::TimedOut("the process did not finish in time".into())),
            TOO_BIG => Err(Skip::TooBig("the download exceeds the limit".into())),
            _ => Ok(Ended { success: status.is_ok_and(|status| status.success()), stderr }),
        }
    }

    /// Kills what is left of the group, once.
    fn end_group(&mut self) {
        if self.guard.is_none() {
            return;
        }
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

/// Runs any command to its end and returns its standard output (at most `longest` bytes). It gets no input.
/// For provers: the whole process group is killed after `time`.
///
/// # Errors
/// Why there is no output, in words.
pub fn run_limited(command: Command, time: Duration, longest: u64) -> Result<Vec<u8>, String> {
    let mut running =
        start(command, Guard::from(Instant::now() + time)).map_err(|skip| skip.to_string())?;
    drop(running.stdin());
    let mut bytes = Vec::new();
    if let Some(stdout) = running.stdout() {
        stdout.take(longest).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    }
    let ended = running.finish().map_err(|skip| skip.to_string())?;
    if ended.success || !bytes.is_empty() {
        Ok(bytes)
    } else {
        Err(crate::git::last_line(&ended.stderr))
    }
}
