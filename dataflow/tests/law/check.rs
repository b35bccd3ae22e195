//! One program against the law: whatever `judge` merges behaves as before, in every order.

use std::fmt::Write as _;

use echo_dataflow::judge;
use echo_dataflow::target::{Options, Target};
use echo_dataflow::verdict::{ActionKind, Replacement, Verdict};

use super::scenario::{Buffer, Scenario, Step, build};
use super::semantics::{Behaviour, Free, Merge, Wait, behaviour};

/// How a program fared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The original races, reads undefined memory or uses freed memory: nothing to preserve.
    Premise,
    /// Merged; behaves as before.
    Sound,
    /// Merged; does not.
    Unsound,
    /// Declined, and merging with the table's replacements would change something.
    Declined,
    /// Declined, though merging with the table's replacements would change nothing.
    DeclinedSafe,
}

/// Checks `scenario` for `target`, with some checks of the analysis switched off.
pub(crate) fn check(scenario: &Scenario, target: Target, disabled: &[&str]) -> Outcome {
    let steps = scenario.steps();
    let flags = (scenario.second_is_non_blocking, scenario.small);
    let runs = scenario.runs();
    let mut originals: Vec<Behaviour> = Vec::with_capacity(runs.len());
    for run in &runs {
        let original = behaviour(&steps, run, flags, None);
        if original.undefined || original.outcomes.len() != 1 {
            return Outcome::Premise;
        }
        originals.push(original);
    }
    let exclusive = target == Target::AnyUma;
    let preserves = |merge: &Merge| {
        runs.iter().zip(&originals).all(|(run, original)| {
            let merged = behaviour(&steps, run, flags, Some(merge));
            let freed_sides: Vec<Buffer> = run
                .iter()
                .filter_map(|&n| match steps[n] {
                    Step::Free(b) => Some(b),
                    _ => None,
                })
                .collect();
            let both_freed = merge
                .pairs
                .iter()
                .filter(|(h, d)| freed_sides.contains(h) && freed_sides.contains(d))
                .count();
            !merged.undefined
                && merged.outcomes == original.outcomes
                && !(exclusive && merged.traps)
                && merged.frees as usize >= both_freed
                && merged.frees as usize <= merge.pairs.len()
        })
    };
    match judged(scenario, target, disabled) {
        Some(merge) if preserves(&merge) => Outcome::Sound,
        Some(_) => Outcome::Unsound,
        None if table(scenario).is_some_and(|merge| preserves(&merge)) => Outcome::DeclinedSafe,
        None => Outcome::Declined,
    }
}

/// What went wrong with a program that is merged wrongly, for people.
pub(crate) fn explain(scenario: &Scenario, target: Target) -> String {
    let steps = scenario.steps();
    let flags = (scenario.second_is_non_blocking, scenario.small);
    let merge = judged(scenario, target, &[]).unwrap_or_default();
    let mut text = String::new();
    for (number, step) in steps.iter().enumerate() {
        let (wait, free) = (merge.waits.get(number), merge.frees.get(number));
        let _ = writeln!(text, "{number}: {step:?} {wait:?} {free:?}");
    }
    for run in scenario.runs() {
        let _ = writeln!(text, "{run:?}");
        let _ = writeln!(text, "  original {:?}", behaviour(&steps, &run, flags, None));
        let _ = writeln!(text, "  merged {:?}", behaviour(&steps, &run, flags, Some(&merge)));
    }
    text
}

/// What `judge` would do, if it merges anything.
fn judged(scenario: &Scenario, target: Target, disabled: &[&str]) -> Option<Merge> {
    let built = build(scenario);
    let options = Options {
        target,
        min_bytes: 0,
        disabled_checks: disabled.iter().map(|&name| name.to_owned()).collect(),
        ..Options::default()
    };
    let steps = scenario.steps();
    let mut merge = Merge {
        pairs: Vec::new(),
        waits: vec![Wait::None; steps.len()],
        frees: vec![Free::AsWritten; steps.len()],
    };
    for judged in judge(&built.program, &built.graph, &options) {
        let Verdict::Merge(proof) = &judged.verdict else { continue };
        let buffer =
            |object| built.objects.iter().find(|(_, o)| *o == object).map(|(buffer, _)| *buffer);
        let (Some(host), Some(device)) = (buffer(judged.pair.host), buffer(judged.pair.device))
        else {
            continue;
        };
        merge.pairs.push((host, device));
        for action in proof.actions() {
            let Some(step) = (action.at.index as usize).checked_sub(built.first_step) else {
                continue;
            };
            match &action.kind {
                ActionKind::RemoveCopy(wait) | ActionKind::RetainCopy { wait } => {
                    merge.waits[step] = match (wait, steps[step]) {
                        (Replacement::Nothing, _) => Wait::None,
                        (Replacement::DefaultStream, _) => Wait::Stream(0),
                        (Replacement::SameStream, Step::Copy { stream: Some(s), .. }) => {
                            Wait::Stream(s)
                        }
                        (Replacement::SameStream, step) => panic!("no stream in {step:?}"),
                    };
                }
                ActionKind::FreeMerged { wait } => {
                    merge.frees[step] = Free::Merged { wait: *wait };
                }
                ActionKind::DeleteFree { wait } => {
                    merge.frees[step] = Free::Deleted { wait: *wait };
                }
                ActionKind::AllocateHere | ActionKind::AliasHere { .. } => {}
            }
        }
    }
    (!merge.pairs.is_empty()).then_some(merge)
}

/// The merge of `Host` and `Device` with every replacement of the table and every wait in place.
fn table(scenario: &Scenario) -> Option<Merge> {
    let steps = scenario.steps();
    let of_pair = |b: Buffer| matches!(b, Buffer::Host | Buffer::Device);
    let last_free = steps.iter().rposition(|s| matches!(s, Step::Free(b) if of_pair(*b)));
    let mut linked = false;
    let mut merge = Merge {
        pairs: vec![(Buffer::Host, Buffer::Device)],
        waits: vec![Wait::None; steps.len()],
        frees: vec![Free::AsWritten; steps.len()],
    };
    for (number, step) in steps.iter().enumerate() {
        match *step {
            Step::Copy { to, from, stream, part } if of_pair(to) || of_pair(from) => {
                linked |= of_pair(to) && of_pair(from) && part == 0;
                let pageable =
                    [to, from].iter().any(|b| matches!(b, Buffer::Host | Buffer::OtherHost));
                merge.waits[number] = match stream {
                    None => Wait::Stream(0),
                    Some(s) if pageable => Wait::Stream(s),
                    Some(_) => Wait::None,
                };
            }
            Step::Free(b) if of_pair(b) => {
                merge.frees[number] = if Some(number) == last_free {
                    Free::Merged { wait: true }
                } else {
                    Free::Deleted { wait: b == Buffer::Device }
                };
            }
            _ => {}
        }
    }
    linked.then_some(merge)
}
