//! Twelve transformations, one sound and eleven not: each is caught by the means that should catch it.

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use echo_emulator::{
    Ending, Installation, Options, Order, Outcome, Program, Setting, all_settings, compile, run,
};
use rayon::prelude::*;

/// What a means says of the transformed program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Verdict {
    /// As the original.
    Same,
    /// Other output.
    Differs,
    /// Stopped.
    Traps(Ending),
    /// Ran, with a race.
    Races,
}

use Verdict::{Differs, Races, Same, Traps};

const BUSY: Verdict = Traps(Ending::ManagedBusy);
const FREED: Verdict = Traps(Ending::Freed);

struct Expected {
    name: &'static str,
    eager: Verdict,
    late: Verdict,
    /// Of twenty random schedules, whether one shows it.
    some_random: bool,
    exclusive: Verdict,
    detector: Verdict,
}

const fn expected(
    name: &'static str,
    (eager, late, some_random): (Verdict, Verdict, bool),
    exclusive: Verdict,
    detector: Verdict,
) -> Expected {
    Expected { name, eager, late, some_random, exclusive, detector }
}

// No single means is enough: a wrong value can be ordered, so that only the output shows it, and a race can leave the
// output alone, so that only the detector shows it.
const PAIRS: [Expected; 12] = [
    expected("sound", (Same, Same, false), Same, Same),
    expected("missing_synchronization", (Same, Differs, true), BUSY, Races),
    expected("overwrite_in_flight", (Same, Differs, true), BUSY, Races),
    expected("golden_reference", (Differs, Differs, true), Differs, Differs),
    expected("read_before_copy", (Differs, Same, true), BUSY, Races),
    expected("freed_early", (FREED, FREED, true), FREED, FREED),
    expected("pointer_comparison", (Differs, Differs, true), Differs, Differs),
    expected("stale_half", (Differs, Differs, true), Differs, Differs),
    expected("wrong_stream", (Same, Differs, true), BUSY, Races),
    expected("refilled_staging_buffer", (Same, Differs, true), BUSY, Races),
    expected("memset_clobbers", (Differs, Differs, true), Differs, Differs),
    expected("unrelated_kernel", (Same, Same, false), BUSY, Same),
];

const LIMIT: Duration = Duration::from_secs(60);

fn source(name: &str, version: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs");
    folder.join(format!("{name}.{version}.cu"))
}

struct Programs {
    plain: Program,
    detecting: Program,
}

fn programs(installation: &Installation, name: &str, version: &str) -> Programs {
    let made = |race| {
        let options = Options { race, ..Options::default() };
        compile(installation, &[source(name, version)], &options).expect("it compiles")
    };
    Programs { plain: made(false), detecting: made(true) }
}

fn outcome(program: &Program, setting: &Setting) -> Outcome {
    run(program, &[], Path::new("."), setting, LIMIT).expect("it starts")
}

fn verdict(original: &Outcome, transformed: &Outcome) -> Verdict {
    let same = transformed.output == original.output;
    if transformed.ending == Ending::Race {
        Races
    } else if transformed.ending != Ending::Exit(0) {
        Traps(transformed.ending)
    } else if same {
        Same
    } else {
        Differs
    }
}

fn check(installation: &Installation, expected: &Expected) -> Vec<String> {
    let original = programs(installation, expected.name, "original");
    let transformed = programs(installation, expected.name, "transformed");
    let reference = outcome(&original.plain, &Setting::new(Order::Eager));
    let mut wrong = Vec::new();
    if reference.ending != Ending::Exit(0) {
        wrong.push(format!("original: {} {:?}", reference.ending, reference.findings));
    }
    for setting in all_settings(20) {
        let again = outcome(&original.plain, &setting);
        if verdict(&reference, &again) != Same {
            wrong.push(format!("original under {setting}: {}", again.ending));
        }
    }
    let mut detector = Setting::new(Order::Eager);
    detector.race = 2;
    let checked = outcome(&original.detecting, &detector);
    if verdict(&reference, &checked) != Same {
        wrong.push(format!("original under the detector: {:?}", checked.findings));
    }
    let mut exclusive = Setting::new(Order::Eager);
    exclusive.concurrent_access = false;
    let mut expect = |what: &str, program: &Program, setting: &Setting, wanted: Verdict| {
        let found = verdict(&reference, &outcome(program, setting));
        if found != wanted {
            wrong.push(format!("{what}: expected {wanted:?}, found {found:?}"));
        }
    };
    expect("eager", &transformed.plain, &Setting::new(Order::Eager), expected.eager);
    expect("late", &transformed.plain, &Setting::new(Order::Late), expected.late);
    expect("exclusive", &transformed.plain, &exclusive, expected.exclusive);
    expect("detector", &transformed.detecting, &detector, expected.detector);
    let shown = (1..=20).any(|seed| {
        let setting = Setting::new(Order::Random(seed));
        verdict(&reference, &outcome(&transformed.plain, &setting)) != Same
    });
    if shown != expected.some_random {
        wrong.push(format!("random: expected {}, found {shown}", expected.some_random));
    }
    wrong.into_iter().map(|line| format!("{}: {line}", expected.name)).collect()
}

#[test]
fn each_transformation_is_caught_by_the_right_means() {
    let Some(installation) =
        support::installation("each_transformation_is_caught_by_the_right_means")
    else {
        return;
    };
    let wrong: Vec<String> =
        PAIRS.par_iter().flat_map(|expected| check(&installation, expected)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_if_unification_gives_the_verdict_of_the_rewritten_program() {
    let Some(installation) =
        support::installation("what_if_unification_gives_the_verdict_of_the_rewritten_program")
    else {
        return;
    };
    let originals = |name: &str| programs(&installation, name, "original");
    let unified = |order| {
        let mut setting = Setting::new(order);
        setting.unify = vec![(0, 0)];
        setting
    };
    // The linking copies become synchronizations, so only wrong values are left to find.
    for (name, wanted) in [
        ("sound", Same),
        ("golden_reference", Differs),
        ("stale_half", Differs),
        ("freed_early", Same),
    ] {
        let original = originals(name).plain;
        let reference = outcome(&original, &Setting::new(Order::Eager));
        for order in [Order::Eager, Order::Late, Order::Random(1)] {
            let found = verdict(&reference, &outcome(&original, &unified(order)));
            // In the original stale_half the copy of a half is between the two names, so it too is only an ordering.
            assert_eq!(found, wanted, "{name} under {order:?}");
        }
    }
}

#[test]
fn pairs_are_listed_with_their_copies() {
    let Some(installation) = support::installation("pairs_are_listed_with_their_copies") else {
        return;
    };
    let program = programs(&installation, "sound", "original").plain;
    let mut setting = Setting::new(Order::Eager);
    setting.list_pairs = true;
    let findings = outcome(&program, &setting).findings;
    let [link] = findings.as_slice() else { panic!("one pair: {findings:?}") };
    for part in
        ["ECHO-LINK host h=0 d=0 hs=8000 ds=8000 h2d=1 d2h=1 part=0 async=0", "hpc=", "dpc="]
    {
        assert!(link.contains(part), "{link}");
    }
    let site = link.split("hpc=").nth(1).and_then(|rest| rest.split(' ').next());
    assert!(site.is_some_and(|site| !site.is_empty()), "{link}");
}
