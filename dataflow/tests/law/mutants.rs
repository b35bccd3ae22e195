//! Which program notices that a check is missing.

use std::sync::Mutex;

use echo_dataflow::target::Target;

use super::check::{Ground, judgement};
use super::enumerate::Family;

/// The shortest program found of `family` that is merged wrongly for `target` without the check `name`.
pub(crate) fn noticed(
    family: &Family,
    threads: usize,
    target: Target,
    name: &str,
) -> Option<String> {
    let found: Mutex<Option<String>> = Mutex::new(None);
    family.visit(threads, |scenario| {
        // Only where something is merged can something go wrong; and what is merged then is also cheap to tell.
        let judged = judgement(scenario, target, &[name]);
        if judged.merge.pairs.is_empty() {
            return false;
        }
        let Some(ground) = Ground::new(scenario) else { return false };
        if ground.is_kept(&judged.merge, target == Target::AnyUma) {
            return false;
        }
        let mut found = found.lock().expect("no thread panics");
        found.get_or_insert_with(|| scenario.to_string());
        true
    });
    found.into_inner().expect("no thread panics")
}
