//! Many batches: counts, and what was found, shrunk.

use std::collections::BTreeMap;
use std::fmt;
use std::time::{Duration, Instant};

use anyhow::Result;

use crate::generate::generate;
use crate::made::Made;
use crate::program::Program;
use crate::random::Random;
use crate::repair::repair;
use crate::shrink::shrink;
use crate::source::Layout;
use crate::trial::{Bench, Judgement, Tried, try_programs};

/// How long, and from which seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Plan {
    /// The first seed; each program has a seed of its own, counted from here.
    pub seed: u64,
    /// Programs per batch.
    pub batch: usize,
    /// Batches; None: until the time is over.
    pub batches: Option<usize>,
    /// Time; None: until the batches are done.
    pub time: Option<Duration>,
    /// Differences after which to stop.
    pub most_differences: usize,
    /// Whether to look for the smallest program that differs.
    pub shrink: bool,
}

/// Targets, one per batch in turn.
pub const TARGETS: [&str; 3] = ["any-uma", "gh200", "any-uma"];

/// How the programs of a batch are spread over files, in turn.
pub(crate) const LAYOUTS: [Layout; 20] = {
    let mut layouts = [Layout::One; 20];
    layouts[1] = Layout::Two;
    layouts[2] = Layout::Mains;
    layouts[11] = Layout::Two;
    layouts
};

/// A difference.
#[derive(Debug, Clone)]
pub struct Finding {
    /// Seed of the program as generated.
    pub seed: u64,
    /// Target it was transformed for.
    pub target: String,
    /// Setting and what happened.
    pub what: String,
    /// The smallest program that shows one; without an entry point where programs are functions.
    pub original: String,
    /// What the tool makes of that.
    pub transformed: String,
}

/// The counts of a campaign.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// Programs generated.
    pub programs: usize,
    /// Of them, programs about which nothing can be said.
    pub rejected: usize,
    /// Pairs that the tool reported in the others.
    pub pairs: usize,
    /// Merged pairs.
    pub merges: usize,
    /// Programs that the tool changed.
    pub changed: usize,
    /// Programs that ran; the others were not changed, so there is nothing to compare.
    pub run: usize,
    /// Declined pairs by condition.
    pub declined: BTreeMap<String, usize>,
    /// Declined pairs that could have been merged as far as runs can show, by condition.
    pub safe_but_declined: BTreeMap<String, usize>,
    /// Programs with a rarer dimension, by its name, and how many of them the tool changed.
    pub dimensions: BTreeMap<&'static str, (usize, usize)>,
    /// Why programs were rejected, by what happened.
    pub rejections: BTreeMap<String, usize>,
    /// The rejected programs: seed, target and why.
    pub rejected_programs: Vec<(u64, String, String)>,
    /// Differences.
    pub findings: Vec<Finding>,
    /// Seconds it took.
    pub seconds: f64,
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let per_minute = self.programs as f64 * 60.0 / self.seconds.max(1e-9);
        writeln!(
            out,
            "programs {}, run {}, rejected {} {:?}, changed {}; {:.0} s, {per_minute:.0} programs per minute",
            self.programs, self.run, self.rejected, self.rejections, self.changed, self.seconds
        )?;
        let declined: usize = self.declined.values().sum();
        writeln!(
            out,
            "pairs {}, merged {}, declined {declined} {:?}",
            self.pairs, self.merges, self.declined
        )?;
        let safe: usize = self.safe_but_declined.values().sum();
        writeln!(out, "declined though no run shows a reason {safe} {:?}", self.safe_but_declined)?;
        let each = self.dimensions.iter();
        let each: Vec<String> = each
            .map(|(name, (programs, changed))| format!("{name} {programs} ({changed} changed)"))
            .collect();
        writeln!(out, "programs with {}", each.join(", "))?;
        write!(out, "differences {}", self.findings.len())
    }
}

/// Runs a campaign; `progress` hears of each batch.
///
/// # Errors
/// If a batch cannot be tried.
pub fn campaign(bench: &Bench, plan: Plan, progress: &mut dyn FnMut(&Report)) -> Result<Report> {
    let start = Instant::now();
    let mut report = Report::default();
    let mut next = plan.seed;
    for batch in 0.. {
        let done = plan.batches.is_some_and(|most| batch >= most)
            || plan.time.is_some_and(|time| start.elapsed() >= time)
            || report.findings.len() >= plan.most_differences;
        if done {
            break;
        }
        let mut bench = bench.clone();
        bench.tool.target = TARGETS[batch % TARGETS.len()].to_owned();
        let layout = LAYOUTS[batch % LAYOUTS.len()];
        // Files cost more than functions.
        let count = if layout == Layout::Mains { plan.batch.div_ceil(20) } else { plan.batch };
        let seeds: Vec<u64> = (next..next + count as u64).collect();
        next += count as u64;
        let programs: Vec<Program> = seeds.iter().map(|&seed| program(seed)).collect();
        let tried = try_programs(&bench, &programs, layout)?;
        for ((seed, program), tried) in seeds.iter().zip(&programs).zip(tried) {
            count_one(&bench, plan, layout, &mut report, (*seed, program), tried)?;
        }
        report.seconds = start.elapsed().as_secs_f64();
        progress(&report);
    }
    Ok(report)
}

/// The program of a seed.
pub fn program(seed: u64) -> Program {
    // Programs with device code of their own are together, so that most batches share theirs.
    let lambdas = seed / 2048 % 8 == 7;
    repair(&generate(&mut Random::new(seed), lambdas), seed)
}

fn count_one(
    bench: &Bench,
    plan: Plan,
    layout: Layout,
    report: &mut Report,
    (seed, program): (u64, &Program),
    tried: Tried,
) -> Result<()> {
    report.programs += 1;
    report.run += usize::from(tried.run);
    if let Judgement::Rejected(why) = &tried.judgement {
        report.rejected += 1;
        let what = why.split(':').next_back().unwrap_or(why).trim();
        // A checksum is not worth a line of its own.
        let what = if what.contains(" for ") { "orders differ" } else { what };
        *report.rejections.entry(what.to_owned()).or_default() += 1;
        report.rejected_programs.push((seed, bench.tool.target.clone(), why.clone()));
        return Ok(());
    }
    report.pairs += tried.verdicts.len();
    for verdict in &tried.verdicts {
        match &verdict.declined {
            None => report.merges += 1,
            Some(condition) => *report.declined.entry(condition.clone()).or_default() += 1,
        }
    }
    for condition in &tried.safe_but_declined {
        *report.safe_but_declined.entry(condition.clone()).or_default() += 1;
    }
    let changed = tried.judgement != Judgement::Unchanged;
    report.changed += usize::from(changed);
    for dimension in program.dimensions() {
        let counts = report.dimensions.entry(dimension).or_default();
        counts.0 += 1;
        counts.1 += usize::from(changed);
    }
    if let Judgement::Different(what) = &tried.judgement {
        let what = what.clone();
        let small = if plan.shrink { shrink(bench, program, layout)? } else { program.clone() };
        let made = Made::by(&bench.tool, std::slice::from_ref(&small), layout)?;
        let (original, transformed) = (made.source.text(), made.after.text());
        let target = bench.tool.target.clone();
        report.findings.push(Finding { seed, target, what, original, transformed });
    }
    Ok(())
}
