//! A worker as its parent sees it.

use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use nix::time::clock_getcpuclockid;
use nix::unistd::Pid;

use super::message::{read_message, write_message};

/// Longest time of a processor that one task may take.
const LIMIT: Duration = Duration::from_secs(60);
/// Longest time by the clock: a worker may wait for something, or for a processor on a busy machine.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often the limits are looked at.
const LOOK: Duration = Duration::from_millis(50);

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Lost {
    /// A limit was reached.
    Late(String),
    /// The worker could not be started, or ended without one.
    Ended(String),
}

impl Lost {
    /// In words.
    pub(crate) fn why(self) -> String {
        match self {
            Self::Late(why) | Self::Ended(why) => why,
        }
    }
}

/// A running `echo-fix __worker`; it is stopped when this is dropped.
#[derive(Debug)]
pub(crate) struct WorkerProcess {
    child: Child,
    input: ChildStdin,
    answers: Receiver<std::io::Result<Option<Vec<u8>>>>,
}

impl WorkerProcess {
    /// Starts one.
    pub(crate) fn start() -> Result<Self, Lost> {
        let program = std::env::current_exe()
            .map_err(|e| Lost::Ended(format!("cannot find this program: {e}")))?;
        let mut child = Command::new(program)
            .arg("__worker")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| Lost::Ended(format!("cannot start a worker: {e}")))?;
        let (Some(input), Some(mut output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(Lost::Ended("the worker has no input or output".to_owned()));
        };
        let (sender, answers) = channel();
        std::thread::spawn(move || {
            loop {
                let message = read_message(&mut output);
                let is_last = !matches!(message, Ok(Some(_)));
                if sender.send(message).is_err() || is_last {
                    break;
                }
            }
        });
        Ok(Self { child, input, answers })
    }

    /// The answer to `task`. After an error the worker is of no use.
    pub(crate) fn ask(&mut self, task: &[u8]) -> Result<Vec<u8>, Lost> {
        let (start, before) = (Instant::now(), self.processor_time());
        // A worker that died early is noticed below.
        let _ = write_message(&mut self.input, task);
        loop {
            match self.answers.recv_timeout(LOOK) {
                Ok(Ok(Some(answer))) => return Ok(answer),
                Ok(Ok(None)) | Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait();
                    let how = status.map_or_else(|e| e.to_string(), |status| status.to_string());
                    return Err(Lost::Ended(format!("the parser ended abnormally ({how})")));
                }
                Ok(Err(error)) => {
                    return Err(Lost::Ended(format!("cannot read from the worker: {error}")));
                }
                Err(RecvTimeoutError::Timeout) => {
                    let waited = start.elapsed();
                    let worked = match (before, self.processor_time()) {
                        (Some(before), Some(now)) => now.saturating_sub(before),
                        (Some(_) | None, Some(_) | None) => waited,
                    };
                    let limit = if worked > LIMIT {
                        LIMIT
                    } else if waited > PATIENCE {
                        PATIENCE
                    } else {
                        continue;
                    };
                    return Err(Lost::Late(format!(
                        "the analysis took longer than {} s",
                        limit.as_secs()
                    )));
                }
            }
        }
    }

    /// What the worker has had of processors so far, where the system says so.
    fn processor_time(&self) -> Option<Duration> {
        let pid = Pid::from_raw(i32::try_from(self.child.id()).ok()?);
        clock_getcpuclockid(pid).ok()?.now().ok().map(Duration::from)
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // It has nothing to finish.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
