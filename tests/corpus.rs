//! Runs `echo-fix` on every fixture of `corpus/`: one test per fixture, named by its path (`cargo test --test corpus value/`).
//!
//! A test compares the verdicts with the markers in both directions, for each target the markers name; compares the
//! patch and the report with `tests/golden/`; applies the patch to a copy and runs the tool again, which must find
//! nothing to do. `ECHO_BLESS=1` writes the golden files anew, but only where the verdicts agree with the markers.
#![allow(unreachable_pub, reason = "the modules are shared between test targets")]

#[path = "corpus/golden.rs"]
mod golden;
#[path = "corpus/markers.rs"]
mod markers;
#[path = "corpus/schema.rs"]
mod schema;
#[path = "corpus/tool.rs"]
mod tool;
#[path = "corpus/verdicts.rs"]
mod verdicts;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use crate::markers::Configuration;
use crate::verdicts::Markers;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    if !arguments.list {
        tool::fill_cache();
    }
    let trials = fixtures().into_iter().map(|fixture| {
        let name = fixture.strip_prefix("corpus").expect("below corpus").display().to_string();
        Trial::test(name, move || check(&fixture))
    });
    libtest_mimic::run(&arguments, trials.collect()).exit_code()
}

/// Fixtures, relative to the repository: files, and folders for programs of several files.
fn fixtures() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for condition in entries(Path::new("corpus")).filter(|path| path.is_dir()) {
        if NOT_FIXTURES.iter().any(|name| condition.ends_with(name)) {
            continue;
        }
        found.extend(entries(&condition).filter(|path| path.is_dir() || is_source(path)));
    }
    found.sort();
    assert!(!found.is_empty(), "no fixtures: run from the repository root");
    found
}

const NOT_FIXTURES: [&str; 1] = ["corpus/bench"];

fn check(fixture: &Path) -> Result<(), Failed> {
    let markers = read_markers(fixture)?;
    let all: Vec<_> = markers.values().flatten().cloned().collect();
    let mut wrong = Vec::new();
    let mut patches: Vec<(Configuration, Vec<u8>)> = Vec::new();
    let schema = schema::Json::read();
    for configuration in markers::configurations(&all) {
        let report = tool::report(fixture, &configuration)?;
        schema.validate(&report)?;
        let mut differences = verdicts::differences(&report, &markers, &configuration);
        for difference in &mut differences {
            *difference = format!("[{configuration}] {difference}");
        }
        wrong.append(&mut differences);
        // The same edits for other devices are not looked at again.
        let own = configuration.memory.is_some()
            || configuration.rename
            || configuration == Configuration::standard();
        if let Some(patch) = report["patch"].as_str().filter(|patch| own && !patch.is_empty()) {
            patches.push((configuration, patch.as_bytes().to_vec()));
        }
    }
    if !wrong.is_empty() {
        return Err(wrong.join("\n").into());
    }
    golden::compare(fixture, &tool::text(fixture)?)?;
    for (configuration, patch) in patches {
        if configuration != Configuration::standard() {
            golden::compare_patch(fixture, &configuration, &patch)?;
        }
        tool::apply_twice(fixture, &configuration)?;
    }
    Ok(())
}

fn read_markers(fixture: &Path) -> Result<Markers, Failed> {
    let files: Vec<_> = if fixture.is_dir() {
        entries(fixture).filter(|path| is_source(path)).collect()
    } else {
        vec![fixture.to_owned()]
    };
    let mut markers = Markers::new();
    // Fixtures about encodings are not UTF-8; their markers are.
    let mut texts =
        files.iter().map(|file| Ok((file, String::from_utf8_lossy(&fs::read(file)?).into_owned())));
    let texts: Vec<_> = texts.by_ref().collect::<Result<_, std::io::Error>>()?;
    if texts.len() > 1 {
        // One verdict among all the files is enough: the grammar's rule holds for the fixture as a whole.
        let whole: String =
            texts.iter().map(|(_, text)| text.as_str()).collect::<Vec<_>>().join("\n");
        markers::parse(&whole)?;
    }
    for (file, text) in &texts {
        match markers::parse(text) {
            Ok(found) => drop(markers.insert((*file).clone(), found)),
            Err(_) if texts.len() > 1 && !text.contains("//~") => {}
            Err(why) => return Err(format!("{}: {why}", file.display()).into()),
        }
    }
    Ok(markers)
}

fn is_source(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| ["cu", "cuh", "cpp", "h"].iter().any(|e| extension == *e))
}

fn entries(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let mut paths: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|why| panic!("{}: {why}", folder.display()))
        .map(|entry| entry.expect("readable entry").path())
        .collect();
    paths.sort();
    paths.into_iter()
}
