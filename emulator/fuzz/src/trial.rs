//! One batch of programs: transformed, compiled, run under all settings, judged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use echo_emulator::{
    Batch, CaseOutcome, Ending, Installation, Options, Program as Binary, compile_to, run_batch,
};

use crate::made::Made;
use crate::program::Program;
use crate::safe::is_safe;
use crate::source::{Layout, Source};
use crate::tool::{Tool, Verdict};

/// What is needed to try programs.
#[derive(Debug, Clone)]
pub struct Bench {
    /// The emulator.
    pub installation: Installation,
    /// The tool.
    pub tool: Tool,
    /// Processes to run a batch with.
    pub shards: usize,
    /// Random schedules for each program.
    pub seeds: u64,
    /// Whether to look at declined pairs: merged while running, do they show a difference?
    pub precision: bool,
    /// Whether to run programs that the tool leaves as they are.
    pub unchanged: bool,
}

/// What came of one program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Judgement {
    /// The program itself races, reads undefined elements or differs between orders: nothing can be said.
    Rejected(String),
    /// The tool leaves it as it is.
    Unchanged,
    /// The transformed program does what the original does.
    Same,
    /// It does not: setting, and what happened.
    Different(String),
}

/// One program and what came of it.
#[derive(Debug, Clone)]
pub struct Tried {
    /// What came of it.
    pub judgement: Judgement,
    /// The tool's verdicts.
    pub verdicts: Vec<Verdict>,
    /// Declined pairs whose merging shows nothing in any run, by condition.
    pub safe_but_declined: Vec<String>,
    /// Whether it ran.
    pub run: bool,
}

const LIMIT: Duration = Duration::from_secs(600);

/// Tries the programs, which must be repaired. Where the tool or the compiler fails on a batch, its halves are tried: one
/// program never keeps others from being judged.
///
/// # Errors
/// If a file cannot be written or a process cannot be started.
pub fn try_programs(bench: &Bench, programs: &[Program], layout: Layout) -> Result<Vec<Tried>> {
    let why = match try_together(bench, programs, layout) {
        Ok(tried) => return Ok(tried),
        Err(why) => why,
    };
    if let [_] = programs {
        let judgement = match why.downcast_ref::<TransformedRejected>() {
            Some(rejected) => Judgement::Different(rejected.to_string()),
            None => Judgement::Rejected(format!("{why:#}")),
        };
        let (verdicts, safe_but_declined) = (Vec::new(), Vec::new());
        return Ok(vec![Tried { judgement, verdicts, safe_but_declined, run: false }]);
    }
    let (one, other) = programs.split_at(programs.len() / 2);
    let mut tried = try_programs(bench, one, layout)?;
    tried.extend(try_programs(bench, other, layout)?);
    Ok(tried)
}

/// The compiler takes an original program but not what the tool makes of it.
#[derive(Debug, thiserror::Error)]
#[error("what echo-fix makes of it does not compile: {0}")]
struct TransformedRejected(String);

fn try_together(bench: &Bench, programs: &[Program], layout: Layout) -> Result<Vec<Tried>> {
    let made = Made::by(&bench.tool, programs, layout)?;
    let changed = made.changed();
    // A program that stays as it is needs no run, unless something is to be learned about its declined pairs.
    let run_all = bench.precision || bench.unchanged;
    let tested = if run_all { (0..programs.len()).collect() } else { changed.clone() };
    judge_made(bench, programs, &made, &tested, &changed)
}

/// Runs those of the programs that are `tested`, and what the tool made of those that are `changed`.
///
/// # Errors
/// If the compiler rejects them or a process cannot be started.
pub(crate) fn judge_made(
    bench: &Bench,
    programs: &[Program],
    made: &Made,
    tested: &[usize],
    changed: &[usize],
) -> Result<Vec<Tried>> {
    let folder = tempfile::tempdir()?;
    let lambdas = programs.iter().any(Program::has_lambda);
    let binary = match build(bench, &made.combined(tested, changed), !lambdas, folder.path()) {
        Ok(binary) => binary,
        Err(why) => {
            let originals = made.combined(tested, &[]);
            build(bench, &originals, !lambdas, folder.path()).context("the original programs")?;
            return Err(TransformedRejected(format!("{why:#}")).into());
        }
    };
    // The detector finds in one run what orders can change; a few orders watch the detector.
    let mut before = run(bench, &binary, "eager,late,others,rand:1-1,undefined", &[], Some("p*"))?;
    let exclusive = if bench.tool.exclusive() { ",exclusive" } else { "" };
    let settings = format!("eager,late,others,rand:1-{},race{exclusive}", bench.seeds.max(1));
    let mut outcomes = run(bench, &binary, &settings, &[], Some("q*"))?;
    let mut tried = Vec::new();
    for (index, verdicts) in made.verdicts.iter().enumerate() {
        let name = format!("p{index}");
        let own = before.remove(&name).unwrap_or_default();
        let mut safe_but_declined = Vec::new();
        let run = tested.contains(&index);
        let judgement = match reference(&own) {
            _ if !run => Judgement::Unchanged,
            Err(why) => Judgement::Rejected(why),
            Ok(reference) => {
                for verdict in verdicts.iter().filter(|_| bench.precision) {
                    if let Some(condition) = &verdict.declined
                        && is_safe(bench, &binary, &programs[index], &name, verdict, reference)?
                    {
                        safe_but_declined.push(condition.clone());
                    }
                }
                if changed.contains(&index) {
                    judge(reference, &outcomes.remove(&format!("q{index}")).unwrap_or_default())
                } else {
                    Judgement::Unchanged
                }
            }
        };
        tried.push(Tried { judgement, verdicts: verdicts.clone(), safe_but_declined, run });
    }
    Ok(tried)
}

/// Outcomes by setting, by case.
pub(crate) type Outcomes = BTreeMap<String, BTreeMap<String, CaseOutcome>>;

/// Runs a batch; `only` some of its cases, with `unify` merged while they run.
pub(crate) fn run(
    bench: &Bench,
    binary: &Binary,
    settings: &str,
    unify: &[(u32, u32)],
    only: Option<&str>,
) -> Result<Outcomes> {
    let batch = Batch {
        settings: settings.split(',').map(str::to_owned).collect(),
        shards: if unify.is_empty() { bench.shards } else { 1 },
        limit: LIMIT,
        unify: unify.to_vec(),
        only: only.map(str::to_owned),
    };
    let mut outcomes = Outcomes::new();
    for ((case, setting), outcome) in run_batch(binary, &batch)? {
        outcomes.entry(case).or_default().insert(setting, outcome);
    }
    Ok(outcomes)
}

/// With `shared_kernels`, the device code is that of every batch, and compiled once.
pub(crate) fn build(
    bench: &Bench,
    text: &str,
    shared_kernels: bool,
    folder: &Path,
) -> Result<Binary> {
    let file = folder.join("batch.cu");
    fs::write(&file, text)?;
    let mut options = Options { race: true, optimize: Some(0), ..Options::default() };
    if shared_kernels {
        let kernels = folder.join("kernels.cu");
        fs::write(&kernels, Source::kernels())?;
        options.device = Some(kernels);
    }
    compile_to(&bench.installation, &[file], &options, &folder.join("batch")).context("a batch")
}

/// The one checksum of an original program.
pub(crate) fn reference(own: &BTreeMap<String, CaseOutcome>) -> Result<u64, String> {
    let Some(CaseOutcome { checksum, ending }) = own.get("eager") else {
        return Err("it was not run".to_owned());
    };
    let Some(sum) = *checksum else { return Err(format!("eager: {ending}")) };
    match judge(sum, own) {
        Judgement::Different(why) => Err(why),
        Judgement::Same | Judgement::Unchanged | Judgement::Rejected(_) => Ok(sum),
    }
}

/// Whether all outcomes are the reference's.
pub(crate) fn judge(reference: u64, outcomes: &BTreeMap<String, CaseOutcome>) -> Judgement {
    if outcomes.is_empty() {
        return Judgement::Different("no outcome at all".to_owned());
    }
    for (setting, outcome) in outcomes {
        if outcome.ending != Ending::Exit(0) {
            return Judgement::Different(format!("{setting}: {}", outcome.ending));
        }
        if outcome.checksum != Some(reference) {
            let found = outcome.checksum.map_or_else(|| "none".to_owned(), |sum| sum.to_string());
            return Judgement::Different(format!("{setting}: {found} for {reference}"));
        }
    }
    Judgement::Same
}
