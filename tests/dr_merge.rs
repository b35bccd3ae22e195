//! `echo-dr` merges: same output, no copies, on every way to reach the driver and to get memory.
#![allow(clippy::print_stderr)] // says what a machine lacks

mod dr_support;

use dr_support::{Case, codes, merged, text};

/// Profiles, validates, merges; the output must be that of the plain run.
fn merges(case: &Case, extra: &[&str], pairs: usize, skipped: u64) -> serde_json::Value {
    let plain = case.plain();
    assert!(plain.status.success(), "{}", text(&plain.stderr));
    let plan = case.plan(extra);
    assert_eq!(merged(&plan), pairs, "{:?}: {:?}", case.program, codes(&plan));
    assert_eq!(plan["enabled"], true, "{}", plan["reason"]);
    assert_eq!(plan["digest"], "compared");
    let (done, report) = case.run();
    assert_eq!(text(&done.stdout), text(&plain.stdout), "{:?}", case.program);
    assert!(done.status.success());
    let outcome = &report["outcome"];
    assert_eq!(outcome["skipped_copies"], skipped, "{report}");
    assert_eq!(outcome["fallbacks"], 0);
    assert_eq!(outcome["unplanned"], 0);
    report
}

#[test]
fn every_way_to_the_driver() {
    for variant in
        ["lookup", "lookup-thread", "linked", "linked-thread", "new", "plain-frames", "library"]
    {
        let report = merges(&Case::new(variant, "good"), &[], 2, 12);
        assert_eq!(report["outcome"]["merged"], 2);
        assert_eq!(report["outcome"]["peak_bytes"], 2 << 20);
        assert_eq!(report["outcome"]["skipped_bytes"], 12 << 20);
    }
}

#[test]
fn every_order_and_form() {
    for behaviour in [
        "async",
        "event",
        "unified",
        "calloc",
        "device-first",
        "free-device-first",
        "sync-first",
        "fresh-output",
    ] {
        merges(&Case::new("lookup", behaviour), &[], 2, 12);
    }
}

#[test]
fn every_way_to_allocate() {
    for behaviour in [
        "reallocarray",
        "posix_memalign",
        "aligned_alloc",
        "memalign",
        "valloc",
        "pvalloc",
        "aligned-new",
    ] {
        let report = merges(&Case::new("lookup", behaviour), &["--backend", "mapped"], 2, 12);
        assert_eq!(report["outcome"]["peak_bytes"], 2 << 20, "{behaviour}");
    }
}

#[test]
fn a_pair_per_round() {
    // Round 0 allocates at other call sites than the rest, and copies there only once.
    let report = merges(&Case::new("lookup", "pairs-each-round"), &[], 2, 10);
    assert_eq!(report["outcome"]["merged"], 10);
    assert_eq!(report["outcome"]["peak_bytes"], 2 << 20, "buffers are freed with their last name");
}

#[test]
fn every_memory_kind() {
    let entry = |kind: &str| match kind {
        "managed" => "cuMemAllocManaged",
        "mapped" => "cuMemHostAlloc",
        "registered" => "cuMemHostRegister",
        _ => "",
    };
    for kind in ["managed", "mapped", "registered", "system"] {
        let log = tempfile::NamedTempFile::new().unwrap();
        let path = log.path().to_str().unwrap();
        let case = Case::fake("lookup", "good").with("FAKE_PAGEABLE", "1");
        let report = merges(&case, &["--backend", kind], 2, 12);
        assert_eq!(report["backend"], kind);
        let case = case.with("FAKE_LOG", path);
        let (done, _) = case.run();
        assert!(done.status.success());
        let calls = std::fs::read_to_string(path).unwrap();
        let count = |name: &str| calls.lines().filter(|line| *line == name).count();
        assert_eq!(
            count("cuMemcpyHtoD") + count("cuMemcpyDtoH"),
            0,
            "no copy may reach the driver"
        );
        assert_eq!(count("cuMemAlloc"), 0, "no buffer of its own is left for the device");
        if !entry(kind).is_empty() {
            assert_eq!(count(entry(kind)), 2);
        }
        assert_eq!(
            count("cuStreamSynchronize"),
            6,
            "each download keeps its wait, uploads saw nothing unfinished"
        );
    }
}

#[test]
fn under_python() {
    if std::process::Command::new("python3").arg("--version").output().is_err() {
        eprintln!("python3 is not installed: nothing tested");
        return;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/runtime/tests/apps/app.py").to_owned();
    let case = Case::of(vec!["python3".to_owned(), script.clone(), "good".to_owned()]).emulated();
    merges(&case, &["--backend", "mapped"], 2, 12);
    let case = Case::of(vec!["python3".to_owned(), script, "write".to_owned()]).emulated();
    let plan = case.plan(&["--backend", "mapped"]);
    assert!(codes(&plan).contains(&"host-access".to_owned()), "{:?}", codes(&plan));
}

#[test]
fn a_launcher_script_is_looked_through() {
    let case = Case::new("lookup", "good");
    let script = case.file("start.sh");
    std::fs::write(&script, format!("#!/bin/sh\n{} good 6\nexit 3\n", case.program[0])).unwrap();
    let case = Case { program: vec!["/bin/sh".to_owned(), script], ..case };
    let plain = case.plain();
    assert_eq!(plain.status.code(), Some(3));
    let plan = case.plan(&[]);
    // The validation run of this launcher exits with 3, so nothing may be merged.
    assert_eq!(merged(&plan), 0);
    assert!(codes(&plan).contains(&"validation-failed".to_owned()));
}

#[test]
fn auto_says_what_it_did() {
    let case = Case::fake("lookup", "good").with("FAKE_COPY_NS", "2000");
    let plan = case.file("plan");
    let done = case.echo(&["auto", "-o", &plan, "--backend", "mapped", "--trials", "1"]);
    let said = text(&done.stderr);
    for part in ["1. profile", "2. analyze", "pair-1: 1.0 MiB", "guard: "] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let plan: serde_json::Value = serde_json::from_slice(&std::fs::read(&plan).unwrap()).unwrap();
    assert_eq!(done.status.code(), Some(if plan["enabled"] == true { 0 } else { 1 }), "{said}");
    assert_eq!(plan["trials"][0]["backend"], "mapped");
    assert!(plan["trials"][0]["decision"]["without_ns"].as_f64().unwrap() > 0.0);
}
