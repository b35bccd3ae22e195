//! Running a program under a setting.

use std::io::Read as _;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use wait_timeout::ChildExt as _;

use crate::{Ending, Error, Outcome, Program, Setting};

/// Runs a program with `arguments` in `folder` for at most `limit`. Its time limit counts wall time, so a setting's
/// outcome can differ between machines only by [`Ending::TimeOut`].
///
/// # Errors
/// If the process cannot be started.
pub fn run(
    program: &Program,
    arguments: &[String],
    folder: &Path,
    setting: &Setting,
    limit: Duration,
) -> Result<Outcome, Error> {
    let start = |source| Error::Start { program: program.file.display().to_string(), source };
    let mut command = Command::new(&program.file);
    // A fixed name: a program that prints argv[0] prints the same in both versions.
    command.arg0("program").args(arguments).current_dir(folder).envs(setting.environment());
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(start)?;
    let reader = |stream: Option<Box<dyn std::io::Read + Send>>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut stream) = stream {
                // What was read before a broken pipe is what the program wrote.
                let _ = stream.read_to_end(&mut bytes);
            }
            bytes
        })
    };
    let output = reader(child.stdout.take().map(|stream| Box::new(stream) as _));
    let errors = reader(child.stderr.take().map(|stream| Box::new(stream) as _));
    let status = child.wait_timeout(limit).map_err(start)?;
    let ending = match status {
        None => {
            // Failing to kill means that it ended in between.
            let _ = child.kill();
            child.wait().map_err(start)?;
            Ending::TimeOut
        }
        Some(status) => match (status.code(), status.signal()) {
            (Some(code), _) => Ending::from_code(code),
            (None, signal) => Ending::Signal(signal.unwrap_or(0)),
        },
    };
    let output = output.join().unwrap_or_default();
    let errors = errors.join().unwrap_or_default();
    let text = String::from_utf8_lossy(&errors);
    let (findings, errors): (Vec<&str>, Vec<&str>) =
        text.split_inclusive('\n').partition(|line| line.starts_with("ECHO-"));
    Ok(Outcome {
        ending,
        output,
        findings: findings.into_iter().map(|line| line.trim_end().to_owned()).collect(),
        errors: errors.concat().into_bytes(),
    })
}
