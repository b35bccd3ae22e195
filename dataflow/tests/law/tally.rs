//! Counts over a family.

use std::collections::BTreeMap;
use std::sync::Mutex;

use echo_dataflow::target::Target;
use echo_dataflow::verdict::Condition;

use super::check::{Ground, Judgement, judgement};
use super::enumerate::Family;

/// What was found in a family.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Programs with something to preserve.
    programs: u64,
    /// Programs that use what is not there in some run.
    outside: u64,
    /// Programs whose original races.
    racing: u64,
    /// Schedules of all originals.
    schedules: u64,
    per_target: BTreeMap<usize, Pairs>,
    /// A program that is merged wrongly, the shortest of those seen.
    pub(crate) unsound: Option<String>,
    steps_of_unsound: usize,
}

#[derive(Debug, Default)]
struct Pairs {
    all: u64,
    merged: u64,
    declined: BTreeMap<&'static str, Declined>,
    /// A short program for each headline of those that are declined though safe.
    examples: BTreeMap<&'static str, (usize, String)>,
}

/// Pairs with one headline.
#[derive(Debug, Default)]
struct Declined {
    all: u64,
    /// Merging would be safe.
    safe: u64,
    /// And the original has no race, so that it promises something.
    safe_without_race: u64,
}

/// What programs are checked for: a target that allows concurrent access, and one that does not.
const TARGETS: [Target; 2] = [Target::Thor, Target::AnyUma];

/// Whether what is found for the target without concurrent access is known to be found for the other too, which saves half
/// of the judgements: either all is merged, or the only pair is declined for something else than concurrent access. A test
/// in [`super::reductions`] compares them.
pub(crate) fn same_elsewhere(strict: &Judgement) -> bool {
    let declined = &strict.declined;
    let is_alone = declined.len() + strict.merge.pairs.len() == 1;
    declined.is_empty() || is_alone && declined[0].1 != Condition::ExclusiveAccess
}

/// Checks the programs of `family` for each target.
pub(crate) fn tally(family: &Family, threads: usize) -> Tally {
    let total = Mutex::new(Tally::default());
    family.visit(threads, |scenario| {
        let Some(ground) = Ground::new(scenario) else {
            total.lock().expect("no thread panics").outside += 1;
            return false;
        };
        let mut own: Vec<(Vec<(&'static str, bool)>, usize)> = Vec::new();
        let mut unsound = None;
        let strict = judgement(scenario, Target::AnyUma, &[]);
        let other = if same_elsewhere(&strict) {
            None
        } else {
            Some(judgement(scenario, Target::Thor, &[]))
        };
        for target in TARGETS {
            let exclusive = target == Target::AnyUma;
            let judged = other.as_ref().filter(|_| !exclusive).unwrap_or(&strict);
            if !judged.merge.pairs.is_empty() && !ground.is_kept(&judged.merge, exclusive) {
                unsound = Some(format!("{target:?} {}", ground.explain(&judged.merge)));
            }
            let declined = judged
                .declined
                .iter()
                .map(|&(pair, condition)| {
                    (condition.code(), ground.could_have(&judged.merge, pair, exclusive))
                })
                .collect();
            own.push((declined, judged.merge.pairs.len()));
        }
        let mut total = total.lock().expect("no thread panics");
        total.programs += 1;
        total.racing += u64::from(ground.races);
        total.schedules = total.schedules.saturating_add(ground.schedules);
        for (number, (declined, merged)) in own.into_iter().enumerate() {
            let pairs = total.per_target.entry(number).or_default();
            pairs.all += (declined.len() + merged) as u64;
            pairs.merged += merged as u64;
            for (code, is_safe) in declined {
                let slot = pairs.declined.entry(code).or_default();
                slot.all += 1;
                slot.safe += u64::from(is_safe);
                slot.safe_without_race += u64::from(is_safe && !ground.races);
                let steps = scenario.steps.len();
                if is_safe && pairs.examples.get(code).is_none_or(|(least, _)| steps < *least) {
                    pairs.examples.insert(code, (steps, format!("{scenario:?}")));
                }
            }
        }
        if let Some(text) = unsound
            && (total.unsound.is_none() || scenario.steps.len() < total.steps_of_unsound)
        {
            total.unsound = Some(text);
            total.steps_of_unsound = scenario.steps.len();
        }
        false
    });
    total.into_inner().expect("no thread panics")
}

impl Tally {
    /// The counts, for people.
    pub(crate) fn lines(&self, family: &Family) -> Vec<String> {
        let mut lines = vec![format!(
            "{}: {} programs ({} race), {} schedules, {} outside the premise",
            family.name, self.programs, self.racing, self.schedules, self.outside
        )];
        for (number, pairs) in &self.per_target {
            let safe = pairs.merged + pairs.declined.values().map(|own| own.safe).sum::<u64>();
            let by_condition = pairs.declined.iter().map(|(code, own)| {
                let Declined { all, safe, safe_without_race } = own;
                format!("{code} {safe} of {all} ({safe_without_race} without a race)")
            });
            let by_condition: Vec<String> = by_condition.collect();
            lines.push(format!(
                "    {}: {} pairs, {safe} safe, {} merged; declined though safe: {}",
                ["thor", "any-uma"][*number],
                pairs.all,
                pairs.merged,
                by_condition.join(", ")
            ));
            if std::env::var_os("ECHO_LAW_EXAMPLES").is_some() {
                lines.extend(
                    pairs.examples.iter().map(|(c, (_, text))| format!("      {c} {text}")),
                );
            }
        }
        lines
    }
}
