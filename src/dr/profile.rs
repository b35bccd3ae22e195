//! Phase 1.

use std::path::Path;

use anyhow::{Context, bail};
use echo_runtime::control::Control;
use echo_runtime::{Trace, trace, wire};

use super::arguments::Profile;
use super::session::{Finished, Session, Streams};
use super::status::{End, describe};

/// `echo-dr profile`.
pub(crate) fn profile(options: &Profile) -> anyhow::Result<End> {
    let session = Session::new()?;
    let finished = record(&session, &options.program.command, options.min_size, &options.output)?;
    match recorded(&finished, &options.output) {
        Ok(trace) => {
            let copies = trace
                .events
                .iter()
                .filter(|event| matches!(event, trace::Event::Copied { .. }))
                .count();
            eprintln!(
                "echo-dr: {} events, {copies} copies of {} bytes or more in {}{}",
                trace.events.len(),
                options.min_size,
                options.output.display(),
                caveats(&trace),
            );
            let (spent, calls) = finished.outcome.hook;
            if calls > 0 {
                eprintln!("echo-dr: hooks took {:.0} ns per copy", spent as f64 / calls as f64);
            }
            if !finished.status.success() {
                eprintln!(
                    "echo-dr: the program {}; the trace holds what it did until then",
                    describe(finished.status)
                );
            }
        }
        Err(error) => eprintln!("echo-dr: no trace: {error:#}"),
    }
    Ok(End::Like(finished.status))
}

/// Runs the program and records a trace at `output`.
pub(crate) fn record(
    session: &Session,
    program: &[std::ffi::OsString],
    threshold: u64,
    output: &Path,
) -> anyhow::Result<Finished> {
    if threshold == 0 {
        bail!("--min-size must be at least 1");
    }
    // Found out before the program runs for nothing.
    std::fs::File::create(output)
        .with_context(|| format!("cannot write trace {}", output.display()))?;
    let output = output.canonicalize()?;
    let control = Control { mode: wire::mode::PROFILE, threshold, ..Control::default() };
    let finished = session.run(program, &control, Some(&output), Streams::Inherited);
    if std::fs::metadata(&output).is_ok_and(|file| file.len() == 0) {
        let _ = std::fs::remove_file(&output);
    }
    finished
}

/// The trace that a profile run left.
pub(crate) fn recorded(finished: &Finished, output: &Path) -> anyhow::Result<Trace> {
    if !output.exists() {
        let why = match finished.outcome.state {
            wire::state::LOADED => {
                "the program allocated no device buffer of that size through the CUDA driver"
            }
            _ => finished.outcome.why_inactive().unwrap_or("nothing was recorded"),
        };
        bail!("{why} (`echo-dr doctor` may know more)");
    }
    Ok(trace::read(output)?)
}

/// What is missing from a trace, in words.
pub(crate) fn caveats(trace: &Trace) -> String {
    let mut text = String::new();
    if !trace.clean {
        text.push_str("; the program did not end in order");
    }
    if trace.truncated {
        text.push_str("; the file is cut off");
    }
    if trace.torn > 0 {
        text.push_str(&format!("; {} unfinished records", trace.torn));
    }
    if trace.overflow {
        text.push_str("; recording stopped early");
    }
    text
}
