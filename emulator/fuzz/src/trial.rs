//! One batch of programs: transformed, compiled, run under all settings, judged.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use echo_emulator::{
    Batch, CaseOutcome, Ending, Installation, Options, Program as Binary, compile, run_batch,
};

use crate::print;
use crate::program::Program;
use crate::safe::is_safe;
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
    /// What the tool made of the batch's source.
    pub transformed: String,
}

const LIMIT: Duration = Duration::from_secs(600);

/// Tries the programs, which must be repaired.
///
/// # Errors
/// If the tool or the compiler fails on the batch.
pub fn try_programs(bench: &Bench, programs: &[Program]) -> Result<Vec<Tried>> {
    let folder = tempfile::tempdir()?;
    let text = print::source(programs);
    let file = folder.path().join("batch.cu");
    fs::write(&file, &text)?;
    let answer = bench.tool.transform(&file, &text)?;
    let verdicts = |index: usize| answer.verdicts.get(&format!("p{index}")).cloned();
    let originals = binary(bench, folder.path(), "original", &text, 0..programs.len())?;
    let orders = format!("eager,late,others,rand:1-{}", bench.seeds.max(1));
    let mut before = run(bench, &originals, &format!("{orders},undefined"), &[], None)?;
    let changed: Vec<usize> = (0..programs.len())
        .filter(|&index| {
            verdicts(index).is_some_and(|all| all.iter().any(|one| one.declined.is_none()))
        })
        .collect();
    let mut after = Outcomes::new();
    if !changed.is_empty() {
        let transformed =
            binary(bench, folder.path(), "transformed", &answer.text, changed.iter().copied())?;
        let exclusive = if bench.tool.exclusive() { ",exclusive" } else { "" };
        after = run(bench, &transformed, &format!("{orders},race{exclusive}"), &[], None)?;
    }
    let mut tried = Vec::new();
    for (index, program) in programs.iter().enumerate() {
        let name = format!("p{index}");
        let own = before.remove(&name).unwrap_or_default();
        let verdicts = verdicts(index).unwrap_or_default();
        let mut safe_but_declined = Vec::new();
        let judgement = match reference(&own) {
            Err(why) => Judgement::Rejected(why),
            Ok(reference) => {
                if bench.precision {
                    for verdict in &verdicts {
                        if let Some(condition) = &verdict.declined
                            && is_safe(bench, &originals, program, &name, verdict, reference)?
                        {
                            safe_but_declined.push(condition.clone());
                        }
                    }
                }
                if changed.contains(&index) {
                    judge(reference, &after.remove(&name).unwrap_or_default())
                } else {
                    Judgement::Unchanged
                }
            }
        };
        let transformed = answer.text.clone();
        tried.push(Tried { judgement, verdicts, safe_but_declined, transformed });
    }
    Ok(tried)
}

/// Outcomes by setting, by case.
pub(crate) type Outcomes = BTreeMap<String, BTreeMap<String, CaseOutcome>>;

/// Runs a batch; `only` one of its cases, with `unify` merged while it runs.
pub(crate) fn run(
    bench: &Bench,
    binary: &Binary,
    settings: &str,
    unify: &[(u32, u32)],
    only: Option<&str>,
) -> Result<Outcomes> {
    let batch = Batch {
        settings: settings.split(',').map(str::to_owned).collect(),
        shards: if only.is_some() { 1 } else { bench.shards },
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

fn binary(
    bench: &Bench,
    folder: &Path,
    name: &str,
    text: &str,
    cases: impl Iterator<Item = usize>,
) -> Result<Binary> {
    let file = folder.join(format!("{name}.cu"));
    fs::write(&file, format!("{text}\n{}", print::batch(cases)))?;
    let options = Options { race: true, optimize: Some(0), arguments: Vec::new() };
    compile(&bench.installation, &[file], &options).with_context(|| format!("the {name} batch"))
}

// The one checksum of an original program.
fn reference(own: &BTreeMap<String, CaseOutcome>) -> Result<u64, String> {
    let Some(CaseOutcome { checksum: Some(sum), .. }) = own.get("eager") else {
        return Err("it does not finish".to_owned());
    };
    match judge(*sum, own) {
        Judgement::Different(why) => Err(why),
        Judgement::Same | Judgement::Unchanged | Judgement::Rejected(_) => Ok(*sum),
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
