//! Running the program under the preloaded object.

use std::ffi::OsString;
use std::fs::File;
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use echo_runtime::control::Control;
use echo_runtime::{Outcome, outcome, wire};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

use super::status::{NOT_EXECUTABLE, NOT_FOUND};

/// `off` makes every call stack be unwound anew: for programs that unmap the stacks of their fibers.
const STACK_CACHE: &str = "ECHO_DR_STACK_CACHE";

/// A finished run.
pub(crate) struct Finished {
    /// How the program ended.
    pub(crate) status: ExitStatus,
    /// What the object did.
    pub(crate) outcome: Outcome,
    /// Wall time.
    pub(crate) wall: Duration,
    /// The last of what it wrote to stderr, if that was kept.
    pub(crate) errors: String,
    /// It was given up.
    pub(crate) timed_out: bool,
}

/// The program could not be started; holds the exit status for that.
#[derive(Debug, thiserror::Error)]
#[error("cannot start {program}: {source}")]
pub(crate) struct NotStarted {
    program: String,
    source: std::io::Error,
    /// 126 or 127.
    pub(crate) code: u8,
}

/// How a run treats the program's input and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Streams {
    /// Untouched.
    Inherited,
    /// No input, no output; stderr is kept for a message. The run dies with echo-dr.
    Silent {
        /// Time after which it is given up.
        limit: Duration,
    },
}

/// A folder for control files and outcome pages, removed at the end.
pub(crate) struct Session {
    folder: tempfile::TempDir,
    object: PathBuf,
}

impl Session {
    /// Prepares a session.
    pub(crate) fn new() -> anyhow::Result<Session> {
        let folder = tempfile::Builder::new()
            .prefix("echo-dr-")
            .tempdir()
            .context("cannot make a temporary folder")?;
        Ok(Session { folder, object: super::preload::object()? })
    }

    /// The preloaded object.
    pub(crate) fn object(&self) -> &Path {
        &self.object
    }

    /// A file name in the session's folder.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program under a control file.
    pub(crate) fn run(
        &self,
        program: &[OsString],
        control: &Control,
        trace: Option<&Path>,
        streams: Streams,
    ) -> anyhow::Result<Finished> {
        let control_path = self.file("control");
        let page_path = self.file("outcome");
        let mut control = control.clone();
        if std::env::var_os(STACK_CACHE).is_some_and(|value| value == "off") {
            control.flags |= wire::flag::NO_SITE_CACHE;
        }
        std::fs::write(&control_path, control.bytes()).context("cannot write the control file")?;
        std::fs::write(&page_path, outcome::blank()).context("cannot write the outcome page")?;
        let Some((name, rest)) = program.split_first() else { bail!("no program was given") };
        let mut command = Command::new(name);
        command.args(rest);
        let mut preload = OsString::from(&self.object);
        if let Some(others) = std::env::var_os("LD_PRELOAD").filter(|others| !others.is_empty()) {
            preload.push(":");
            preload.push(others);
        }
        command.env("LD_PRELOAD", preload);
        command.env(wire::ENV_CONTROL, &control_path).env(wire::ENV_OUTCOME, &page_path);
        if let Some(trace) = trace {
            command.env(wire::ENV_TRACE, trace);
        }
        let mut kept = None;
        if let Streams::Silent { .. } = streams {
            let errors = File::options()
                .create(true)
                .truncate(true)
                .read(true)
                .write(true)
                .open(self.file("stderr"))
                .context("cannot keep the program's messages")?;
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.try_clone()?);
            // A launcher's children are ended with it.
            command.process_group(0);
            die_with_parent(&mut command);
            kept = Some(errors);
        }
        let start = Instant::now();
        let mut child = command.spawn().map_err(|source| NotStarted {
            program: name.to_string_lossy().into_owned(),
            code: if source.kind() == ErrorKind::NotFound { NOT_FOUND } else { NOT_EXECUTABLE },
            source,
        })?;
        forward_signals(&child, streams != Streams::Inherited)?;
        let limit = match streams {
            Streams::Inherited => None,
            Streams::Silent { limit } => Some(limit),
        };
        let (status, timed_out) = wait(&mut child, limit)?;
        CHILD.store(0, Ordering::SeqCst);
        let wall = start.elapsed();
        let page = std::fs::read(&page_path).unwrap_or_default();
        Ok(Finished {
            status,
            outcome: outcome::decode(&page),
            wall,
            errors: kept.map(tail).unwrap_or_default(),
            timed_out,
        })
    }
}

/// Makes the kernel end a measured run if echo-dr is killed: nobody would look at it any more.
#[allow(unsafe_code)]
fn die_with_parent(command: &mut Command) {
    // SAFETY: prctl is async-signal-safe and touches no memory.
    unsafe {
        command.pre_exec(|| {
            nix::sys::prctl::set_pdeathsig(Signal::SIGKILL).map_err(std::io::Error::from)
        });
    }
}

fn wait(child: &mut Child, limit: Option<Duration>) -> anyhow::Result<(ExitStatus, bool)> {
    let Some(limit) = limit else { return Ok((child.wait()?, false)) };
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, false));
        }
        if start.elapsed() > limit {
            end_group(child.id());
            child.kill()?;
            return Ok((child.wait()?, true));
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// Ends the process group that a silent run leads. It may have ended by itself.
fn end_group(leader: u32) {
    if let Ok(leader) = i32::try_from(leader) {
        let _ = killpg(Pid::from_raw(leader), Signal::SIGKILL);
    }
}

static CHILD: AtomicI32 = AtomicI32::new(0);
/// Whether the child leads a process group of its own.
static LEADS: AtomicBool = AtomicBool::new(false);

/// Hands termination signals on to the program. Those of the terminal reach it anyway; echo-dr only
/// must not end before it. A silent run is ended, and echo-dr with it.
fn forward_signals(child: &Child, leads: bool) -> anyhow::Result<()> {
    LEADS.store(leads, Ordering::SeqCst);
    CHILD.store(i32::try_from(child.id())?, Ordering::SeqCst);
    static ONCE: std::sync::Once = std::sync::Once::new();
    let mut result = Ok(());
    ONCE.call_once(|| {
        result = signal_hook::iterator::Signals::new([SIGINT, SIGQUIT, SIGTERM, SIGHUP]).map(
            |mut signals| {
                std::thread::spawn(move || {
                    for number in signals.forever() {
                        let child = CHILD.load(Ordering::SeqCst);
                        if child == 0 {
                            // Between two runs the signal is for echo-dr alone.
                            let _ = signal_hook::low_level::emulate_default_handler(number);
                        } else if LEADS.load(Ordering::SeqCst) {
                            end_group(child.unsigned_abs());
                            let _ = signal_hook::low_level::emulate_default_handler(number);
                        } else if number != SIGINT
                            && number != SIGQUIT
                            && let Ok(number) = Signal::try_from(number)
                        {
                            let _ = kill(Pid::from_raw(child), number);
                        }
                    }
                });
            },
        );
    });
    result.context("cannot watch for signals")
}

fn tail(mut file: File) -> String {
    let length = file.seek(SeekFrom::End(0)).unwrap_or(0);
    let _ = file.seek(SeekFrom::Start(length.saturating_sub(2000)));
    let mut bytes = Vec::new();
    let _ = file.read_to_end(&mut bytes);
    String::from_utf8_lossy(&bytes).trim().to_owned()
}
