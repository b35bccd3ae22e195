//! Where the rules of [`super::plain`] apply in programs with a loop and an optional part, and rules for these.

use std::collections::HashSet;
use std::ops::Range;

use super::enumerate::Family;
use super::plain::{Before, Rewrite, end, frees_need_waits, is_idempotent, rewrite};
use super::scenario::{Scenario, Step};

/// Where a rule applies because of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Applies {
    /// In a program that is straight up to this step.
    from_start: bool,
    /// Wherever there is no border between this step and that one.
    within: Option<usize>,
    number: usize,
}

/// A loop and an optional part.
pub(crate) type Constructs<'c> = (Option<&'c Range<usize>>, Option<&'c Range<usize>>);

impl Applies {
    /// Of the last step.
    pub(crate) fn new(steps: &[Step], family: &Family) -> Self {
        let applies = |&start: &usize| rewrite(&steps[start..], Before::Unknown, family).is_some();
        Self {
            from_start: rewrite(steps, Before::Nothing, family).is_some(),
            within: (0..steps.len()).rev().find(applies),
            number: steps.len() - 1,
        }
    }

    pub(crate) fn at_start(&self) -> bool {
        self.from_start
    }
}

/// The least number of borders without which some rule applies; more than any program has if none helps.
pub(crate) fn most_borders(rules: &[Applies]) -> usize {
    let (mut least, mut last) = (0, 0);
    for rule in rules {
        let Some(start) = rule.within else { continue };
        if start == rule.number {
            return usize::MAX;
        }
        if start >= last {
            least += 1;
            last = rule.number;
        }
    }
    least
}

/// Whether no rule applies: what [`simpler`] answers, from what is known of the steps.
pub(crate) fn is_plain(
    steps: &[Step],
    rules: &[Applies],
    constructs: Constructs<'_>,
    family: &Family,
) -> bool {
    let within = rules.iter().enumerate().any(|(number, rule)| {
        let (start, before) = segment(number, constructs);
        rule.within.is_some_and(|from| from >= start)
            || before == Before::Nothing && rule.from_start
    });
    !within
        && ending(steps, constructs, family).is_none()
        && construct(steps, constructs, family).is_none()
}

/// The program that a rule makes of this one. `steps` without the frees that are added at the end.
pub(crate) fn simpler(
    steps: &[Step],
    constructs: Constructs<'_>,
    family: &Family,
) -> Option<Scenario> {
    let rewrites = (0..steps.len()).find_map(|number| {
        let (start, before) = segment(number, constructs);
        Some(shift(rewrite(&steps[start..=number], before, family)?, start))
    });
    let found = rewrites.or_else(|| ending(steps, constructs, family));
    let change = found.map(Change::Step).or_else(|| construct(steps, constructs, family))?;
    Some(changed(steps, constructs, change, family))
}

/// Whether programs that observe less say all that this one says.
///
/// If merging goes wrong, then some observation shows it, or the host is trapped, or memory is used that is not there; and
/// it goes as wrong where the others are not made. A read of the host does nothing but observe, and what it shows the
/// program up to it shows, if that is a program of its own: it links the same pairs, and is not cut in a loop. A kernel
/// that only reads can be one that touches nothing: the device is as active, and as much is ordered. So of two such
/// observations one is too many.
pub(crate) fn splits(steps: &[Step], constructs: Constructs<'_>, family: &Family) -> bool {
    let only_observe = steps.iter().filter(|step| only_observes(**step, family)).count();
    only_observe > 1
        || (0..steps.len() - 1).any(|number| is_early_read(steps, number, constructs, family))
}

/// The programs that say all that this one says, if it splits.
pub(crate) fn pieces(steps: &[Step], constructs: Constructs<'_>, family: &Family) -> Vec<Scenario> {
    let without = |number: usize| {
        let change = if let Step::KernelRead(_, s) = steps[number] {
            Rewrite::Replace(number, Step::Unrelated(s))
        } else {
            Rewrite::Drop(number)
        };
        changed(steps, constructs, Change::Step(change), family)
    };
    let early = |number: &usize| is_early_read(steps, *number, constructs, family);
    if let Some(number) = (0..steps.len() - 1).find(early) {
        let upto = |range: &Range<usize>| (range.end <= number).then(|| range.clone());
        let first = Scenario {
            steps: steps[..=number].to_vec(),
            repeated: constructs.0.and_then(upto),
            optional: constructs.1.and_then(upto),
            setting: family.setting,
        };
        return vec![first, without(number)];
    }
    let observers: Vec<usize> =
        (0..steps.len()).filter(|number| only_observes(steps[*number], family)).collect();
    if observers.len() > 1 { observers.into_iter().map(without).collect() } else { Vec::new() }
}

/// Whether the step can be left out, or be a kernel that touches nothing, and then says nothing.
fn only_observes(step: Step, family: &Family) -> bool {
    if let Step::KernelRead(_, stream) = step {
        family.alphabet.contains(&Step::Unrelated(stream))
    } else {
        matches!(step, Step::HostRead(..))
    }
}

/// Whether the host reads, and both the program up to there and that without the read are programs of their own.
fn is_early_read(
    steps: &[Step],
    number: usize,
    (repeated, _): Constructs<'_>,
    family: &Family,
) -> bool {
    let whole = u8::from(family.setting.host_is_half);
    let links =
        |steps: &[Step]| steps.iter().filter_map(|s| s.links(whole)).collect::<HashSet<_>>();
    let observe = |steps: &[Step]| steps.iter().any(|step| step.observes());
    matches!(steps[number], Step::HostRead(..))
        && !repeated.is_some_and(|range| range.contains(&number))
        && (observe(&steps[..number]) || observe(&steps[number + 1..]))
        && links(&steps[..number]) == links(steps)
        && !frees_need_waits(steps, family)
}

/// What a rule changes.
#[derive(Debug, Clone, Copy)]
enum Change {
    Step(Rewrite),
    /// The loop becomes an optional part.
    NoLoop,
    /// The optional part always runs.
    NoOption,
}

/// Where the part without borders starts that the step is in, and what may be before it.
fn segment(number: usize, (repeated, optional): Constructs<'_>) -> (usize, Before) {
    let ranges = || [repeated, optional].into_iter().flatten();
    let borders = ranges().flat_map(|range| [range.start, range.end]);
    let start = borders.filter(|border| *border <= number).max().unwrap_or(0);
    let is_again = repeated.is_some_and(|range| range.contains(&number));
    let before = if start == 0 && !is_again { Before::Nothing } else { Before::Unknown };
    (start, before)
}

fn shift(rewrite: Rewrite, by: usize) -> Rewrite {
    match rewrite {
        Rewrite::Drop(number) => Rewrite::Drop(number + by),
        Rewrite::Move { step, before } => Rewrite::Move { step: step + by, before: before + by },
        Rewrite::Replace(number, step) => Rewrite::Replace(number + by, step),
    }
}

/// Rules about the end of the program.
fn ending(steps: &[Step], constructs: Constructs<'_>, family: &Family) -> Option<Rewrite> {
    let last = steps.len() - 1;
    if constructs.0.is_some_and(|range| range.contains(&last)) {
        return None;
    }
    let (start, before) = segment(last, constructs);
    Some(shift(end(&steps[start..], before, &steps[..start], family)?, start))
}

/// Rules about the loop and the optional part.
fn construct(steps: &[Step], constructs: Constructs<'_>, family: &Family) -> Option<Change> {
    // What the program does without its end it also does with it, before the end.
    if let (repeated, Some(optional)) = constructs
        && optional.end == steps.len()
        && repeated.is_none_or(|range| range.end <= optional.start)
        && !steps[optional.clone()].iter().any(|step| changes_what_exists(*step))
    {
        return Some(Change::NoOption);
    }
    let (range, repeats) = match constructs {
        (Some(range), None) => (range, true),
        (None, Some(range)) => (range, false),
        (None, None) | (Some(_), Some(_)) => return None,
    };
    let only = range.start;
    if range.len() != 1 || !is_idempotent(steps[only], family.setting) {
        return None;
    }
    // Done again it adds nothing.
    if repeats {
        return Some(Change::NoLoop);
    }
    // Whether it runs or not, it says nothing there, or could as well be elsewhere.
    for last in [only, only + 1].into_iter().filter(|last| *last < steps.len()) {
        match rewrite(&steps[..=last], Before::Nothing, family) {
            Some(Rewrite::Drop(number)) if number == only => {
                return Some(Change::Step(Rewrite::Drop(only)));
            }
            Some(Rewrite::Move { step, before }) if before <= only => {
                return Some(Change::Step(Rewrite::Move { step, before }));
            }
            Some(Rewrite::Drop(_) | Rewrite::Move { .. } | Rewrite::Replace(..)) | None => {}
        }
    }
    None
}

/// What is there after the step is not what was there before.
fn changes_what_exists(step: Step) -> bool {
    matches!(step, Step::Allocate(_) | Step::Free(_) | Step::FreeEither | Step::Reset)
}

fn changed(
    steps: &[Step],
    (repeated, optional): Constructs<'_>,
    change: Change,
    family: &Family,
) -> Scenario {
    let mut steps = steps.to_vec();
    let (mut repeated, mut optional) = (repeated.cloned(), optional.cloned());
    match change {
        Change::Step(Rewrite::Drop(number)) => {
            steps.remove(number);
            let without = |range: Range<usize>| {
                let less = |end: usize| end - usize::from(end > number);
                Some(less(range.start)..less(range.end)).filter(|range| !range.is_empty())
            };
            repeated = repeated.and_then(without);
            optional = optional.and_then(without);
        }
        Change::Step(Rewrite::Move { step, before }) => {
            let moved = steps.remove(step);
            steps.insert(before, moved);
            // Only a border of a single step is ever crossed.
            let follow = |range: Range<usize>| match range {
                _ if range.len() != 1 => range,
                _ if range.start == step => before..before + 1,
                _ if (before..step).contains(&range.start) => range.start + 1..range.end + 1,
                _ => range,
            };
            repeated = repeated.map(follow);
            optional = optional.map(follow);
        }
        Change::Step(Rewrite::Replace(number, step)) => steps[number] = step,
        Change::NoLoop => optional = repeated.take(),
        Change::NoOption => optional = None,
    }
    Scenario { steps, repeated, optional, setting: family.setting }
}
