//! One batch of programs: transformed, compiled, run under all settings, judged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use echo_emulator::{
    Batch, CaseOutcome, Ending, Installation, Options, Program as Binary, compile_to, run_batch,
};

use crate::program::Program;
use crate::safe::is_safe;
use crate::source::{Layout, Part, Source};
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
    let folder = tempfile::tempdir()?;
    let source = Source::new(programs, layout);
    let place = folder.path().join("source");
    fs::create_dir(&place)?;
    for file in &source.files {
        fs::write(place.join(&file.name), file.text())?;
    }
    let answer = bench.tool.transform(&place)?;
    let mut verdicts: Vec<Vec<Verdict>> = vec![Vec::new(); programs.len()];
    for verdict in &answer.verdicts {
        // A pair of a function that all programs share is the first program's.
        let index = number(&verdict.place).unwrap_or(0);
        verdicts.get_mut(index).context("a pair in no program")?.push(verdict.clone());
    }
    let after = transformed(&source, &answer)?;
    let changed = changed(&source, &after, programs.len());
    // A program that stays as it is needs no run, unless something is to be learned about its declined pairs.
    let run_all = bench.precision || bench.unchanged;
    let tested: Vec<usize> = if run_all { (0..programs.len()).collect() } else { changed.clone() };
    let text = combined(&source, &after, &tested, &changed);
    let lambdas = programs.iter().any(Program::has_lambda);
    let binary = match build(bench, &text, !lambdas, folder.path()) {
        Ok(binary) => binary,
        Err(why) => {
            let originals = combined(&source, &after, &tested, &[]);
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
    for (index, verdicts) in verdicts.into_iter().enumerate() {
        let name = format!("p{index}");
        let own = before.remove(&name).unwrap_or_default();
        let mut safe_but_declined = Vec::new();
        let run = tested.contains(&index);
        let judgement = if !run {
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
        tried.push(Tried { judgement, verdicts, safe_but_declined, run });
    }
    Ok(tried)
}

/// What the tool makes of one program, as text.
///
/// # Errors
/// If the tool fails.
pub(crate) fn transform_one(
    bench: &Bench,
    program: &Program,
    layout: Layout,
) -> Result<(String, String)> {
    let folder = tempfile::tempdir()?;
    let source = Source::new(std::slice::from_ref(program), layout);
    for file in &source.files {
        fs::write(folder.path().join(&file.name), file.text())?;
    }
    let answer = bench.tool.transform(folder.path())?;
    Ok((source.text(), transformed(&source, &answer)?.text()))
}

// The number of the program that a function belongs to: `p7`, `p7_setup`, or any in `p7.cu`.
fn number((file, function): &(String, String)) -> Option<usize> {
    let of = |name: &str| {
        let digits = name.strip_prefix('p')?;
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        digits[..end].parse().ok()
    };
    of(function).or_else(|| of(file))
}

fn transformed(source: &Source, answer: &Answer) -> Result<Source> {
    let mut after = source.clone();
    for (file, changed) in source.files.iter().zip(&mut after.files) {
        let text = file.text();
        for ((part, range), (_, piece)) in file.ranges().zip(&mut changed.pieces) {
            let edited = answer.apply(&file.name, &text, &range);
            if matches!(part, Part::Kernels | Part::Include) && edited != *piece {
                bail!("echo-fix edits the headers or kernels of {}", file.name);
            }
            *piece = edited;
        }
    }
    Ok(after)
}

// The programs whose text the tool changes.
fn changed(source: &Source, after: &Source, programs: usize) -> Vec<usize> {
    let pieces = |source: &Source| -> Vec<(Part, String)> {
        source.files.iter().flat_map(|file| file.pieces.clone()).collect()
    };
    let mut found = BTreeSet::new();
    for ((part, before), (_, after)) in pieces(source).into_iter().zip(pieces(after)) {
        if before != after {
            match part {
                Part::Program(index) => {
                    found.insert(index);
                }
                Part::Kernels | Part::Include | Part::Shared => found.extend(0..programs),
            }
        }
    }
    found.into_iter().collect()
}

// One source with the original programs as cases `p0`, ... and the transformed ones as `q0`, ...: one start of the
// compiler, and none at all for the device code where it is the same in every batch.
fn combined(source: &Source, after: &Source, tested: &[usize], changed: &[usize]) -> String {
    let mut text = Source::kernels();
    // Files with `main` are programs of their own; others are one program together.
    let group = if source.layout == Layout::Mains { 1 } else { source.files.len() };
    for (number, (before, after)) in
        source.files.chunks(group).zip(after.files.chunks(group)).enumerate()
    {
        for (name, files, wanted) in [("before", before, tested), ("after", after, changed)] {
            if source.layout == Layout::Mains && !wanted.contains(&number) {
                continue;
            }
            text.push_str(&format!("namespace {name}{number} {{\n"));
            for (part, piece) in files.iter().flat_map(|file| &file.pieces) {
                let wanted = match part {
                    Part::Kernels | Part::Include => false,
                    Part::Shared => true,
                    Part::Program(index) => wanted.contains(index),
                };
                if wanted && source.layout == Layout::Mains {
                    text.push_str(&as_function(piece, number));
                } else if wanted {
                    text.push_str(piece);
                }
            }
            text.push_str("}\n");
        }
    }
    let space = |index: usize| if source.layout == Layout::Mains { index } else { 0 };
    let case = |letter: char, space: String, index: usize| {
        format!("{{\"{letter}{index}\", {space}::p{index}}}")
    };
    let originals = tested.iter().map(|&index| case('p', format!("before{}", space(index)), index));
    let transformed =
        changed.iter().map(|&index| case('q', format!("after{}", space(index)), index));
    let mut cases: Vec<String> = originals.chain(transformed).collect();
    if cases.is_empty() {
        cases.push("{\"none\", nullptr}".to_owned());
    }
    text.push_str("#include \"echo/batch.h\"\n");
    text.push_str(&format!("ECHO_BATCH({})\n", cases.join(", ")));
    text
}

// A program with `main` as a function that returns its checksum instead of printing it.
fn as_function(piece: &str, number: usize) -> String {
    piece
        .replace("int main() {", &format!("unsigned long p{number}() {{"))
        .replace("printf(\"%lu\\n\", sum);", "")
        .replace("return 0;", "return sum;")
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

// With `shared_kernels`, the device code is that of every batch, and compiled once.
fn build(bench: &Bench, text: &str, shared_kernels: bool, folder: &Path) -> Result<Binary> {
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
