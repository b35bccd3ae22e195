//! Unified diffs that `git apply` and `patch -p1` take.

use std::fmt::Write as _;

use similar::{Algorithm, DiffTag, capture_diff_slices, group_diff_ops};

/// Lines shown around a change.
const CONTEXT: usize = 3;

/// The unified diff from `old` to `new`, bytes of the file at `path` (relative, with `/`); empty if they are equal.
///
/// Headers are `a/` and `b/` without time stamps. Lines end at `\n` only, so that CRLF files, lone `\r` and bytes that
/// are not UTF-8 pass through; a missing final newline is marked as git does.
#[must_use]
pub fn unified_diff(path: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let (old, new) = (lines(old), lines(new));
    let mut out = Vec::new();
    let operations = capture_diff_slices(Algorithm::Myers, &old, &new);
    for group in group_diff_ops(operations, CONTEXT) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        if out.is_empty() {
            out.extend_from_slice(format!("--- {}\n", header("a/", path)).as_bytes());
            out.extend_from_slice(format!("+++ {}\n", header("b/", path)).as_bytes());
        }
        let before = range(first.old_range().start, last.old_range().end);
        let after = range(first.new_range().start, last.new_range().end);
        out.extend_from_slice(format!("@@ -{before} +{after} @@\n").as_bytes());
        for operation in group {
            let (removed, added) = (&old[operation.old_range()], &new[operation.new_range()]);
            match operation.tag() {
                DiffTag::Equal => push(&mut out, b' ', removed),
                DiffTag::Delete => push(&mut out, b'-', removed),
                DiffTag::Insert => push(&mut out, b'+', added),
                DiffTag::Replace => {
                    push(&mut out, b'-', removed);
                    push(&mut out, b'+', added);
                }
            }
        }
    }
    out
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|b| *b == b'\n').collect()
}

/// `start,count` as diff(1) writes it: an empty range names the line before it.
fn range(start: usize, end: usize) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => format!("{}", start + 1),
        count => format!("{},{count}", start + 1),
    }
}

fn push(out: &mut Vec<u8>, mark: u8, lines: &[&[u8]]) {
    for line in lines {
        out.push(mark);
        out.extend_from_slice(line);
        if line.last() != Some(&b'\n') {
            out.extend_from_slice(b"\n\\ No newline at end of file\n");
        }
    }
}

/// A file name as git writes it: quoted like a C string where it must be, ended by a tab where it holds a space.
fn header(prefix: &str, path: &str) -> String {
    let name = format!("{prefix}{path}");
    if name.bytes().all(|b| (b' '..0x7f).contains(&b) && b != b'"' && b != b'\\') {
        return if name.contains(' ') { name + "\t" } else { name };
    }
    let mut quoted = String::from("\"");
    for byte in name.bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..0x7f => quoted.push(char::from(byte)),
            b'\n' => quoted.push_str("\\n"),
            b'\t' => quoted.push_str("\\t"),
            _ => {
                let _ = write!(quoted, "\\{byte:03o}");
            }
        }
    }
    quoted.push('"');
    quoted
}
