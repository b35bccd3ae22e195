//! Counts over a family.

use std::collections::BTreeMap;
use std::sync::Mutex;

use echo_dataflow::target::Target;

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
    /// By headline: declined, and of these declined though merging is safe.
    declined: BTreeMap<&'static str, (u64, u64)>,
    /// A short program for each headline of those that are declined though safe.
    examples: BTreeMap<&'static str, (usize, String)>,
}

/// What programs are checked for: first the target that allows more.
const TARGETS: [Target; 2] = [Target::Thor, Target::AnyUma];

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
        let mut before: Option<Judgement> = None;
        for target in TARGETS {
            let exclusive = target == Target::AnyUma;
            // A single pair that is declined where more is allowed is declined here too, with the same headline.
            let same =
                before.filter(|judged| judged.merge.pairs.is_empty() && judged.declined.len() == 1);
            let judged = same.unwrap_or_else(|| judgement(scenario, target, &[]));
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
            before = Some(judged);
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
                slot.0 += 1;
                slot.1 += u64::from(is_safe);
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
            let safe = pairs.merged + pairs.declined.values().map(|(_, safe)| safe).sum::<u64>();
            let by_condition: Vec<String> = pairs
                .declined
                .iter()
                .map(|(code, (all, safe))| format!("{code} {safe} of {all}"))
                .collect();
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
