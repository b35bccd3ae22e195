//! Deleted statements take their lines with them.

use crate::edit::Edit;

/// Widens deletions that leave a line of `text` blank to the whole line. `edits` are of this file, sorted and disjoint;
/// so is the result.
#[must_use]
pub fn tidy(text: &[u8], edits: Vec<Edit>) -> Vec<Edit> {
    let mut result: Vec<Edit> = Vec::with_capacity(edits.len());
    let mut index = 0;
    while index < edits.len() {
        let first = &edits[index];
        if !first.replacement.is_empty() || first.start == first.end {
            result.push(first.clone());
            index += 1;
            continue;
        }
        // A run of deletions with only blanks between them.
        let mut last = index;
        while let Some(next) = edits.get(last + 1) {
            let joined = next.file == first.file
                && next.replacement.is_empty()
                && next.start < next.end
                && blank(&text[edits[last].end as usize..next.start as usize]);
            if !joined {
                break;
            }
            last += 1;
        }
        let (start, end) = (first.start as usize, edits[last].end as usize);
        let line_start = text[..start].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1);
        let line_end =
            text[end..].iter().position(|&b| b == b'\n').map_or(text.len(), |p| end + p + 1);
        let untouched = |from: usize, to: usize| {
            !edits.iter().any(|e| {
                e.file == first.file
                    && (e.start as usize) < to.max(from + 1)
                    && (e.end as usize) >= from
                    && !(e.start >= first.start && e.end <= edits[last].end)
            })
        };
        if blank(&text[line_start..start])
            && blank(&text[end..line_end])
            && untouched(line_start, start)
            && untouched(end, line_end.saturating_sub(1))
        {
            result.push(Edit {
                start: u32::try_from(line_start).unwrap_or(first.start),
                end: u32::try_from(line_end).unwrap_or(first.end),
                ..first.clone()
            });
        } else {
            for edit in &edits[index..=last] {
                // Not the whole line: take the blanks before the statement, so that none are left behind.
                let before = text[..edit.start as usize]
                    .iter()
                    .rev()
                    .take_while(|b| **b == b' ' || **b == b'\t')
                    .count();
                let from = edit.start as usize - before;
                let at_line_start = from == line_start;
                let widened = if at_line_start { edit.start as usize } else { from };
                result.push(Edit {
                    start: u32::try_from(widened).unwrap_or(edit.start),
                    ..edit.clone()
                });
            }
        }
        index = last + 1;
    }
    result
}

fn blank(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
        && bytes.iter().filter(|&&b| b == b'\n').count() <= 1
}
