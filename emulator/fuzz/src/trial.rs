//! One batch of programs: transformed, compiled, run under all settings, judged.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use echo_emulator::{
    Batch, CaseOutcome, Ending, Installation, Options, Program as Binary, compile_to, run_batch,
};

use crate::print::Source;
use crate::program::Program;
use crate::safe::is_safe;
use crate::tool::{Answer, Tool, Verdict};

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
    /// What the tool made of it: a source without an entry point.
    pub transformed: String,
    /// Whether it ran.
    pub run: bool,
}

const LIMIT: Duration = Duration::from_secs(600);

/// Tries the programs, which must be repaired.
///
/// # Errors
/// If the tool or the compiler fails on the batch.
pub fn try_programs(bench: &Bench, programs: &[Program]) -> Result<Vec<Tried>> {
    let folder = tempfile::tempdir()?;
    let source = Source::new(programs);
    let place = folder.path().join("source");
    fs::create_dir(&place)?;
    let text = source.text();
    fs::write(place.join(FILE), &text)?;
    let answer = bench.tool.transform(&place)?;
    let mut verdicts: Vec<Vec<Verdict>> = vec![Vec::new(); programs.len()];
    for (function, found) in &answer.verdicts {
        let index = number(function).with_context(|| format!("a pair in {function}"))?;
        verdicts[index].extend(found.iter().cloned());
    }
    let changed: Vec<usize> = (0..programs.len())
        .filter(|&index| verdicts[index].iter().any(|one| one.declined.is_none()))
        .collect();
    // A program that stays as it is needs no run, unless something is to be learned about its declined pairs.
    let run_all = bench.precision || bench.unchanged;
    let tested: Vec<usize> = if run_all { (0..programs.len()).collect() } else { changed.clone() };
    let after = Transformed::new(&source, &text, &answer);
    let binary = folder.path().join("batch");
    let binary = build(bench, &source, &after, &tested, &changed, &binary)?;
    let orders = format!("eager,late,others,rand:1-{}", bench.seeds.max(1));
    // The detector finds in one run what orders can change; a few orders watch the detector.
    let mut before = run(bench, &binary, "eager,late,others,rand:1-1,undefined", &[], Some("p*"))?;
    let exclusive = if bench.tool.exclusive() { ",exclusive" } else { "" };
    let settings = format!("{orders},race{exclusive}");
    let mut outcomes = run(bench, &binary, &settings, &[], Some("q*"))?;
    let mut tried = Vec::new();
    for (index, verdicts) in verdicts.into_iter().enumerate() {
        let name = format!("p{index}");
        let own = before.remove(&name).unwrap_or_default();
        let mut safe_but_declined = Vec::new();
        let judgement = if !tested.contains(&index) {
            Judgement::Unchanged
        } else {
            match reference(&own) {
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
            }
        };
        let run = tested.contains(&index);
        let transformed = after.alone(&source, index);
        tried.push(Tried { judgement, verdicts, safe_but_declined, transformed, run });
    }
    Ok(tried)
}

// The name of the file with the programs.
const FILE: &str = "batch.cu";

// The number of the program that a function belongs to: `p7`, `p7_setup`.
fn number(function: &str) -> Option<usize> {
    let digits = function.strip_prefix('p')?;
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    digits[..end].parse().ok()
}

/// The pieces of a source with the tool's edits made.
struct Transformed {
    shared: String,
    programs: Vec<String>,
}

impl Transformed {
    fn new(source: &Source, text: &str, answer: &Answer) -> Self {
        let apply = |piece: &Range<usize>| answer.apply(FILE, text, piece);
        Self {
            shared: apply(&source.shared_range()),
            programs: source.ranges().iter().map(apply).collect(),
        }
    }

    // One program as a source of its own.
    fn alone(&self, source: &Source, index: usize) -> String {
        format!("{}{}{}", source.kernels, self.shared, self.programs[index])
    }
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

// One binary with the original programs as cases `p0`, ... and the transformed ones as `q0`, ...: one start of each
// compiler pass, and none at all for the device code, which is the same in every batch.
fn build(
    bench: &Bench,
    source: &Source,
    after: &Transformed,
    tested: &[usize],
    changed: &[usize],
    binary: &Path,
) -> Result<Binary> {
    let (kernels, file) = (binary.with_extension("kernels.cu"), binary.with_extension("cu"));
    fs::write(&kernels, &source.kernels)?;
    let mut text = format!("{}{}", source.kernels, source.shared);
    for &index in tested {
        text.push_str(&source.programs[index]);
    }
    text.push_str("namespace after {\n");
    text.push_str(&after.shared);
    for &index in changed {
        text.push_str(&after.programs[index]);
    }
    let originals = tested.iter().map(|index| format!("{{\"p{index}\", p{index}}}"));
    let transformed = changed.iter().map(|index| format!("{{\"q{index}\", after::p{index}}}"));
    let cases: Vec<String> = originals.chain(transformed).collect();
    text.push_str("}\n#include \"echo/batch.h\"\n");
    text.push_str(&format!("ECHO_BATCH({})\n", cases.join(", ")));
    fs::write(&file, &text)?;
    let options =
        Options { race: true, optimize: Some(0), device: Some(kernels), ..Options::default() };
    compile_to(&bench.installation, &[file], &options, binary).context("a batch")
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
