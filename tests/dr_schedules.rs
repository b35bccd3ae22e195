//! Merged runs under every order of operations that CUDA allows, with the emulator's page protection and its race
//! detector: a wait left out too much, or an access to a merged buffer while the device works, shows here.

mod dr_support;

use dr_support::{Case, codes, emulated, merged, text};
use echo_emulator::{Options, Order, Setting, compile};

/// The orders, as variables.
fn orders() -> Vec<Vec<(String, String)>> {
    let orders = [Order::Late, Order::OthersFirst, Order::Random(1), Order::Random(2)];
    orders.map(|order| Setting::new(order).environment()[..2].to_vec()).to_vec()
}

/// Runs with the plan under every order; the output must be `expected`.
fn under_every_order(case: &mut Case, further: &[(&str, &str)], expected: &str) {
    let kept = case.environment.clone();
    for order in orders() {
        case.environment = kept.clone();
        let pairs = further.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        case.environment.extend(order.iter().cloned().chain(pairs));
        let (done, report) = case.run();
        let said = format!("{:?} {order:?}: {}", case.program, text(&done.stderr));
        assert!(done.status.success(), "{:?} {said}", done.status);
        assert_eq!(text(&done.stdout), expected, "{said}");
        assert!(!text(&done.stderr).contains("ECHO-"), "{said}");
        assert!(report["outcome"]["skipped_copies"].as_u64().unwrap() >= 10, "{report}");
    }
    case.environment = kept;
}

#[test]
fn every_way_to_merge() {
    if emulated().is_none() {
        return;
    }
    for variant in ["lookup", "lookup-thread", "linked", "linked-thread"] {
        for behaviour in ["good", "async", "event", "pairs-each-round"] {
            let kind = if variant == "lookup" { "managed" } else { "mapped" };
            let mut case = Case::new(variant, behaviour);
            let expected = text(&case.plain().stdout);
            let plan = case.plan(&["--backend", kind]);
            assert_eq!(merged(&plan), 2, "{variant} {behaviour}: {:?}", codes(&plan));
            under_every_order(&mut case, &[], &expected);
        }
    }
}

#[test]
fn every_memory_kind() {
    if emulated().is_none() {
        return;
    }
    for kind in ["managed", "mapped", "registered"] {
        let mut case = Case::new("lookup", "device-first");
        let expected = text(&case.plain().stdout);
        let plan = case.plan(&["--backend", kind]);
        assert_eq!(merged(&plan), 2, "{kind}: {:?}", codes(&plan));
        under_every_order(&mut case, &[], &expected);
    }
}

#[test]
fn a_device_that_needs_exclusive_access() {
    if emulated().is_none() {
        return;
    }
    for behaviour in ["good", "sync-first", "async"] {
        let mut case = Case::new("lookup", behaviour).with("ECHO_CMA", "0");
        let expected = text(&case.plain().stdout);
        let plan = case.plan(&["--backend", "managed"]);
        assert_eq!(merged(&plan), 2, "{behaviour}: {:?}", codes(&plan));
        under_every_order(&mut case, &[], &expected);
    }
    // The emulator would see an access: this plan was made where the device does not mind.
    let case = Case::new("lookup", "exclusive");
    let plan = case.plan(&["--backend", "managed"]);
    assert_eq!(merged(&plan), 2, "{:?}", codes(&plan));
    let (done, _) = case.with("ECHO_CMA", "0").with("ECHO_SCHED", "late").run();
    assert_eq!(done.status.code(), Some(95), "{}", text(&done.stderr));
}

#[test]
fn no_race_is_made() {
    let Some(emulated) = emulated() else { return };
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/tests/apps/rounds.cu");
    let options = Options { race: true, ..Options::default() };
    let program = compile(&emulated.installation, &[source.into()], &options).unwrap();
    for how in ["copy", "device", "stream", "event"] {
        for kind in ["managed", "mapped"] {
            let words = vec![program.file.to_str().unwrap().to_owned(), how.to_owned()];
            let mut case = Case::of(words).emulated();
            let expected = text(&case.plain().stdout);
            let done = case.echo(&["profile", "-o", &case.file("trace"), "--min-size", "30000"]);
            assert_eq!(text(&done.stdout), expected, "{}", text(&done.stderr));
            let (trace, plan) = (case.file("trace"), case.file("plan"));
            let words = ["analyze", &trace, "-o", &plan, "--no-calibration", "--backend", kind];
            let done = case.echo(&words);
            assert_eq!(done.status.code(), Some(0), "{how}: {}", text(&done.stderr));
            under_every_order(&mut case, &[("ECHO_RACE", "1")], &expected);
            // The detector is at work: it finds the race that merging makes of what the profile never showed.
            let (done, _) = case.with("ECHO_RACE", "1").with("TOUCH", "1").run();
            assert_eq!(done.status.code(), Some(96), "{how}: {}", text(&done.stderr));
        }
    }
}
