//! Law 3 for the fuzzer: with a check of the analysis switched off, generated programs must show that it is missing.

use anyhow::{Result, bail};

use crate::campaign::{LAYOUTS, TARGETS, program};
use crate::made::Made;
use crate::program::Program;
use crate::source::Layout;
use crate::tool::Tool;
use crate::trial::{Bench, Judgement, Tried, judge_made};

/// How a switched-off check was noticed.
#[derive(Debug, Clone)]
pub struct Mutant {
    /// The check's name.
    pub check: String,
    /// Programs of which the tool made something else than with the check.
    pub differing: usize,
    /// The number of the first program, from 1, that does what its original cannot do, its seed, the target, and what
    /// happened.
    pub noticed: Option<(usize, u64, String, String)>,
}

/// Looks for a program that notices, for each of the `checks`, among `most` programs from `seed` on. The tool must be
/// built with the feature `mutations`. Only programs that come out otherwise than with the check are run. `progress`
/// hears of each check whose absence is noticed.
///
/// # Errors
/// If the tool or the compiler fails.
pub fn mutants(
    bench: &Bench,
    checks: &[&str],
    seed: u64,
    batch: usize,
    most: usize,
    progress: &mut dyn FnMut(&Mutant),
) -> Result<Vec<Mutant>> {
    let fresh = |check: &&str| Mutant { check: (*check).to_owned(), differing: 0, noticed: None };
    let mut all: Vec<Mutant> = checks.iter().map(fresh).collect();
    let (mut done, mut number) = (0, 0);
    while done < most && all.iter().any(|mutant| mutant.noticed.is_none()) {
        let mut bench = bench.clone();
        bench.tool.target = TARGETS[number % TARGETS.len()].to_owned();
        // Batches of many files cost too much here.
        let layout = match LAYOUTS[number % LAYOUTS.len()] {
            layout @ (Layout::One | Layout::Two) => layout,
            Layout::Mains => Layout::One,
        };
        number += 1;
        let seeds: Vec<u64> = (0..batch).map(|index| seed + (done + index) as u64).collect();
        let programs: Vec<Program> = seeds.iter().map(|&seed| program(seed)).collect();
        let whole = again(&bench.tool, &programs, layout)?;
        for mutant in all.iter_mut().filter(|mutant| mutant.noticed.is_none()) {
            let mut without = bench.tool.clone();
            without.arguments.extend(["--disable-check".to_owned(), mutant.check.clone()]);
            let made = again(&without, &programs, layout)?;
            let differing = whole.differing(&made);
            mutant.differing += differing.len();
            // A program that the tool changes with the check and not without it says nothing.
            let changed = made.changed();
            let tested: Vec<usize> =
                differing.into_iter().filter(|index| changed.contains(index)).collect();
            if let Some((index, what)) = first_difference(&bench, &programs, &made, &tested)? {
                let target = bench.tool.target.clone();
                mutant.noticed = Some((done + index + 1, seeds[index], target, what));
                progress(mutant);
            }
        }
        done += batch;
    }
    if done == 0 {
        bail!("no programs to try");
    }
    Ok(all)
}

// The tool gives up on a file after a minute, which on a busy machine says nothing.
fn again(tool: &Tool, programs: &[Program], layout: Layout) -> Result<Made> {
    Made::by(tool, programs, layout).or_else(|_| Made::by(tool, programs, layout))
}

fn first_difference(
    bench: &Bench,
    programs: &[Program],
    made: &Made,
    tested: &[usize],
) -> Result<Option<(usize, String)>> {
    if tested.is_empty() {
        return Ok(None);
    }
    let tried: Vec<Tried> = match judge_made(bench, programs, made, tested, tested) {
        Ok(tried) => tried,
        // Text that does not compile is noticed too, by everybody.
        Err(why) => return Ok(Some((tested[0], format!("{why:#}")))),
    };
    Ok(tried.into_iter().enumerate().find_map(|(index, tried)| match tried.judgement {
        Judgement::Different(what) => Some((index, what)),
        Judgement::Rejected(_) | Judgement::Unchanged | Judgement::Same => None,
    }))
}
