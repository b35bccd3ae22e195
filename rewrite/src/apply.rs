//! Edits to text.

use crate::edit::Edit;

/// The text of one file after `edits` (of that file; sorted and disjoint, as [`crate::EditPlan::edits`] gives them). Bytes
/// outside the edits are copied unchanged.
#[must_use]
pub fn apply(text: &[u8], edits: &[Edit]) -> Vec<u8> {
    let mut result = Vec::with_capacity(text.len() + 64 * edits.len());
    let mut position = 0;
    for edit in edits {
        let start = (edit.start as usize).clamp(position, text.len());
        result.extend_from_slice(&text[position..start]);
        result.extend_from_slice(edit.replacement.as_bytes());
        position = (edit.end as usize).clamp(start, text.len());
    }
    result.extend_from_slice(&text[position..]);
    result
}
