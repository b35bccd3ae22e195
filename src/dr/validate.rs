//! The validation run of phase 2: every candidate guarded, both buffers kept apart.

use std::ffi::OsString;
use std::time::Duration;

use echo_runtime::control::{Control, Rule};
use echo_runtime::plan::Pair;
use echo_runtime::{Rejection, Trace, wire};

use super::arguments::{Checks, Guard};
use super::session::{Session, Streams};
use super::status::describe;

/// What the validation run was.
pub(crate) struct Validation {
    /// `userfaultfd`, `protection` or `none`.
    pub(crate) guard: &'static str,
    /// What went wrong with the run as a whole.
    pub(crate) failure: Option<String>,
}

/// A control file for runs of phase 2, bound to the traced process.
pub(crate) fn bound(trace: &Trace, rules: Vec<Rule>, mode: u64) -> Control {
    Control {
        mode,
        threshold: trace.header.threshold,
        executable: trace.header.executable,
        arguments: trace.header.arguments,
        driver: trace.header.driver,
        uuid: trace.header.uuid,
        ordinal: trace.header.ordinal,
        marker: echo_runtime::control::marker(&rules),
        rules,
        ..Control::default()
    }
}

/// Validates the pairs that are still to be merged and rejects those that fail.
pub(crate) fn validate(
    session: &Session,
    program: &[OsString],
    trace: &Trace,
    pairs: &mut [Pair],
    rules: &[Rule],
    checks: &Checks,
) -> anyhow::Result<Validation> {
    let mut control = bound(trace, rules.to_vec(), wire::mode::VALIDATE);
    if !checks.no_s1_check {
        control.flags |= wire::flag::S1_CHECK;
    }
    if checks.guard == Guard::Protection {
        control.flags |= wire::flag::FORCE_PROTECT;
    }
    if trace.header.attributes & wire::attribute::CONCURRENT == 0 {
        control.flags |= wire::flag::EXCLUSIVE;
    }
    let limit = Duration::from_secs(checks.timeout);
    let finished = session.run(program, &control, None, Streams::Silent { limit })?;
    let outcome = &finished.outcome;
    let guard = match outcome.guard {
        1 => "userfaultfd",
        2 => "protection",
        _ => "none",
    };
    let failure = if finished.timed_out {
        Some(format!("it was given up after {} s", checks.timeout))
    } else if !finished.status.success() {
        Some(format!("it {}{}", describe(finished.status), quoted(&finished.errors)))
    } else {
        None
    };
    for (index, pair) in pairs.iter_mut().filter(|pair| pair.merge).enumerate() {
        let seen = &outcome.rules[index];
        for rejection in Rejection::of_faults(seen.faults) {
            pair.reject(rejection);
        }
        if seen.open > 0 {
            pair.reject(Rejection::IncompleteWindow);
        }
        if seen.copies == 0 || seen.opened == 0 {
            pair.reject(Rejection::NotValidated);
        }
        if failure.is_some() {
            pair.reject(Rejection::ValidationFailed);
        }
    }
    Ok(Validation { guard, failure })
}

/// The last lines that a failed run wrote, for a message.
pub(crate) fn quoted(errors: &str) -> String {
    match errors.lines().last() {
        Some(line) if !line.is_empty() => format!(" and said `{line}`"),
        _ => String::new(),
    }
}
