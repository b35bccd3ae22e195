//! Phase 2: pairing, orderings, validation, calibration.

use std::ffi::OsString;
use std::path::Path;

use anyhow::{Context as _, bail};
use echo_runtime::control::Rule;
use echo_runtime::plan::{Backend, Pair, SCHEMA};
use echo_runtime::{Candidate, Plan, Rejection, Trace, candidates, identity, plan, trace, wire};

use super::arguments::{Analyze, Checks};
use super::report;
use super::session::Session;
use super::status::End;
use super::trials::{Bench, Comparison, Digests, backends, rule};
use super::validate::validate;

/// `echo-dr analyze`.
pub(crate) fn analyze(options: &Analyze) -> anyhow::Result<End> {
    let trace = trace::read(&options.trace)?;
    let session = Session::new()?;
    writable(&options.output)?;
    let plan = make(&session, &trace, &options.program.command, &options.checks)?;
    plan::write(&plan, &options.output)?;
    eprint!("{}", report::plan(&plan));
    eprintln!("echo-dr: plan written to {}", options.output.display());
    Ok(End::Code(u8::from(!plan.enabled)))
}

/// Finds out before the program runs many times for nothing.
pub(crate) fn writable(output: &Path) -> anyhow::Result<()> {
    let folder = match output.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    tempfile::Builder::new()
        .prefix(".echo-dr-")
        .tempfile_in(folder)
        .with_context(|| format!("cannot write to {}", folder.display()))?;
    Ok(())
}

/// Command line as text, for the plan's context.
pub(crate) fn words(program: &[OsString]) -> Vec<String> {
    program.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}

/// Makes a plan from a trace.
pub(crate) fn make(
    session: &Session,
    trace: &Trace,
    program: &[OsString],
    checks: &Checks,
) -> anyhow::Result<Plan> {
    let context = identity::of_run(trace, session.object(), &words(program))
        .with_context(|| format!("cannot identify {}", trace.executable))?;
    if identity::inode(Path::new(&trace.executable))? != trace.header.executable {
        bail!("{} is not the file that was profiled: profile again", trace.executable);
    }
    let found = candidates(trace, checks.k_min);
    let mut plan = Plan {
        schema_version: SCHEMA,
        tool: "echo-dr".to_owned(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        enabled: false,
        reason: String::new(),
        backend: None,
        threshold: trace.header.threshold,
        context,
        pairs: found
            .iter()
            .enumerate()
            .map(|(index, candidate)| Pair::of(index, candidate))
            .collect(),
        guard: "none".to_owned(),
        digest: "not compared".to_owned(),
        aa_spread: 0.0,
        rule: rule(checks),
        trials: Vec::new(),
    };
    if trace.overflow {
        plan.reason = "the trace is incomplete (recording stopped early)".to_owned();
        plan.pairs.iter_mut().for_each(|pair| pair.merge = false);
        return Ok(plan);
    }
    limit(&mut plan);
    decide(session, trace, program, checks, &found, &mut plan)?;
    Ok(plan)
}

/// A control file holds [`wire::MAX_RULES`] rules; pairs are sorted by bytes copied.
fn limit(plan: &mut Plan) {
    for pair in plan.pairs.iter_mut().filter(|pair| pair.merge).skip(wire::MAX_RULES) {
        pair.reject(Rejection::NotValidated);
    }
}

fn rules(found: &[Candidate], pairs: &[Pair]) -> Vec<Rule> {
    found
        .iter()
        .zip(pairs)
        .filter(|(_, pair)| pair.merge)
        .map(|(candidate, _)| Rule::of(candidate))
        .collect()
}

fn decide(
    session: &Session,
    trace: &Trace,
    program: &[OsString],
    checks: &Checks,
    found: &[Candidate],
    plan: &mut Plan,
) -> anyhow::Result<()> {
    if plan.merged().next().is_none() {
        plan.reason = if plan.pairs.is_empty() {
            "no buffer is copied between host and device as a whole".to_owned()
        } else {
            "no candidate pair passed the analysis of the trace".to_owned()
        };
        return Ok(());
    }
    let candidates = rules(found, &plan.pairs);
    let validation = validate(session, program, trace, &mut plan.pairs, &candidates, checks)?;
    plan.guard = validation.guard.to_owned();
    let bench = Bench { session, program, trace, checks };
    let none = match validation.failure {
        Some(failure) => format!("the validation run failed: {failure}"),
        None => "no candidate pair passed validation".to_owned(),
    };
    let mut usable: Vec<Backend> = Vec::new();
    if plan.merged().next().is_some() {
        usable = compare(&bench, found, checks, plan)?;
    }
    if plan.merged().next().is_none() {
        plan.reason = none;
        return Ok(());
    }
    if usable.is_empty() {
        plan.reason = "no memory kind works with this program".to_owned();
        return Ok(());
    }
    calibrate(&bench, &rules(found, &plan.pairs), &usable, checks, plan)
}

/// Runs merged with every memory kind and drops pairs that change what the program computes.
/// Returns the kinds that work.
fn compare(
    bench: &Bench<'_>,
    found: &[Candidate],
    checks: &Checks,
    plan: &mut Plan,
) -> anyhow::Result<Vec<Backend>> {
    let all = rules(found, &plan.pairs);
    let digests = if checks.no_digest { Digests { known: None } } else { bench.digests(&all)? };
    if !checks.no_digest {
        plan.digest = match digests.known {
            Some(_) => "compared".to_owned(),
            None => "not compared: two unchanged runs differ".to_owned(),
        };
    }
    let mut usable = Vec::new();
    for backend in backends(checks, bench.trace.header.attributes) {
        match bench.compare(&rules(found, &plan.pairs), backend, &digests)? {
            Comparison::Equal => usable.push(backend),
            Comparison::Unusable(note) => {
                plan.trials.push(plan::Trial { backend, decision: None, note: Some(note) });
            }
            Comparison::Differs => {
                // Which pair it is shows when each is merged alone. What remains must agree together.
                for (pair, candidate) in
                    plan.pairs.iter_mut().zip(found).filter(|(pair, _)| pair.merge)
                {
                    let alone = [Rule::of(candidate)];
                    if bench.compare(&alone, backend, &digests)? == Comparison::Differs {
                        pair.reject(Rejection::DigestDiffers);
                    }
                }
                let rest = rules(found, &plan.pairs);
                if rest.is_empty() {
                    return Ok(Vec::new());
                }
                if rest.len() == all.len()
                    || bench.compare(&rest, backend, &digests)? != Comparison::Equal
                {
                    plan.pairs.iter_mut().filter(|pair| pair.merge).for_each(|pair| {
                        pair.reject(Rejection::DigestDiffers);
                    });
                    return Ok(Vec::new());
                }
                usable.push(backend);
            }
        }
    }
    Ok(usable)
}

fn calibrate(
    bench: &Bench<'_>,
    rules: &[Rule],
    usable: &[Backend],
    checks: &Checks,
    plan: &mut Plan,
) -> anyhow::Result<()> {
    if checks.no_calibration {
        plan.enabled = true;
        plan.backend = usable.first().copied();
        plan.reason = "validated; not measured (--no-calibration)".to_owned();
        return Ok(());
    }
    plan.aa_spread = bench.aa_spread(rules)?;
    if !plan.aa_spread.is_finite() {
        plan.aa_spread = 1.0;
        plan.reason = "an unchanged run failed during calibration".to_owned();
        return Ok(());
    }
    for &backend in usable {
        plan.trials.push(bench.calibrate(rules, backend, plan.aa_spread)?);
    }
    let best = plan
        .trials
        .iter()
        .filter_map(|trial| trial.decision.as_ref().map(|decision| (trial.backend, decision)))
        .max_by(|left, right| left.1.gain.total_cmp(&right.1.gain));
    match best {
        Some((backend, decision)) if decision.enabled => {
            plan.enabled = true;
            plan.backend = Some(backend);
            plan.reason =
                format!("{backend} memory saves {:.1} % per round", decision.gain * 100.0);
        }
        Some((backend, decision)) => {
            plan.reason = format!(
                "merging does not pay here: the best kind, {backend}, changes a round by {:+.1} % (needed: more than {:.1} %)",
                decision.gain * 100.0,
                decision.threshold * 100.0
            );
        }
        None => plan.reason = "every memory kind failed during calibration".to_owned(),
    }
    Ok(())
}
