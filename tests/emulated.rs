//! Runs every fixture of `corpus/` on the emulator: one test per fixture, named by its path
//! (`cargo test --test emulated value/`).
//!
//! The original must do the same under every order of operations; what `echo-fix` makes of it must do nothing that the
//! original cannot do; and where `echo-fix` declines for a reason of value, order, lifetime or exclusive access, merging
//! while running (what-if) must show why. Exceptions are in `emulated/allowed.txt`, each with its reason; one that is no
//! longer needed must leave the list.
#![allow(unreachable_pub, reason = "the modules are shared between test targets")]

#[path = "emulated/allowed.rs"]
mod allowed;
#[path = "emulated/behaviour.rs"]
mod behaviour;
#[path = "corpus/markers.rs"]
mod markers;
#[path = "emulated/transformed.rs"]
mod transformed;
#[path = "emulated/what_if.rs"]
mod what_if;

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use echo_emulator::{Error, Installation};
use libtest_mimic::{Arguments, Failed, Trial};

use crate::allowed::{Allowed, What};
use crate::behaviour::{Behaviour, Concern};
use crate::markers::{Configuration, Marker, MarkerKind, Verdict};

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let installation = match Installation::find() {
        Ok(installation) => Arc::new(installation),
        Err(why @ Error::NoClang) => {
            let line = format!("\n**** SKIPPED, NOT TESTED: fixtures on the emulator: {why}\n");
            std::io::stderr().write_all(line.as_bytes()).expect("standard error");
            return ExitCode::SUCCESS;
        }
        Err(why) => panic!("{why}"),
    };
    let allowed = Arc::new(Allowed::read());
    let fixtures = fixtures();
    let names: Vec<String> = fixtures.iter().map(|fixture| name(fixture)).collect();
    let unknown = allowed.fixtures().find(|fixture| !names.contains(&(*fixture).to_owned()));
    assert_eq!(unknown, None, "{} names a fixture that is not there", allowed::FILE);
    let trials = fixtures.into_iter().map(|fixture| {
        let (installation, allowed) = (Arc::clone(&installation), Arc::clone(&allowed));
        Trial::test(name(&fixture), move || check(&installation, &allowed, &fixture))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

fn check(installation: &Installation, allowed: &Allowed, fixture: &Path) -> Result<(), Failed> {
    let wrong = findings(installation, fixture)?;
    let mut messages: Vec<String> = Vec::new();
    for (what, message) in &wrong {
        if !what.may_be_allowed() || !allowed.has(&name(fixture), what) {
            messages.push(format!("[{what}] {message}"));
        }
    }
    for what in allowed.of(&name(fixture)) {
        if !wrong.iter().any(|(found, _)| found == what) {
            messages
                .push(format!("`{what}` is not needed any more: remove it from {}", allowed::FILE));
        }
    }
    if messages.is_empty() { Ok(()) } else { Err(messages.join("\n").into()) }
}

/// What is wrong with a fixture, and of what sort it is.
fn findings(installation: &Installation, fixture: &Path) -> Result<Vec<(What, String)>, Failed> {
    let compiled = behaviour::compile(installation, &sources(fixture));
    let program = match compiled {
        Ok(program) => program,
        Err(why) => return Ok(vec![(What::Compile, why)]),
    };
    let original = Behaviour::observe(&program, &[])?;
    let mut wrong = original.own_faults();
    if wrong.iter().any(|(what, _)| *what == What::Run) {
        return Ok(wrong);
    }
    let markers = markers_of(fixture)?;
    let mut tried: Vec<Vec<u8>> = Vec::new();
    let mut declines = Vec::new();
    for configuration in markers::configurations(&markers) {
        let report = transformed::report(fixture, &configuration)?;
        if configuration == Configuration::standard() {
            declines = transformed::declines(&report)?;
        }
        let Some(made) = transformed::make(fixture, &configuration, &report)? else { continue };
        // Many targets get the same patch.
        let exclusive = transformed::is_exclusive(&configuration);
        let key = [&made.text[..], &[u8::from(exclusive)]].concat();
        if tried.contains(&key) {
            continue;
        }
        tried.push(key);
        let program = behaviour::compile(installation, &sources(&made.place));
        let program = match program {
            Ok(program) => program,
            Err(why) => {
                wrong.push((What::FalseMerge, format!("[{configuration}] {why}")));
                continue;
            }
        };
        let pageable = configuration.memory.as_deref() == Some("system");
        let after = Behaviour::observe_on(&program, &[], pageable)?;
        let concern = if exclusive { Concern::Exclusive } else { Concern::Concurrent };
        if let Some(difference) = original.shows(&after, concern) {
            wrong.push((What::FalseMerge, format!("[{configuration}] {difference}")));
        }
    }
    let limits = limits(&markers);
    for decline in declines {
        if !limits.contains(&decline.names)
            && let Some(why) = what_if::unexplained(&program, &original, &decline)?
        {
            wrong.push((What::Unexplained(decline.names.clone()), why));
        }
    }
    Ok(wrong)
}

// Pairs that the fixture itself says could be merged: nothing can show why not.
fn limits(markers: &[Marker]) -> Vec<String> {
    let limit = |marker: &Marker| match &marker.kind {
        MarkerKind::Verdict { pair, verdict: Verdict::Decline { limit: Some(_), .. }, .. } => {
            Some(pair.clone())
        }
        MarkerKind::Verdict { .. }
        | MarkerKind::Note(_)
        | MarkerKind::Repair(_)
        | MarkerKind::NoPairs => None,
    };
    markers.iter().filter_map(limit).collect()
}

fn markers_of(fixture: &Path) -> Result<Vec<Marker>, Failed> {
    let mut markers = Vec::new();
    for file in files(fixture) {
        let text = String::from_utf8_lossy(&fs::read(&file)?).into_owned();
        if text.contains("//~") {
            markers.extend(markers::parse(&text)?);
        }
    }
    Ok(markers)
}

fn name(fixture: &Path) -> String {
    fixture.strip_prefix("corpus").expect("below corpus").display().to_string()
}

/// Fixtures, relative to the repository: files, and folders for programs of several files.
fn fixtures() -> Vec<PathBuf> {
    let conditions = entries(Path::new("corpus"));
    let conditions = conditions.filter(|path| path.is_dir() && !path.ends_with("bench"));
    let mut found: Vec<PathBuf> = conditions
        .flat_map(|condition| entries(&condition).collect::<Vec<_>>())
        .filter(|path| path.is_dir() || is_source(path))
        .collect();
    found.sort();
    assert!(!found.is_empty(), "no fixtures: run from the repository root");
    found
}

/// What is compiled: the file, or the sources in the folder.
fn sources(fixture: &Path) -> Vec<PathBuf> {
    files(fixture).into_iter().filter(|path| is_source(path)).collect()
}

fn files(fixture: &Path) -> Vec<PathBuf> {
    if fixture.is_dir() { entries(fixture).collect() } else { vec![fixture.to_owned()] }
}

fn is_source(path: &Path) -> bool {
    path.extension().is_some_and(|extension| ["cu", "cpp"].iter().any(|e| extension == *e))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
        .map(|entry| entry.expect("readable entry").path())
        .collect();
    paths.sort();
    paths.into_iter()
}
