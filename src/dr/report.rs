//! Words for people, and JSON for programs.

use std::fmt::Write as _;

use echo_runtime::Plan;
use echo_runtime::calibrate::median;
use serde::Serialize;

use super::session::Finished;

fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

/// Summary of a plan.
pub(crate) fn plan(plan: &Plan) -> String {
    let mut text = String::new();
    let verdict = if plan.enabled { "merging pays" } else { "the program stays as it is" };
    let _ = writeln!(text, "echo-dr: {verdict}: {}", plan.reason);
    for pair in &plan.pairs {
        let _ = write!(
            text,
            "  {}: {:.1} MiB, {} uploads, {} downloads: ",
            pair.id,
            mib(pair.bytes),
            pair.uploads,
            pair.downloads
        );
        if pair.merge {
            let _ = writeln!(text, "{}", if plan.enabled { "merged" } else { "could be merged" });
        } else {
            let _ = writeln!(text, "not merged");
            for refusal in &pair.rejections {
                let _ = writeln!(text, "      because {} [{}]", refusal.message, refusal.check);
            }
        }
    }
    for trial in &plan.trials {
        match (&trial.decision, &trial.note) {
            (Some(decision), _) => {
                let _ = writeln!(
                    text,
                    "  {:<10} {:.3} ms -> {:.3} ms per round ({:+.1} %)",
                    trial.backend,
                    decision.without_ns / 1e6,
                    decision.with_ns / 1e6,
                    -decision.gain * 100.0
                );
            }
            (None, Some(note)) => {
                let _ = writeln!(text, "  {:<10} not usable: {note}", trial.backend);
            }
            (None, None) => {}
        }
    }
    let _ = writeln!(text, "  guard: {}; results: {}", plan.guard, plan.digest);
    text
}

/// Report of a run.
#[derive(Serialize)]
struct RunReport<'a> {
    schema_version: u64,
    tool: &'static str,
    version: &'static str,
    merged: bool,
    reason: Option<&'a str>,
    backend: Option<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    wall_ms: f64,
    round_ms_median: Option<f64>,
    outcome: &'a echo_runtime::Outcome,
}

fn inactive<'a>(finished: &Finished, refusal: Option<&'a str>) -> Option<&'a str> {
    refusal.or_else(|| finished.outcome.why_inactive())
}

fn median_ms(finished: &Finished) -> Option<f64> {
    let rounds: Vec<f64> =
        finished.outcome.rounds.iter().map(|&round| round as f64 / 1e6).collect();
    (!rounds.is_empty()).then(|| median(&rounds))
}

/// One JSON object and a newline.
pub(crate) fn run_json(
    plan: &Plan,
    finished: &Finished,
    refusal: Option<&str>,
) -> anyhow::Result<String> {
    use std::os::unix::process::ExitStatusExt;
    let mut outcome = finished.outcome.clone();
    outcome.rules.truncate(plan.merged().count());
    let report = RunReport {
        schema_version: 1,
        tool: "echo-dr",
        version: env!("CARGO_PKG_VERSION"),
        merged: outcome.merged > 0,
        reason: inactive(finished, refusal),
        backend: plan.backend.map(|backend| backend.to_string()),
        exit_code: finished.status.code(),
        signal: finished.status.signal(),
        wall_ms: finished.wall.as_secs_f64() * 1e3,
        round_ms_median: median_ms(finished),
        outcome: &outcome,
    };
    Ok(serde_json::to_string(&report)? + "\n")
}

/// A few lines.
pub(crate) fn run_text(plan: &Plan, finished: &Finished, refusal: Option<&str>) -> String {
    let outcome = &finished.outcome;
    let mut text = String::new();
    if let Some(why) = inactive(finished, refusal) {
        let _ = writeln!(text, "echo-dr: ran unchanged: {why}");
        return text;
    }
    let _ = writeln!(
        text,
        "echo-dr: merged {} pairs ({} memory, {:.1} MiB at most), skipped {} copies of {:.1} MiB in all",
        outcome.merged,
        plan.backend.map(|backend| backend.to_string()).unwrap_or_default(),
        mib(outcome.peak_bytes),
        outcome.skipped_copies,
        mib(outcome.skipped_bytes)
    );
    let _ = writeln!(
        text,
        "echo-dr: waited {} times in their place, {} needed no wait; {} buffers fell back, {} unplanned copies",
        outcome.waits, outcome.waits_left_out, outcome.fallbacks, outcome.unplanned
    );
    if let Some(round) = median_ms(finished) {
        let _ = writeln!(text, "echo-dr: median round {round:.3} ms");
    }
    text
}
