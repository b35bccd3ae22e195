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
use echo_dataflow::target::{Options, Target};
use echo_dataflow::verdict::Verdict;
use echo_frontend::arguments::{ArgumentOptions, unit_arguments};
use echo_frontend::{Frontend, FrontendOptions, UnitInput};

/// Which fixture notices that a check is missing, and for which target.
const NOTICED: &[(&str, &str, Target)] = &[
    ("device-of-unknown-code", "order/unseen_device_decline.cu", Target::AnyUma),
    ("memory-info", "lifetime/memory_info_decline.cu", Target::AnyUma),
    ("direction", "kind/wrong_direction_decline.cu", Target::AnyUma),
    ("uninitialised-read", "value/uninitialised_decline.cu", Target::AnyUma),
    ("library-work", "order/blas_pointer_mode_decline.cu", Target::AnyUma),
    ("work-of-unknown-code", "exclusive/vendor_library_decline.cu", Target::AnyUma),
    ("work-of-threads", "exclusive/thread_launches_decline.cu", Target::AnyUma),
    ("work-of-caller", "exclusive/called_through_pointer_decline.cu", Target::AnyUma),
    ("captured", "order/captured_graph_decline.cu", Target::AnyUma),
    ("timed-copy", "order/timed_copy_decline.cu", Target::AnyUma),
    ("observed", "pointer/compared_decline.cu", Target::AnyUma),
    ("kind", "kind/host_registered_decline.cu", Target::AnyUma),
    ("fork", "kind/forked_child_decline.cu", Target::AnyUma),
    ("float-atomics", "kind/float_atomics.cu", Target::Mi300a),
    ("access-after-free", "lifetime/read_after_free_decline.cu", Target::AnyUma),
    ("several-live", "lifetime/crossed_blocks_decline.cu", Target::AnyUma),
    ("rounds", "lifetime/allocated_a_round_ahead_decline.cu", Target::AnyUma),
    ("spinning", "order/kernel_waits_for_host_decline.cu", Target::Thor),
    ("order-lost", "order/order_carried_by_copy_decline.cu", Target::Thor),
    ("escape", "coverage/logging_thread_decline.cu", Target::AnyUma),
    ("threads", "coverage/global_read_by_thread_decline.cu", Target::AnyUma),
    ("conditional", "coverage/conditional_allocation_decline.cu", Target::AnyUma),
    ("contexts", "edit/shared_helper_decline.cu", Target::AnyUma),
    ("unseen", "edit/helper_of_uncalled_function_decline.cu", Target::AnyUma),
    ("in-macro", "edit/shared_macro_decline.cu", Target::AnyUma),
    ("dominance", "edit/allocated_on_one_path_decline.cu", Target::AnyUma),
    ("allocation-place", "edit/device_chosen_between_decline.cu", Target::AnyUma),
    ("alias", "edit/first_pointer_walks_decline.cu", Target::AnyUma),
    ("names", "edit/device_owner_limit.cu", Target::AnyUma),
    ("restrict", "edit/restrict_in_one_scope_decline.cu", Target::AnyUma),
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

/// The pairs that are merged, by their names, with some checks switched off.
fn merged(
    program: &Program,
    models: &EffectModels,
    target: Target,
    disabled: &[&str],
) -> Vec<String> {
    let options = Options {
        target,
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

/// The pairs that are merged only without the check `name`.
fn new_merges(program: &Program, models: &EffectModels, target: Target, name: &str) -> Vec<String> {
    let mut without = merged(program, models, target, &[name]);
    for pair in merged(program, models, target, &[]) {
        if let Some(at) = without.iter().position(|own| *own == pair) {
            without.remove(at);
        }
    }
    without
}

#[test]
fn every_other_check_is_needed() {
    let frontend = Frontend::load(FrontendOptions::default()).expect("a libclang");
    let models = echo_frontend::effects::load(&[]).expect("the effect models that are built in");
    let mut unnoticed = Vec::new();
    for check in CHECKS.iter().filter(|check| check.noticed_by == NoticedBy::Fixture) {
        let pinned = NOTICED.iter().find(|(name, ..)| *name == check.name);
        let new = pinned.map(|(_, fixture, target)| {
            let program = parse(&frontend, &Path::new("corpus").join(fixture));
            (fixture, new_merges(&program, &models, *target, check.name))
        });
        match new {
            Some((fixture, new)) if !new.is_empty() => say(&format!(
                "{} ({}): noticed by {fixture}, which merges {new:?}",
                check.name, check.without
            )),
            Some(_) | None => unnoticed.push(check.name),
        }
    }
    for &name in &unnoticed {
        for path in sources(Path::new("corpus")) {
            let new = new_merges(&parse(&frontend, &path), &models, Target::AnyUma, name);
            if !new.is_empty() {
                say(&format!("{name} would be noticed by {}: {new:?}", path.display()));
            }
        }
    }
    assert!(unnoticed.is_empty(), "no fixture notices that these are missing: {unnoticed:?}");
}

/// All CUDA sources below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder of the corpus");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    let below = |path: PathBuf| {
        if path.is_dir() {
            sources(&path)
        } else if path.extension().is_some_and(|extension| extension == "cu") {
            vec![path]
        } else {
            Vec::new()
        }
    };
    paths.into_iter().flat_map(below).collect()
}
