//! Deleted statements take their lines with them.

use std::ops::Range;

use crate::edit::Edit;
use crate::text::{is_blank, line_end, line_start, only_comment};

/// Widens deletions, in place: a line that holds nothing else goes with its comment; of two blank lines that would then
/// meet, one goes too. `edits` are of the file with this `text`, sorted and disjoint, and stay so.
pub fn tidy(text: &[u8], edits: &mut [Edit]) {
    let mut index = 0;
    while index < edits.len() {
        let run = run(text, edits, index);
        if !run.is_empty() {
            widen(text, edits, run.clone());
        }
        index = run.end.max(index + 1);
    }
    close_gaps(text, edits);
}

fn deletes(edit: &Edit) -> bool {
    edit.replacement.is_empty() && edit.start < edit.end
}

/// Deletions from `first` on with only blanks between them; empty if `first` is none.
fn run(text: &[u8], edits: &[Edit], first: usize) -> Range<usize> {
    let mut end = first;
    while let Some(edit) = edits.get(end).filter(|edit| deletes(edit)) {
        let joined = end == first
            || text[edits[end - 1].end as usize..edit.start as usize].iter().all(|b| is_blank(*b));
        if !joined {
            break;
        }
        end += 1;
    }
    first..end
}

fn widen(text: &[u8], edits: &mut [Edit], run: Range<usize>) {
    let (start, end) = (edits[run.start].start as usize, edits[run.end - 1].end as usize);
    let from = line_start(text, start);
    let to = line_end(text, end);
    let neighbours_elsewhere =
        run.start.checked_sub(1).is_none_or(|p| edits[p].end as usize <= from)
            && edits.get(run.end).is_none_or(|next| next.start as usize >= to);
    let whole = neighbours_elsewhere
        && text[from..start].iter().all(|b| is_blank(*b))
        && only_comment(&text[end..to]);
    if whole {
        edits[run.start].start = offset(from);
        for index in run.start + 1..run.end {
            edits[index].start = edits[index - 1].end;
        }
        edits[run.end - 1].end = offset(to);
        return;
    }
    // Something else stays on the line: take the blanks on one side of the statement, so that none are left behind.
    let leading = text[from..start].iter().all(|b| is_blank(*b));
    if leading {
        let blanks = text[end..].iter().take_while(|b| is_blank(**b)).count();
        if edits.get(run.end).is_none_or(|next| next.start as usize >= end + blanks) {
            edits[run.end - 1].end = offset(end + blanks);
        }
    }
    for edit in &mut edits[run] {
        let blanks = text[..edit.start as usize].iter().rev().take_while(|b| is_blank(**b)).count();
        let widened = edit.start as usize - blanks;
        if widened > from {
            edit.start = offset(widened);
        }
    }
}

/// Where whole lines between two blank lines go away, one of the blank lines goes too.
fn close_gaps(text: &[u8], edits: &mut [Edit]) {
    let lines = |edit: &Edit| {
        deletes(edit)
            && line_start(text, edit.start as usize) == edit.start as usize
            && text[edit.end as usize - 1] == b'\n'
    };
    let mut index = 0;
    while index < edits.len() {
        if !lines(&edits[index]) {
            index += 1;
            continue;
        }
        let mut last = index;
        while edits.get(last + 1).is_some_and(|next| next.start == edits[last].end && lines(next)) {
            last += 1;
        }
        let (start, end) = (edits[index].start as usize, edits[last].end as usize);
        let gap = line_end(text, end);
        let before = start > 0 && {
            let previous = line_start(text, start - 1);
            text[previous..start].trim_ascii().is_empty()
        };
        let after = gap > end && text[end..gap].trim_ascii().is_empty();
        let free = edits.get(last + 1).is_none_or(|next| next.start as usize >= gap);
        if before && after && free {
            edits[last].end = offset(gap);
        }
        index = last + 1;
    }
}

/// Files are at most 4 GiB (the program's spans are 32 bits wide).
fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use echo_dataflow::program::FileId;

    use super::*;
    use crate::edit::Step;

    /// Deletes each `<...>` of `marked`.
    fn tidied(marked: &str) -> String {
        let (mut text, mut edits, mut start) = (String::new(), Vec::new(), 0);
        for c in marked.chars() {
            match c {
                '<' => start = text.len(),
                '>' => edits.push(Edit {
                    file: FileId(0),
                    start: offset(start),
                    end: offset(text.len()),
                    replacement: String::new(),
                    step: Step::Copy,
                }),
                _ => text.push(c),
            }
        }
        tidy(text.as_bytes(), &mut edits);
        String::from_utf8(crate::apply(text.as_bytes(), &edits)).expect("ASCII")
    }

    #[test]
    fn a_line_of_its_own_goes_whole() {
        assert_eq!(tidied("a;\n  <b;>\n  c;\n"), "a;\n  c;\n");
        assert_eq!(tidied("a;\r\n\t<b;>  // why\r\nc;\r\n"), "a;\r\nc;\r\n");
        assert_eq!(tidied("a;\n  <b(\n   x);>\n}"), "a;\n}");
        assert_eq!(tidied("  <b;>"), "");
    }

    #[test]
    fn what_stays_on_the_line_keeps_its_place() {
        assert_eq!(tidied("  a; <b;>\n"), "  a;\n");
        assert_eq!(tidied("  <a;> b;\n"), "  b;\n");
        assert_eq!(tidied("  <a;> <b;>\n"), "");
        assert_eq!(tidied("{ <a;> }\n"), "{ }\n");
        assert_eq!(tidied("<a;> /* of\n two */ b;"), "/* of\n two */ b;");
    }

    #[test]
    fn two_blank_lines_do_not_meet() {
        assert_eq!(tidied("a;\n\n<b;>\n<c;>\n\nd;\n"), "a;\n\nd;\n");
        assert_eq!(tidied("a;\n\n<b;>\nd;\n"), "a;\n\nd;\n");
    }
}
