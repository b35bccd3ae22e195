//! Law: over small programs, whatever the analysis merges behaves as before in every legal order of its device work.
//!
//! The meaning of a program ([`semantics`]) is written independently of the analysis and as naively as possible.

mod check;
mod enumerate;
mod scenario;
mod semantics;

use std::collections::BTreeMap;

use check::{Outcome, check, explain};
use echo_dataflow::target::Target;
use enumerate::{Family, families};
use scenario::Scenario;

/// Checks `scenarios` and panics at the first that is merged wrongly.
fn hold(family: &str, scenarios: impl Iterator<Item = Scenario>, target: Target) {
    let mut counts: BTreeMap<Outcome, u32> = BTreeMap::new();
    for scenario in scenarios {
        let outcome = check(&scenario, target, &[]);
        assert!(
            outcome != Outcome::Unsound,
            "{family}: merged, but differs: {scenario:?}\n{}",
            explain(&scenario, target)
        );
        *counts.entry(outcome).or_default() += 1;
    }
    let of = |outcome| counts.get(&outcome).copied().unwrap_or(0);
    let safe = of(Outcome::Sound) + of(Outcome::DeclinedSafe);
    println!(
        "{family}, {target:?}: {} outside the premise, {} merged, {} declined, {} of {safe} safe ones declined",
        of(Outcome::Premise),
        of(Outcome::Sound),
        of(Outcome::Declined),
        of(Outcome::DeclinedSafe),
    );
    assert!(of(Outcome::Sound) > 0, "{family}: nothing was merged, so nothing was tested");
    assert!(of(Outcome::Declined) > 0, "{family}: nothing was declined, so nothing was tested");
}

#[test]
fn small_programs_behave_as_before() {
    for Family { name, scenarios } in families() {
        hold(name, scenarios.iter().cloned(), Target::Thor);
    }
}

#[test]
fn small_programs_do_not_trap() {
    for Family { name, scenarios } in families() {
        hold(name, scenarios.iter().cloned(), Target::AnyUma);
    }
}
