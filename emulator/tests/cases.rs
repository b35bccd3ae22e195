//! What the driver promises: when calls wait, which faults are stopped, the driver API, races among several readers,
//! batches.

mod support;

use std::path::{Path, PathBuf};
use std::time::Duration;

use echo_emulator::{
    Batch, Ending, Installation, Options, Order, Outcome, Program, Setting, compile,
    compile_module, run, run_batch,
};

const LIMIT: Duration = Duration::from_secs(60);

fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases").join(format!("{name}.cu"))
}

fn program(installation: &Installation, name: &str, race: bool) -> Program {
    let options = Options { race, ..Options::default() };
    compile(installation, &[source(name)], &options).expect("it compiles")
}

fn outcome(program: &Program, arguments: &[&str], setting: &Setting) -> Outcome {
    let arguments: Vec<String> = arguments.iter().map(|&argument| argument.to_owned()).collect();
    run(program, &arguments, Path::new("."), setting, LIMIT).expect("it starts")
}

fn output(outcome: &Outcome) -> String {
    String::from_utf8_lossy(&outcome.output).into_owned()
}

/// What was measured on hardware (one H200, CUDA 13.0; single runs): the call, and
/// whether it waits for a kernel in the legacy, a blocking, a non-blocking stream.
const WAITS: [(&str, [bool; 3]); 18] = [
    ("H2D pageable", [true, true, false]),
    ("H2D pinned", [true, true, false]),
    ("D2H pageable", [true, true, false]),
    ("D2D", [false, false, false]),
    ("D2D managed", [true, true, false]),
    ("Default managed", [true, true, false]),
    ("memset device", [false, false, false]),
    ("memset managed", [true, true, false]),
    ("memset pinned", [true, true, false]),
    ("sync legacy", [true, true, false]),
    ("sync legacy handle", [true, true, false]),
    ("free", [true, true, true]),
    ("free managed", [true, true, true]),
    ("free pinned", [true, true, true]),
    ("malloc", [false, false, false]),
    ("malloc managed", [false, false, false]),
    ("async H2D pinned", [false, false, false]),
    ("async D2H pinned", [false, false, false]),
];

#[test]
fn calls_wait_as_on_hardware() {
    let Some(installation) = support::installation("calls_wait_as_on_hardware") else { return };
    let program = program(&installation, "waits", false);
    let mut wrong = Vec::new();
    for (call, waits) in WAITS {
        for (stream, waits) in ["legacy", "blocking", "non-blocking"].into_iter().zip(waits) {
            let found = output(&outcome(&program, &[stream, call], &Setting::new(Order::Late)));
            let wanted = if waits { "waited\n" } else { "did not wait\n" };
            if found != wanted {
                wrong.push(format!("{call}, kernel in {stream} stream: {}", found.trim_end()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn faults_are_stopped() {
    let Some(installation) = support::installation("faults_are_stopped") else { return };
    let program = program(&installation, "traps", false);
    let mut exclusive = Setting::new(Order::Eager);
    exclusive.concurrent_access = false;
    let exclusive_late = Setting { order: Order::Late, ..exclusive.clone() };
    let plain = Setting::new(Order::Eager);
    let faults = [
        ("kernel-host", &plain, Ending::KernelTouchesHost),
        ("kernel-beyond", &plain, Ending::Fault),
        ("kernel-end-large", &plain, Ending::Exit(0)),
        ("kernel-beyond-large", &plain, Ending::Fault),
        ("host-large", &plain, Ending::HostTouchesDevice),
        ("freed-large", &plain, Ending::Freed),
        ("kernel-assert", &plain, Ending::Fault),
        ("kernel-trap", &plain, Ending::Fault),
        ("kernel-freed", &plain, Ending::Freed),
        ("host-device", &plain, Ending::HostTouchesDevice),
        ("host-freed", &plain, Ending::Freed),
        ("double-free", &plain, Ending::Freed),
        ("copy-beyond", &plain, Ending::BadCopy),
        ("managed-busy", &plain, Ending::Exit(0)),
        ("managed-busy", &exclusive, Ending::ManagedBusy),
        ("managed-attached", &exclusive, Ending::Exit(0)),
        ("function", &exclusive, Ending::Exit(0)),
        ("function", &exclusive_late, Ending::Exit(0)),
        ("function-busy", &exclusive, Ending::ManagedBusy),
        ("function-busy", &exclusive_late, Ending::ManagedBusy),
        ("waiting-function", &plain, Ending::Unsupported),
        ("thread", &plain, Ending::Unsupported),
        ("none", &exclusive, Ending::Exit(0)),
    ];
    for (fault, setting, ending) in faults {
        let found = outcome(&program, &[fault], setting);
        assert_eq!(found.ending, ending, "{fault} under {setting}: {:?}", found.findings);
        let stopped = !matches!(ending, Ending::Exit(_));
        assert_eq!(
            found.findings.iter().any(|line| line.starts_with("ECHO-TRAP")),
            stopped,
            "{fault}"
        );
    }
}

#[test]
fn every_reader_counts() {
    let Some(installation) = support::installation("every_reader_counts") else { return };
    let program = program(&installation, "race_readers", true);
    let mut setting = Setting::new(Order::Eager);
    setting.race = 1;
    for (waited, ending) in [("0", Ending::Race), ("1", Ending::Race), ("2", Ending::Exit(0))] {
        let found = outcome(&program, &[waited], &setting);
        assert_eq!(found.ending, ending, "waiting for {waited}: {:?}", found.findings);
    }
}

#[test]
fn the_driver_works_without_the_runtime() {
    let Some(installation) = support::installation("the_driver_works_without_the_runtime") else {
        return;
    };
    let module = compile_module(&installation, &source("driver_kernel"), &Options::default());
    let module = module.expect("it compiles").display().to_string();
    let program = program(&installation, "driver", false);
    for order in [Order::Eager, Order::Late, Order::OthersFirst, Order::Random(1)] {
        let found = outcome(&program, &[&module], &Setting::new(order));
        let wanted = "1 12060 1 1\n33 22 0 4\n20 21 10 00 1 256\ndone\n";
        assert_eq!((found.ending, output(&found).as_str()), (Ending::Exit(0), wanted), "{order:?}");
    }
}

#[test]
fn a_batch_reports_each_case_under_each_setting() {
    let Some(installation) = support::installation("a_batch_reports_each_case_under_each_setting")
    else {
        return;
    };
    let program = program(&installation, "batch", true);
    let settings = ["eager", "late", "exclusive", "race", "rand:1-4"].map(str::to_owned).to_vec();
    let outcomes = run_batch(
        &program,
        &Batch { settings, shards: 2, limit: LIMIT, unify: Vec::new(), only: None },
    );
    let outcomes = outcomes.expect("it starts");
    assert_eq!(outcomes.len(), 3 * 8);
    let of = |case: &str, setting: &str| outcomes[&(case.to_owned(), setting.to_owned())];
    let sound = of("sound", "eager");
    assert_eq!(sound.ending, Ending::Exit(0));
    for setting in ["late", "exclusive", "race", "rand:1", "rand:4"] {
        assert_eq!(of("sound", setting), sound, "{setting}");
    }
    assert_eq!(of("missing", "eager").checksum, sound.checksum);
    assert_ne!(of("missing", "late").checksum, sound.checksum);
    assert_eq!(of("missing", "exclusive").ending, Ending::ManagedBusy);
    assert_eq!(of("missing", "race").ending, Ending::Race);
    assert_eq!(of("freed", "eager").ending, Ending::Freed);
    assert_eq!(of("freed", "eager").checksum, None);
}
