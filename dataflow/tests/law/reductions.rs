//! What makes the law quick leaves nothing out: the rules that keep one of several programs, and judging for one target.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use echo_dataflow::mutation::{CHECKS, NoticedBy};
use echo_dataflow::target::Target;

use super::check::{Ground, judgement};
use super::enumerate::Family;
use super::families::families;
use super::mutants::noticed;
use super::scenario::{Buffer, Scenario, Step};
use super::shape::{Applies, is_plain, pieces, simpler, splits};
use super::tally::same_elsewhere;
use super::{longer, say, threads};

/// The families with all their programs of few steps, also those that say what others say.
fn all_of(straight: usize, one: usize, two: usize) -> impl Iterator<Item = Family> {
    let (straight, one, two) = (straight + longer(), one + longer(), two + longer());
    families(0).into_iter().map(move |family| Family {
        straight: family.straight.min(straight),
        one_construct: family.one_construct.min(one),
        two_constructs: family.two_constructs.min(two),
        only_plain: false,
        ..family
    })
}

/// Without the frees at the end that the alphabet does not have.
fn own_steps<'s>(scenario: &'s Scenario, family: &Family) -> &'s [Step] {
    let added = |step: &&Step| matches!(step, Step::Free(_)) && !family.alphabet.contains(step);
    let ends = scenario.steps.iter().rev().take_while(added).count();
    &scenario.steps[..scenario.steps.len() - ends]
}

/// Per pair whether it is safe to merge, for both targets.
type Truth = Vec<((Buffer, Buffer), [bool; 2])>;

/// Also whether the original races.
fn truth(scenario: &Scenario) -> Option<(bool, Truth)> {
    Ground::new(scenario).map(|ground| (ground.races, ground.truth()))
}

/// With the frees at the end.
fn freed(mut scenario: Scenario, family: &Family) -> Scenario {
    let used: Vec<Buffer> =
        super::scenario::BUFFERS.into_iter().filter(|b| scenario.uses(*b)).collect();
    let missing = used.into_iter().map(Step::Free).filter(|free| !family.alphabet.contains(free));
    scenario.steps.extend(missing);
    scenario
}

/// Each rule, for each program it applies to: what it makes of the program is as right or wrong to merge.
#[test]
fn what_is_left_out_is_like_what_is_kept() {
    let left_out = AtomicU64::new(0);
    for family in all_of(4, 3, 2) {
        let wrong = Mutex::new(None);
        family.visit(threads(), |scenario| {
            let steps = own_steps(scenario, &family);
            let constructs = (scenario.repeated.as_ref(), scenario.optional.as_ref());
            let kept = simpler(steps, constructs, &family);
            let rules: Vec<Applies> =
                (1..=steps.len()).map(|n| Applies::new(&steps[..n], &family)).collect();
            assert_eq!(is_plain(steps, &rules, constructs, &family), kept.is_none(), "{scenario}");
            let Some(kept) = kept.map(|kept| freed(kept, &family)) else { return false };
            left_out.fetch_add(1, Ordering::Relaxed);
            let Some((races, own)) = truth(scenario) else { return false };
            let other = truth(&kept).map(|(_, safe)| safe);
            if !races && other.as_ref() != Some(&own) {
                let text = format!("{}: {scenario}\n  {own:?}\n{kept}\n  {other:?}", family.name);
                *wrong.lock().expect("no thread panics") = Some(text);
            }
            wrong.lock().expect("no thread panics").is_some()
        });
        if let Some(text) = wrong.into_inner().expect("no thread panics") {
            panic!("left out, but not like what is kept: {text}");
        }
    }
    say(&format!("{} programs are like what is kept", left_out.into_inner()));
}

/// Where a program is split, one of its pieces is wrong to merge if it is.
#[test]
fn pieces_say_all() {
    let split = AtomicU64::new(0);
    for family in all_of(4, 4, 2) {
        family.visit(threads(), |scenario| {
            let steps = own_steps(scenario, &family);
            let constructs = (scenario.repeated.as_ref(), scenario.optional.as_ref());
            let pieces = pieces(steps, constructs, &family);
            assert_eq!(splits(steps, constructs, &family), !pieces.is_empty(), "{scenario}");
            let Some((false, own)) = truth(scenario).filter(|_| !pieces.is_empty()) else {
                return false;
            };
            split.fetch_add(1, Ordering::Relaxed);
            let pieces: Vec<Truth> = pieces
                .into_iter()
                .filter_map(|piece| truth(&freed(piece, &family)))
                .map(|(_, safe)| safe)
                .collect();
            for (pair, safe) in own {
                for target in [0, 1] {
                    let wrong = |piece: &Truth| piece.iter().any(|(p, s)| *p == pair && !s[target]);
                    assert!(safe[target] || pieces.iter().any(wrong), "{pair:?} {scenario}");
                }
            }
            false
        });
    }
    say(&format!("{} programs say what their pieces say", split.into_inner()));
}

/// The kinds of programs: what the analysis says for each target, and whether each pair is safe.
fn kinds(family: &Family) -> BTreeMap<String, String> {
    let found = Mutex::new(BTreeMap::new());
    family.visit(threads(), |scenario| {
        let Some((_, safe)) = truth(scenario) else { return false };
        let mut said = BTreeSet::new();
        for target in [Target::Thor, Target::AnyUma] {
            let judged = judgement(scenario, target, &[]);
            let declined: Vec<_> = judged.declined.iter().map(|(_, why)| why.code()).collect();
            said.insert(format!("{target:?}: {} merged, {declined:?}", judged.merge.pairs.len()));
        }
        let safe: Vec<_> = safe.iter().map(|(_, safe)| safe).collect();
        let kind = format!("{said:?} {safe:?}");
        found.lock().expect("no thread panics").entry(kind).or_insert_with(|| scenario.to_string());
        false
    });
    found.into_inner().expect("no thread panics")
}

/// Both ways of enumerating find the same kinds of programs, and notice the same missing checks.
#[test]
fn the_same_kinds_of_programs_are_found() {
    for all in all_of(4, 3, 2) {
        let plain = Family { only_plain: true, ..all.clone() };
        let (of_all, of_plain) = (kinds(&all), kinds(&plain));
        for (kind, program) in &of_all {
            assert!(of_plain.contains_key(kind), "{}: {kind} only by {program}", all.name);
        }
        say(&format!("{}: {} kinds of programs", all.name, of_plain.len()));
    }
}

/// The same for what notices that a check is missing. That it is in the same family is too much to ask: a wait for a
/// stream without work is left out, though it would notice that a wait for a stream is taken for one for the device.
#[test]
fn the_same_missing_checks_are_noticed() {
    let by_all = noticed_in(all_of(4, 2, 0));
    let by_plain = noticed_in(all_of(4, 2, 0).map(|all| Family { only_plain: true, ..all }));
    assert_eq!(by_plain, by_all);
    say(&format!("{} missing checks are noticed in programs of 4 steps", by_plain.len()));
}

fn noticed_in(families: impl Iterator<Item = Family>) -> BTreeSet<&'static str> {
    let own = CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::SmallPrograms);
    let mut missing: Vec<&'static str> = own.map(|check| check.name).collect();
    let mut found = BTreeSet::new();
    for family in families {
        found.extend(noticed(&family, threads(), Target::AnyUma, &missing).into_keys());
        missing.retain(|name| !found.contains(name));
    }
    found
}

/// Where the judgement for one target is taken for the other too, they are the same.
#[test]
fn allowing_more_changes_nothing_else() {
    for family in all_of(4, 3, 2) {
        family.visit(threads(), |scenario| {
            let strict = judgement(scenario, Target::AnyUma, &[]);
            if same_elsewhere(&strict) {
                assert_eq!(strict, judgement(scenario, Target::Thor, &[]), "{scenario}");
            }
            false
        });
    }
}
