//! `echo-dr` leaves alone what it must: each behaviour, its reason, and unchanged output.

mod dr_support;

use dr_support::{Case, codes, merged, text};

/// Behaviour and the reason that must be among the given ones.
const REJECTED: [(&str, &str); 19] = [
    ("inplace", "device-changed-input"),
    ("read", "host-access"),
    ("write", "host-access"),
    ("thread-write", "host-access"),
    ("blocked-thread", "host-access"),
    ("register", "registered"),
    ("query", "pointer-queried"),
    ("realloc", "reallocated"),
    ("grown", "reallocated"),
    ("free-early", "several-devices"),
    ("two-h", "several-hosts"),
    ("two-d", "several-devices"),
    ("size", "size-mismatch"),
    ("partial", "other-copy"),
    ("fill", "filled"),
    ("two-streams", "several-streams"),
    ("no-wait", "not-waited-for"),
    ("fork", "forked"),
    ("cleared-output", "late-allocation"),
];

/// What the emulator's driver cannot do: another process's memory, capture.
const REJECTED_FAKE: [(&str, &str); 2] = [("export", "exported"), ("capture", "captured")];

fn rejects(case: &Case, extra: &[&str], code: &str) {
    let plain = case.plain();
    let plan = case.plan(extra);
    assert!(codes(&plan).contains(&code.to_owned()), "{:?}: {:?}", case.program, codes(&plan));
    let (done, report) = case.run();
    assert_eq!(text(&done.stdout), text(&plain.stdout), "{:?}", case.program);
    assert_eq!(done.status, plain.status);
    // What is rejected is not merged; the program's other pair may be.
    let limit = 12 * merged(&plan) as u64;
    assert!(report["outcome"]["skipped_copies"].as_u64().unwrap() <= limit, "{report}");
}

#[test]
fn with_userfaultfd_where_the_system_allows_it() {
    for (behaviour, code) in REJECTED {
        rejects(&Case::new("lookup", behaviour), &["--backend", "mapped"], code);
    }
    for (behaviour, code) in REJECTED_FAKE {
        rejects(&Case::fake("lookup", behaviour), &["--backend", "mapped"], code);
    }
}

#[test]
fn with_page_protection() {
    for (behaviour, code) in REJECTED {
        rejects(
            &Case::new("lookup", behaviour),
            &["--backend", "mapped", "--guard", "protection"],
            code,
        );
    }
}

#[test]
fn input_and_output_calls() {
    for behaviour in ["read-call", "write-call", "fread"] {
        let case = Case::new("lookup", behaviour);
        let plan = case.plan(&["--backend", "mapped"]);
        let expected = if plan["guard"] == "userfaultfd" { "host-access" } else { "host-io" };
        assert!(codes(&plan).contains(&expected.to_owned()), "{behaviour}: {:?}", codes(&plan));
        let case = Case::new("lookup", behaviour);
        rejects(&case, &["--backend", "mapped", "--guard", "protection"], "host-io");
    }
}

#[test]
fn with_new_and_in_a_library() {
    for variant in ["new", "library", "linked", "lookup-thread"] {
        for (behaviour, code) in [("write", "host-access"), ("inplace", "device-changed-input")] {
            rejects(&Case::new(variant, behaviour), &["--backend", "mapped"], code);
        }
    }
}

#[test]
fn exclusive_access_only_where_the_device_needs_it() {
    let plan = Case::new("lookup", "exclusive").plan(&["--backend", "mapped"]);
    assert_eq!(merged(&plan), 2, "{:?}", codes(&plan));
    rejects(
        &Case::new("lookup", "exclusive").with("ECHO_CMA", "0").with("FAKE_CMA", "0"),
        &["--backend", "mapped"],
        "host-access",
    );
    let plan = Case::new("lookup", "good")
        .with("ECHO_CMA", "0")
        .with("FAKE_CMA", "0")
        .plan(&["--backend", "mapped"]);
    assert_eq!(merged(&plan), 2, "{:?}", codes(&plan));
}

#[test]
fn either_of_the_added_checks_finds_the_in_place_program() {
    let case = Case::new("lookup", "inplace");
    rejects(&case, &["--backend", "mapped", "--no-digest"], "device-changed-input");
    rejects(&case, &["--backend", "mapped", "--no-s1-check"], "digest-differs");
    // Without both, as in the paper, the pair is accepted and the program computes something else.
    let plan = case.plan(&["--backend", "mapped", "--no-s1-check", "--no-digest"]);
    assert_eq!(merged(&plan), 2);
    let (done, _) = case.run();
    assert_ne!(text(&done.stdout), text(&case.plain().stdout));
}

#[test]
fn reasons_tell_whose_check_it_was() {
    let plan = Case::new("lookup", "inplace").plan(&["--backend", "mapped"]);
    let checks: Vec<_> = plan["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pair| pair["rejections"].as_array().unwrap().clone())
        .map(|refusal| refusal["check"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(checks, ["echo"]);
    let plan = Case::new("lookup", "write").plan(&["--backend", "mapped"]);
    let pair = &plan["pairs"]
        .as_array()
        .unwrap()
        .iter()
        .find(|pair| pair["merge"] == false)
        .unwrap()
        .clone();
    assert_eq!(pair["rejections"][0]["check"], "paper");
}
