//! Which programs notice that a check is missing.

use std::collections::BTreeMap;
use std::sync::Mutex;

use echo_dataflow::target::Target;

use super::check::{Ground, judgement};
use super::enumerate::Family;

/// For each of `checks` without which some program of `family` is merged wrongly for `target`: the shortest of those, of
/// equals the first in the order of their texts.
pub(crate) fn noticed(
    family: &Family,
    threads: usize,
    target: Target,
    checks: &[&'static str],
) -> BTreeMap<&'static str, String> {
    let found: Mutex<BTreeMap<&'static str, (usize, String)>> = Mutex::default();
    family.visit(threads, |scenario| {
        let usual = judgement(scenario, target, &[]);
        let mut ground = None;
        for &name in checks {
            // What the analysis does anyway is right, says the other test.
            let judged = judgement(scenario, target, &[name]);
            if judged.merge.pairs.is_empty() || judged.merge == usual.merge {
                continue;
            }
            let ground = ground.get_or_insert_with(|| Ground::new(scenario));
            let Some(ground) = ground else { return false };
            if ground.is_kept(&judged.merge, target == Target::AnyUma) {
                continue;
            }
            let program = (scenario.steps.len(), scenario.to_string());
            let mut found = found.lock().expect("no thread panics");
            let shortest = found.entry(name).or_insert_with(|| program.clone());
            if program < *shortest {
                *shortest = program;
            }
        }
        false
    });
    let found = found.into_inner().expect("no thread panics");
    found.into_iter().map(|(name, (_, program))| (name, program)).collect()
}
