//! The corpus is complete and tidy: every case has a fixture, every decline its twin, every fixture its sentence.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders of `corpus/` that hold fixtures, one per condition, with those that need none of their own.
const FOLDERS: [&str; 14] = [
    "coverage",
    "demo",
    "edit",
    "exclusive",
    "kind",
    "lifetime",
    "merge",
    "naming",
    "order",
    "pointer",
    "self_overlap",
    "sharing",
    "size",
    "value",
];

/// Twins may differ by this many lines, comments not counted. Most differ by one or two.
const TWIN_LINES: usize = 16;

#[test]
fn every_case_has_a_fixture() {
    let mut named = BTreeSet::new();
    for (_, text) in sources() {
        for line in text.lines().filter_map(|line| line.trim_end().strip_prefix("// Case")) {
            let cases = line.trim_start_matches('s').trim().trim_end_matches('.');
            named.extend(cases.split(", ").map(str::to_owned));
        }
    }
    let numbered =
        |letter: &'static str, last: u32| (1..=last).map(move |n| format!("{letter}-{n:02}"));
    // P-t is the second run, which must be empty: the harness does it for every fixture that merges.
    let lettered = ('a'..='s').map(|letter| format!("P-{letter}"));
    let wanted =
        numbered("C", 98).chain(numbered("T", 20)).chain(numbered("G", 20)).chain(lettered);
    let missing: Vec<String> = wanted.filter(|case| !named.contains(case)).collect();
    assert!(missing.is_empty(), "no fixture for {}", missing.join(", "));
}

#[test]
fn every_folder_is_known() {
    let mut folders: Vec<String> = fs::read_dir("corpus")
        .expect("corpus")
        .map(|entry| entry.expect("entry").path())
        .filter(|path| path.is_dir() && !path.ends_with("bench"))
        .map(|path| name(&path))
        .collect();
    folders.sort();
    assert_eq!(folders, FOLDERS);
}

#[test]
fn every_decline_has_a_twin_that_differs_by_little() {
    for (path, text) in sources() {
        let Some(stem) = name(&path).strip_suffix("_decline.cu").map(str::to_owned) else {
            continue;
        };
        let twin = path.with_file_name(format!("{stem}_merge.cu"));
        let other =
            fs::read_to_string(&twin).unwrap_or_else(|why| panic!("{}: {why}", twin.display()));
        let (text, other) = (code(&text), code(&other));
        assert_ne!(text, other, "{} and its twin are the same program", path.display());
        let diff = similar::TextDiff::from_lines(&text, &other);
        let changes = |tag| diff.iter_all_changes().filter(|change| change.tag() == tag).count();
        let differing =
            changes(similar::ChangeTag::Delete).max(changes(similar::ChangeTag::Insert));
        assert!(differing <= TWIN_LINES, "{}: {differing} lines differ", path.display());
    }
}

#[test]
fn markers_keep_their_promise() {
    for (path, text) in sources() {
        let file = name(&path);
        if file.ends_with("_decline.cu") {
            assert!(text.contains(" DECLINE") || text.contains(" NONE"), "{}", path.display());
        }
        if file.ends_with("_merge.cu") {
            assert!(text.contains(" MERGE"), "{}", path.display());
        }
        let limited = path
            .iter()
            .any(|part| part.to_string_lossy().trim_end_matches(".cu").ends_with("_limit"));
        if limited
            && path.extension().is_some_and(|extension| extension == "cu")
            && text.contains("//~")
        {
            assert!(text.contains("LIMIT "), "{}", path.display());
        }
    }
}

#[test]
fn every_fixture_begins_with_what_it_shows() {
    for (path, text) in sources() {
        assert!(text.trim_start_matches('\u{feff}').starts_with("// "), "{}", path.display());
        for (number, line) in text.lines().enumerate() {
            let long = line.chars().count() > 110;
            assert!(!long, "{}:{}: long line", path.display(), number + 1);
        }
    }
}

/// The program without comments and empty lines.
fn code(text: &str) -> String {
    let lines = text.lines().map(|line| line.split("//").next().unwrap_or_default().trim_end());
    lines.filter(|line| !line.is_empty()).flat_map(|line| [line, "\n"]).collect()
}

/// All sources of the corpus with their text (those in Latin-1 read as well as can be).
fn sources() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders: Vec<PathBuf> =
        FOLDERS.iter().map(|folder| Path::new("corpus").join(folder)).collect();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of fixtures") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cu") {
                let bytes = fs::read(&path).expect("readable");
                found.push((path, String::from_utf8_lossy(&bytes).into_owned()));
            }
        }
    }
    found.sort();
    found
}

fn name(path: &Path) -> String {
    path.file_name().expect("a name").to_string_lossy().into_owned()
}
