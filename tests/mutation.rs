//! Law 3 for the checks that small programs cannot miss: with a check switched off, a fixture that must be declined is merged.
//!
//! The other half is `cargo test -p echo-dataflow --test law`. Without libclang the test cannot run and fails.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use echo_dataflow::effect::EffectModels;
use echo_dataflow::mutation::{CHECKS, NoticedBy};
use echo_dataflow::program::Program;
use echo_dataflow::report::pair_reports;
use echo_dataflow::target::Options;
use echo_dataflow::verdict::Verdict;
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
use echo_frontend::{Frontend, FrontendOptions, UnitInput};

/// Which fixture notices that a check is missing.
const NOTICED: &[(&str, &str)] = &[
    ("uninitialised-read", "value/uninitialised_decline.cu"),
    ("captured", "order/captured_graph_decline.cu"),
    ("timed-copy", "order/timed_copy_decline.cu"),
    ("kind", "kind/host_registered_decline.cu"),
    ("allocation-place", "edit/device_chosen_between_decline.cu"),
    ("escape", "coverage/logging_thread_decline.cu"),
    ("text", "edit/shared_macro_decline.cu"),
    ("names", "edit/restrict_in_one_scope_decline.cu"),
];

/// Writes a line that also a passing test shows.
fn say(line: &str) {
    // A closed pipe is no reason to fail.
    let _ = writeln!(std::io::stderr(), "{line}");
}

fn parse(frontend: &Frontend, path: &Path) -> Program {
    let arguments = unit_arguments(path, &ArgumentOptions::default(), frontend.library());
    let input = UnitInput {
        path: path.to_owned(),
        arguments: arguments.arguments.clone(),
        roots: path.parent().map(Path::to_owned).into_iter().collect(),
        prefix: None,
    };
    let parsed = frontend.parse(&input);
    let mut program = parsed.unwrap_or_else(|why| panic!("{}: {why}", path.display())).program;
    program.per_thread_default_stream = arguments.per_thread_default_stream;
    program
}

/// The pairs that are merged with some checks switched off, by their names.
fn merged(program: &Program, models: &EffectModels, disabled: &[&str]) -> Vec<String> {
    let options = Options {
        min_bytes: 0,
        disabled_checks: disabled.iter().map(|&name| name.to_owned()).collect(),
        ..Options::default()
    };
    let reports = pair_reports(program, models, &options, &BTreeMap::new());
    reports
        .iter()
        .filter(|report| matches!(report.verdict, Verdict::Merge(_)))
        .map(|report| format!("{}/{}", report.host.name, report.device.name))
        .collect()
}

#[test]
fn every_other_check_is_needed() {
    let frontend = Frontend::load(FrontendOptions::default()).expect("a libclang");
    let models = echo_frontend::effects::load(&[]).expect("the effect models that are built in");
    for check in CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::Nobody) {
        say(&format!("{} ({}): NOBODY notices yet", check.name, check.without));
    }
    let mut unnoticed = Vec::new();
    for check in CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::Fixture) {
        let pinned = NOTICED.iter().find(|(name, _)| *name == check.name);
        let Some((_, fixture)) = pinned else {
            unnoticed.push(check.name);
            continue;
        };
        let path = PathBuf::from("corpus").join(fixture);
        let program = parse(&frontend, &path);
        let before = merged(&program, &models, &[]);
        let without = merged(&program, &models, &[check.name]);
        let new: Vec<&String> = without.iter().filter(|pair| !before.contains(pair)).collect();
        if new.is_empty() {
            unnoticed.push(check.name);
        } else {
            say(&format!(
                "{} ({}): noticed by {fixture}, which merges {new:?}",
                check.name, check.without
            ));
        }
    }
    assert!(unnoticed.is_empty(), "no fixture notices that these are missing: {unnoticed:?}");
}
