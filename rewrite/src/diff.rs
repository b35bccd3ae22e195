//! Unified diffs that `git apply` takes.

use similar::TextDiff;

/// The diff of one file, with `a/` and `b/` headers and three lines of context; empty if nothing changed.
#[must_use]
pub fn unified_diff(path: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let diff = TextDiff::from_lines(old, new);
    let mut unified = diff.unified_diff();
    unified.context_radius(3).header(&format!("a/{path}"), &format!("b/{path}"));
    let mut bytes = Vec::new();
    // Writing to a vector cannot fail.
    let _ = unified.to_writer(&mut bytes);
    bytes
}
