//! Unchanged and merged runs of phase 2: results compared, time measured.

use std::ffi::OsString;
use std::time::Duration;

use echo_runtime::calibrate::{self, spread};
use echo_runtime::control::{Control, Rule};
use echo_runtime::plan::{Backend, Trial};
use echo_runtime::{Decision, ProfitRule, Trace, wire};

use super::arguments::{Checks, Kind, Rule as RuleArgument};
use super::session::{Finished, Session, Streams};
use super::status::describe;
use super::validate::{bound, quoted};

/// Everything a run of phase 2 needs.
pub(crate) struct Bench<'a> {
    pub(crate) session: &'a Session,
    pub(crate) program: &'a [OsString],
    pub(crate) trace: &'a Trace,
    pub(crate) checks: &'a Checks,
}

/// Result of a merged run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Comparison {
    /// The same as unchanged, or there was nothing to compare with.
    Equal,
    /// Something else.
    Differs,
    /// The memory kind cannot be used, and why.
    Unusable(String),
}

/// Results of two unchanged runs.
pub(crate) struct Digests {
    /// Digest of all downloads and their number; `None` if the two runs differ.
    pub(crate) known: Option<(u64, u64)>,
}

impl Bench<'_> {
    fn run(&self, control: &Control) -> anyhow::Result<Result<Finished, String>> {
        let limit = Duration::from_secs(self.checks.timeout);
        let finished = self.session.run(self.program, control, None, Streams::Silent { limit })?;
        if finished.timed_out {
            return Ok(Err(format!("a run was given up after {} s", self.checks.timeout)));
        }
        if !finished.status.success() {
            let what = describe(finished.status);
            return Ok(Err(format!("a run {what}{}", quoted(&finished.errors))));
        }
        Ok(Ok(finished))
    }

    fn unchanged(&self, rules: &[Rule], flags: u64) -> Control {
        Control { flags, ..bound(self.trace, rules.to_vec(), wire::mode::OBSERVE) }
    }

    fn merged(&self, rules: &[Rule], backend: Backend, flags: u64) -> Control {
        let bound = bound(self.trace, rules.to_vec(), wire::mode::OPTIMIZE);
        Control { flags, backend: Some(backend), ..bound }
    }

    /// Hashes the results of two unchanged runs.
    pub(crate) fn digests(&self, rules: &[Rule]) -> anyhow::Result<Digests> {
        let control = self.unchanged(rules, wire::flag::DIGEST);
        let mut found = Vec::new();
        for _ in 0..2 {
            match self.run(&control)? {
                Ok(finished) => found.push(finished.outcome.digest),
                Err(_) => return Ok(Digests { known: None }),
            }
        }
        let second = found.pop();
        let first = found.pop();
        Ok(Digests { known: if first == second { first } else { None } })
    }

    /// Runs merged once and compares results.
    pub(crate) fn compare(
        &self,
        rules: &[Rule],
        backend: Backend,
        digests: &Digests,
    ) -> anyhow::Result<Comparison> {
        let finished = match self.run(&self.merged(rules, backend, wire::flag::DIGEST))? {
            Ok(finished) => finished,
            Err(why) => return Ok(Comparison::Unusable(why)),
        };
        if let Some(why) = finished.outcome.why_inactive() {
            return Ok(Comparison::Unusable(why.to_owned()));
        }
        if finished.outcome.skipped_copies == 0 {
            return Ok(Comparison::Unusable("no copy could be skipped".to_owned()));
        }
        if finished.outcome.unplanned > 0 {
            let why = "the merged run made copies that the profile did not show";
            return Ok(Comparison::Unusable(why.to_owned()));
        }
        match digests.known {
            Some(known) if known != finished.outcome.digest => Ok(Comparison::Differs),
            _ => Ok(Comparison::Equal),
        }
    }

    /// Time of a round (else of the whole run) in ns.
    fn time(&self, control: &Control) -> anyhow::Result<Result<f64, String>> {
        Ok(self
            .run(control)?
            .map(|finished| finished.outcome.round_ns().unwrap_or(finished.wall.as_nanos() as f64)))
    }

    /// Spread of two unchanged runs.
    pub(crate) fn aa_spread(&self, rules: &[Rule]) -> anyhow::Result<f64> {
        let control = self.unchanged(rules, 0);
        let (first, second) = (self.time(&control)?, self.time(&control)?);
        Ok(match (first, second) {
            (Ok(first), Ok(second)) => spread(first, second),
            _ => f64::INFINITY,
        })
    }

    /// Pairs of runs without and with the plan, in alternating order.
    pub(crate) fn calibrate(
        &self,
        rules: &[Rule],
        backend: Backend,
        aa_spread: f64,
    ) -> anyhow::Result<Trial> {
        let without = self.unchanged(rules, 0);
        let with = self.merged(rules, backend, 0);
        let mut trials = Vec::new();
        for number in 0..self.checks.trials {
            let (first, second) =
                if number % 2 == 0 { (&without, &with) } else { (&with, &without) };
            let (left, right) = (self.time(first)?, self.time(second)?);
            let (left, right) = match (left, right) {
                (Ok(left), Ok(right)) => (left, right),
                (Err(why), _) | (_, Err(why)) => {
                    return Ok(Trial { backend, decision: None, note: Some(why) });
                }
            };
            trials.push(if number % 2 == 0 { (left, right) } else { (right, left) });
        }
        let decision: Decision = calibrate::decide(rule(self.checks), &trials, aa_spread);
        Ok(Trial { backend, decision: Some(decision), note: None })
    }
}

/// The profit rule asked for.
pub(crate) fn rule(checks: &Checks) -> ProfitRule {
    match checks.rule {
        RuleArgument::Echo => ProfitRule::Echo,
        RuleArgument::Paper => ProfitRule::Paper,
    }
}

/// Memory kinds to try on this device.
pub(crate) fn backends(checks: &Checks, attributes: u64) -> Vec<Backend> {
    let asked: Vec<Backend> = checks
        .backend
        .iter()
        .map(|kind| match kind {
            Kind::Managed => Backend::Managed,
            Kind::Mapped => Backend::Mapped,
            Kind::Registered => Backend::Registered,
            Kind::System => Backend::System,
        })
        .collect();
    if asked.is_empty() {
        Backend::ALL.into_iter().filter(|backend| backend.possible(attributes)).collect()
    } else {
        asked
    }
}
