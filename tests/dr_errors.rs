//! What goes wrong around `echo-dr`: clear messages, documented exit statuses, the program untouched.

mod dr_support;

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::time::{Duration, Instant};

use dr_support::{Case, codes, echo_dr, merged, text};

/// A planned program, ready to run.
fn planned() -> Case {
    planned_of(Case::new("lookup", "good"))
}

fn planned_of(case: Case) -> Case {
    let plan = case.plan(&["--backend", "mapped"]);
    assert_eq!(merged(&plan), 2, "{:?}", codes(&plan));
    case
}

fn edit(case: &Case, change: impl FnOnce(&mut serde_json::Value)) {
    let path = case.file("plan");
    let mut plan: serde_json::Value =
        serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    change(&mut plan);
    std::fs::write(&path, plan.to_string()).unwrap();
}

/// The program runs as without echo-dr, and stderr says why.
fn unchanged(case: &Case, why: &str) {
    let (done, report) = case.run();
    assert_eq!(text(&done.stdout), text(&case.plain().stdout));
    assert_eq!(report["outcome"]["skipped_copies"], 0);
    assert!(
        text(&done.stderr).contains(why)
            || report["reason"].as_str().is_some_and(|said| said.contains(why)),
        "{}{report}",
        text(&done.stderr)
    );
}

fn refused(case: &Case, why: &str) {
    let (done, _) = case.run();
    assert_eq!(done.status.code(), Some(125), "{}", text(&done.stderr));
    assert!(done.stdout.is_empty());
    assert!(text(&done.stderr).contains(why), "{why}: {}", text(&done.stderr));
}

#[test]
fn programs_that_cannot_start() {
    let run = |program: &str| {
        let folder = tempfile::tempdir().unwrap();
        let trace = folder.path().join("t").to_str().unwrap().to_owned();
        echo_dr().args(["profile", "-o", &trace, "--", program]).output().unwrap()
    };
    let missing = run("/nowhere/to/be/found");
    assert_eq!(missing.status.code(), Some(127));
    assert!(text(&missing.stderr).contains("cannot start /nowhere/to/be/found"));
    assert_eq!(run("/etc/passwd").status.code(), Some(126));
    assert_eq!(echo_dr().arg("profile").output().unwrap().status.code(), Some(125));
    assert_eq!(echo_dr().arg("--help").output().unwrap().status.code(), Some(0));
}

#[test]
fn status_and_signal_of_the_program_pass() {
    let case = Case::new("lookup", "exit-7");
    let done = case.profile();
    assert_eq!(done.status.code(), Some(7));
    assert_eq!(text(&done.stdout), text(&case.plain().stdout));
    // (The emulator's driver makes a page fault an exit of its own.)
    for (case, signal) in
        [(Case::fake("lookup", "crash"), 11), (Case::new("lookup", "kill-self"), 9)]
    {
        let behaviour = &case.program[1];
        let done = case.profile();
        assert_eq!(done.status.signal(), Some(signal), "{behaviour}: {:?}", done.status);
        assert_eq!(text(&done.stdout), text(&case.plain().stdout));
        // What was recorded until then can be read.
        assert!(text(&done.stderr).contains("did not end in order"), "{}", text(&done.stderr));
    }
}

#[test]
fn a_program_that_fails_in_phase_two() {
    let cases = [
        (Case::fake("lookup", "crash"), "SIGSEGV"),
        (Case::new("lookup", "kill-self"), "SIGKILL"),
        (Case::new("lookup", "exit-7"), "status 7"),
    ];
    for (case, said) in cases {
        let plan = case.plan(&["--backend", "mapped"]);
        assert_eq!(plan["enabled"], false);
        assert!(codes(&plan).contains(&"validation-failed".to_owned()));
        assert!(plan["reason"].as_str().unwrap().contains(said), "{}", plan["reason"]);
    }
}

#[test]
fn a_program_that_hangs_in_phase_two() {
    let case = Case::fake("lookup", "good");
    case.profile();
    // The same executable and arguments hang from now on, as after a changed input.
    let case = case.with("FAKE_COPY_NS", "2000000");
    let (trace, plan) = (case.file("trace"), case.file("plan"));
    let start = Instant::now();
    let done = case.echo(&["analyze", &trace, "-o", &plan, "--timeout", "1"]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("given up after 1 s"), "{}", text(&done.stderr));
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// Whether a process is there and not merely uncollected.
fn lives(pid: u64) -> bool {
    std::fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z "))
}

#[test]
fn a_launcher_that_hangs_leaves_nobody() {
    let case = Case::new("lookup", "good");
    let (script, mark) = (case.file("start.sh"), case.file("mark"));
    // From the second start on the program's own child hangs, and the launcher waits for it.
    let text_of = format!(
        "#!/bin/sh\n[ -e {mark} ] && {{ sleep 600 & echo $! > {mark}; wait; }}\ntouch {mark}\n{} good 6\n",
        case.program[0]
    );
    std::fs::write(&script, text_of).unwrap();
    let case = Case { program: vec!["/bin/sh".to_owned(), script], ..case };
    case.profile();
    let (trace, plan) = (case.file("trace"), case.file("plan"));
    let done = case.echo(&["analyze", &trace, "-o", &plan, "--timeout", "2"]);
    assert_eq!(done.status.code(), Some(1), "{}", text(&done.stderr));
    assert!(text(&done.stderr).contains("given up after 2 s"), "{}", text(&done.stderr));
    let sleep = std::fs::read_to_string(mark).unwrap().trim().parse().unwrap();
    let start = Instant::now();
    while lives(sleep) {
        assert!(start.elapsed() < Duration::from_secs(30), "the launcher's child lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_signal_to_echo_dr_ends_a_silent_run() {
    let case = Case::new("lookup", "hang");
    let trace = case.file("trace");
    let plan = case.file("plan");
    // A trace of the program before it began to hang.
    let good = Case {
        program: vec![case.program[0].clone(), "good".to_owned(), "6".to_owned()],
        ..Case::new("lookup", "good")
    };
    let recorded = good.echo(&["profile", "-o", &trace]);
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    let mut child = echo_dr()
        .args(["analyze", &trace, "-o", &plan, "--"])
        .args([
            "/bin/sh",
            "-c",
            &format!("echo $$ > {0}.new; mv {0}.new {0}; exec sleep 600", case.file("pid")),
        ])
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    let program: u64 = loop {
        if let Some(pid) =
            std::fs::read_to_string(case.file("pid")).ok().and_then(|text| text.trim().parse().ok())
        {
            break pid;
        }
        assert!(start.elapsed() < Duration::from_secs(30), "the program never started");
        std::thread::sleep(Duration::from_millis(20));
    };
    let pid = child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    let start = Instant::now();
    while lives(program) {
        assert!(start.elapsed() < Duration::from_secs(30), "the program lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn echo_dr_is_killed() {
    let case = Case::new("lookup", "hang");
    let trace = case.file("trace");
    let mut child = echo_dr()
        .args(["profile", "-o", &trace, "--"])
        .args(&case.program)
        .stdout(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let written =
        || echo_runtime::trace::read(Path::new(&trace)).is_ok_and(|trace| trace.events.len() > 10);
    let start = Instant::now();
    while !written() {
        assert!(start.elapsed() < Duration::from_secs(30), "the trace never came");
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let left = echo_runtime::trace::read(Path::new(&trace)).unwrap();
    assert!(!left.clean && left.torn == 0);
    // The program is the user's and lives on; this test ends it.
    let pid = left.header.pid.to_string();
    assert!(std::process::Command::new("kill").args(["-9", &pid]).status().unwrap().success());
}

#[test]
fn damaged_traces() {
    let case = Case::new("lookup", "good");
    case.profile();
    let trace = std::fs::read(case.file("trace")).unwrap();
    let analyze = |bytes: &[u8]| {
        std::fs::write(case.file("trace"), bytes).unwrap();
        let (trace, plan) = (case.file("trace"), case.file("plan"));
        case.echo(&["analyze", &trace, "-o", &plan, "--no-calibration", "--backend", "mapped"])
    };
    for (bytes, status, said) in [
        (&trace[..0], 125, "not a complete echo-dr trace"),
        (&trace[..4000], 125, "not a complete echo-dr trace"),
        (b"something else entirely", 125, "not a complete echo-dr trace"),
        // Cut off within the records: what is there has too few copies.
        (&trace[..4096 + 64 * 12 + 13], 1, "echo-dr: the program stays as it is"),
    ] {
        let done = analyze(bytes);
        assert_eq!(done.status.code(), Some(status), "{}", text(&done.stderr));
        assert!(text(&done.stderr).contains(said), "{}", text(&done.stderr));
    }
    let mut newer = trace.clone();
    newer[8] = 99;
    let done = analyze(&newer);
    assert_eq!(done.status.code(), Some(125));
    assert!(text(&done.stderr).contains("trace format 99"));
}

#[test]
fn edited_plans() {
    let case = planned();
    let original = std::fs::read(case.file("plan")).unwrap();
    let restore = || std::fs::write(case.file("plan"), &original).unwrap();
    edit(&case, |plan| plan["schema_version"] = 99.into());
    refused(&case, "plan version 99");
    restore();
    edit(&case, |plan| plan["pairs"][0]["host_site"] = "xyz".into());
    refused(&case, "not a hexadecimal number");
    restore();
    edit(&case, |plan| plan["pairs"][0]["device_site"] = plan["pairs"][1]["device_site"].clone());
    refused(&case, "shares an allocation site");
    restore();
    edit(&case, |plan| plan["pairs"][0]["bytes"] = 5.into());
    refused(&case, "no size of a candidate");
    restore();
    edit(&case, |plan| plan["surprise"] = true.into());
    refused(&case, "unknown field `surprise`");
    restore();
    std::fs::write(case.file("plan"), &original[..original.len() / 2]).unwrap();
    refused(&case, "not an echo-dr plan");
    // A rule whose sites match nothing merges nothing.
    restore();
    edit(&case, |plan| {
        for pair in 0..2 {
            plan["pairs"][pair]["host_site"] = format!("{pair:016x}").into();
            plan["pairs"][pair]["device_site"] = format!("{:016x}", pair + 8).into();
        }
    });
    unchanged(&case, "no planned buffer");
    // Pairs crossed by hand: the copies then join other buffers than the plan, and stay real copies.
    restore();
    edit(&case, |plan| {
        let first = plan["pairs"][0]["device_site"].take();
        plan["pairs"][0]["device_site"] = plan["pairs"][1]["device_site"].take();
        plan["pairs"][1]["device_site"] = first;
    });
    let (done, report) = case.run();
    assert_eq!(text(&done.stdout), text(&case.plain().stdout));
    assert_eq!(report["outcome"]["skipped_copies"], 0);
}

#[test]
fn another_context_runs_unchanged() {
    let case = planned();
    edit(&case, |plan| plan["context"]["host"] = "elsewhere".into());
    unchanged(&case, "made on host elsewhere");
    let mut case = planned();
    case.program[2] = "5".to_owned();
    unchanged(&case, "other arguments");
    let case = planned();
    edit(&case, |plan| plan["context"]["libraries"][0]["id"] = "build-id:00".into());
    unchanged(&case, "has changed since");
    let case = planned();
    edit(&case, |plan| plan["context"]["executable"]["id"] = "sha256:00".into());
    unchanged(&case, "has changed since");
    let fake = || planned_of(Case::fake("lookup", "good"));
    unchanged(&fake().with("FAKE_UUID", "8"), "the GPU");
    unchanged(&fake().with("FAKE_DRIVER", "12080"), "the driver");
    unchanged(&planned().with("ECHO_DR", "off"), "");
    let case = planned();
    edit(&case, |plan| plan["enabled"] = false.into());
    unchanged(&case, "validated; not measured");
}

#[test]
fn memory_that_cannot_be_had_falls_back() {
    let case = Case::fake("lookup", "good");
    case.plan(&["--backend", "registered"]);
    let case = case.with("FAKE_NO_REGISTER", "1");
    let (done, report) = case.run();
    assert_eq!(text(&done.stdout), text(&case.plain().stdout));
    assert_eq!(report["outcome"]["skipped_copies"], 0);
    assert_eq!(report["outcome"]["fallbacks"], 2);
}

#[test]
fn places_that_cannot_be_written() {
    let case = Case::new("lookup", "good");
    let inside_a_file = case.file("file/trace");
    std::fs::write(case.file("file"), "").unwrap();
    let done = case.echo(&["profile", "-o", &inside_a_file]);
    assert_eq!(done.status.code(), Some(125));
    assert!(done.stdout.is_empty(), "the program must not run for nothing");
    assert!(text(&done.stderr).contains("cannot write trace"));
    case.profile();
    let trace = case.file("trace");
    let done = case.echo(&["analyze", &trace, "-o", &inside_a_file]);
    assert_eq!(done.status.code(), Some(125));
    assert!(text(&done.stderr).contains("cannot write to"));
}

#[test]
fn nothing_to_do() {
    let case = Case::new("lookup", "no-gpu");
    let done = case.profile();
    assert_eq!(text(&done.stdout), "nothing\n");
    assert!(text(&done.stderr).contains("allocated no device buffer"), "{}", text(&done.stderr));
    assert!(!Path::new(&case.file("trace")).exists());
    let plan = case.file("plan");
    assert_eq!(case.echo(&["auto", "-o", &plan]).status.code(), Some(1));
}
