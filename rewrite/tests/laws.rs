//! Laws of edits and diffs, on random texts: any bytes, any line ends, with and without a final newline.

use std::fs;
use std::ops::Range;
use std::process::Command;

use echo_dataflow::program::FileId;
use echo_rewrite::{Edit, Step, apply, tidy, unified_diff};
use proptest::collection::vec;
use proptest::prelude::*;

/// Runs are alike everywhere, and leave no file behind.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: proptest::test_runner::RngSeed::Fixed(2),
        ..ProptestConfig::default()
    }
}

/// Lines of code and of nothing much, some of them not UTF-8, with all kinds of ends.
fn text() -> impl Strategy<Value = Vec<u8>> {
    let line = prop_oneof![
        Just(b"".to_vec()),
        Just(b"  free(h_a);".to_vec()),
        Just(b"\tcudaFree(d_a);  // last".to_vec()),
        Just(b"  a(); b();".to_vec()),
        Just(b"   ".to_vec()),
        Just(b"// caf\xe9".to_vec()),
        Just(b"\xef\xbb\xbfint x;".to_vec()),
        vec(any::<u8>().prop_filter("one line", |b| *b != b'\n' && *b != 0), 0..20),
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\n"), Just("\r")];
    (vec((line, end), 0..40), any::<bool>()).prop_map(|(lines, last)| {
        let count = lines.len();
        let mut text = Vec::new();
        for (index, (line, end)) in lines.into_iter().enumerate() {
            text.extend(line);
            if last || index + 1 < count {
                text.extend(end.bytes());
            }
        }
        text
    })
}

/// A text and disjoint edits of it, sorted.
fn edited() -> impl Strategy<Value = (Vec<u8>, Vec<Edit>)> {
    text().prop_flat_map(|text| {
        let length = text.len() + 1;
        let replacement = prop_oneof![
            Just(String::new()),
            Just("cudaFree(h_a)".to_owned()),
            Just("\n  d_a = h_a;".to_owned()),
            "[a-z\r\né]{0,6}",
        ];
        let cuts = vec((0..length, 0..12_usize, replacement), 0..8);
        (Just(text), cuts).prop_map(|(text, mut cuts)| {
            cuts.sort();
            let mut edits: Vec<Edit> = Vec::new();
            for (start, size, replacement) in cuts {
                let end = (start + size).min(text.len());
                let free = edits.last().is_none_or(|last| last.end < offset(start));
                if free {
                    let (start, end) = (offset(start), offset(end));
                    edits.push(Edit { file: FileId(0), start, end, replacement, step: Step::Copy });
                }
            }
            (text, edits)
        })
    })
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).expect("small texts")
}

/// The parts of a text that no edit touches.
fn kept<'a>(text: &'a [u8], edits: &[Edit]) -> Vec<&'a [u8]> {
    let mut parts = Vec::new();
    let mut position = 0;
    for edit in edits {
        parts.push(&text[position..edit.start as usize]);
        position = edit.end as usize;
    }
    parts.push(&text[position..]);
    parts
}

/// What `patch` does, strictly: every context and every deleted line must be there.
fn patched(old: &[u8], diff: &[u8], reverse: bool) -> Vec<u8> {
    let (from, to) = if reverse { (b'+', b'-') } else { (b'-', b'+') };
    let old: Vec<&[u8]> = old.split_inclusive(|b| *b == b'\n').collect();
    let mut new: Vec<Vec<u8>> = Vec::new();
    let mut position = 0;
    let lines: Vec<&[u8]> = diff.split_inclusive(|b| *b == b'\n').collect();
    for (index, line) in lines.iter().enumerate().skip(2) {
        if line.starts_with(b"@@ ") {
            let header = std::str::from_utf8(line).expect("ASCII");
            let ranges = header.split_whitespace().collect::<Vec<_>>();
            let Range { start, end } = range(ranges[if reverse { 2 } else { 1 }]);
            let start = if start == end { start } else { start - 1 };
            new.extend(old[position..start].iter().map(|line| line.to_vec()));
            position = start;
            continue;
        }
        if line[0] == b'\\' {
            continue;
        }
        let mut content = line[1..].to_vec();
        if lines.get(index + 1).is_some_and(|next| next[0] == b'\\') {
            content.pop();
        }
        if line[0] == b' ' || line[0] == from {
            assert_eq!(old[position], content, "a line that is not there");
            position += 1;
        }
        if line[0] == b' ' || line[0] == to {
            new.push(content);
        }
    }
    new.extend(old[position..].iter().map(|line| line.to_vec()));
    new.concat()
}

/// `-3,2` as 3..5.
fn range(text: &str) -> Range<usize> {
    let (start, count) = text[1..].split_once(',').unwrap_or((&text[1..], "1"));
    let (start, count): (usize, usize) = (start.parse().unwrap(), count.parse().unwrap());
    start..start + count
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn bytes_outside_edits_stay((text, edits) in edited()) {
        let new = apply(&text, &edits);
        let mut rest = new.as_slice();
        for (index, part) in kept(&text, &edits).into_iter().enumerate() {
            prop_assert!(rest.starts_with(part), "part {} is gone", index);
            rest = &rest[part.len()..];
            if let Some(edit) = edits.get(index) {
                prop_assert!(rest.starts_with(edit.replacement.as_bytes()));
                rest = &rest[edit.replacement.len()..];
            }
        }
        prop_assert!(rest.is_empty());
    }

    #[test]
    fn a_diff_leads_there_and_back((text, edits) in edited()) {
        let new = apply(&text, &edits);
        let diff = unified_diff("a.cu", &text, &new);
        prop_assert_eq!(diff.is_empty(), text == new);
        if !diff.is_empty() {
            prop_assert_eq!(patched(&text, &diff, false), new.clone());
            prop_assert_eq!(patched(&new, &diff, true), text);
        }
    }

    /// Tidying removes whitespace and comments beside deleted statements, and nothing else.
    #[test]
    fn tidy_takes_only_blanks_and_comments((text, edits) in edited()) {
        let mut wide = edits.clone();
        tidy(&text, &mut wide);
        prop_assert_eq!(wide.len(), edits.len());
        for (before, after) in edits.iter().zip(&wide) {
            prop_assert_eq!(&before.replacement, &after.replacement);
            let (from, to) = (after.start as usize, after.end as usize);
            prop_assert!(from <= to && to <= text.len());
            if !before.replacement.is_empty() || before.start == before.end {
                prop_assert_eq!(before, after, "only deletions are widened");
            }
        }
        for pair in wide.windows(2) {
            prop_assert!(pair[0].end <= pair[1].start, "{:?}", wide);
        }
        let statements = |text: &[u8]| -> Vec<u8> {
            text.split(|b| *b == b'\n')
                .flat_map(|line| {
                    let code = line.windows(2).position(|w| w == b"//").unwrap_or(line.len());
                    line[..code].iter().copied().filter(|b| !b.is_ascii_whitespace()).collect::<Vec<_>>()
                })
                .collect()
        };
        prop_assert_eq!(statements(&apply(&text, &wide)), statements(&apply(&text, &edits)));
    }
}

proptest! {
    #![proptest_config(config(40))]

    /// The real thing agrees, on texts that git takes for text.
    #[test]
    fn git_applies_it((text, edits) in edited()) {
        let new = apply(&text, &edits);
        let diff = unified_diff("a b.cu", &text, &new);
        prop_assume!(!diff.is_empty() && !text.is_empty() && !new.is_empty());
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a b.cu");
        fs::write(&file, &text).expect("written");
        fs::write(folder.path().join("p"), &diff).expect("written");
        for (arguments, expected) in [(vec![], &new), (vec!["--reverse"], &text)] {
            let output = Command::new("git")
                .args(["-c", "core.autocrlf=false", "-c", "apply.whitespace=nowarn", "apply"])
                .args(arguments)
                .arg("p")
                .env("GIT_CEILING_DIRECTORIES", folder.path())
                .current_dir(folder.path())
                .output()
                .expect("git runs");
            prop_assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            prop_assert_eq!(&fs::read(&file).expect("still there"), expected);
        }
    }
}
