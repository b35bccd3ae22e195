//! The texts of a unit's own files, with the few lexical facts the lowering needs.

use std::collections::HashMap;

use echo_dataflow::program::SourceFile;

use crate::text_scan::is_identifier;

/// Files by clang's identity of them.
#[derive(Debug, Default)]
pub(crate) struct Files {
    by_handle: HashMap<usize, FileText>,
}

/// One file.
#[derive(Debug, Clone)]
pub(crate) struct FileText {
    pub(crate) source: SourceFile,
    /// Byte ranges of preprocessor directives, with their continuation lines.
    directives: Vec<(u32, u32)>,
    /// Byte ranges that are comments, string or character literals.
    skipped: Vec<(u32, u32)>,
    /// All `{...}`, by start.
    braces: Vec<Brace>,
    /// How many parentheses of the innermost `{...}` are open after each of `(){}`, by offset.
    depths: Vec<(u32, i32)>,
}

impl Files {
    /// Adds the file that clang knows as `handle`.
    pub(crate) fn insert(&mut self, handle: usize, source: SourceFile) {
        self.by_handle.insert(handle, FileText::new(source));
    }

    /// The file, if it is one of the unit's own.
    pub(crate) fn get(&self, handle: usize) -> Option<&FileText> {
        self.by_handle.get(&handle)
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (usize, &FileText)> {
        self.by_handle.iter().map(|(&handle, text)| (handle, text))
    }
}

impl FileText {
    fn new(source: SourceFile) -> Self {
        let (directives, skipped) = scan(&source.text);
        let mut text = Self { source, directives, skipped, braces: Vec::new(), depths: Vec::new() };
        (text.braces, text.depths) = brackets(&text);
        text
    }

    /// Whether byte `offset` is in a preprocessor directive (a `#define` body, above all).
    pub(crate) fn in_define(&self, offset: u32) -> bool {
        within(&self.directives, offset)
    }

    /// Where the preprocessor directives are.
    pub(crate) fn directives(&self) -> impl Iterator<Item = (u32, u32)> {
        self.directives.iter().copied()
    }

    /// A directive's keyword and what follows it.
    pub(crate) fn directive(&self, start: u32, end: u32) -> (&[u8], &[u8]) {
        let inside = self.slice(start, end).trim_ascii_start();
        let inside = inside.strip_prefix(b"#").unwrap_or(inside).trim_ascii_start();
        inside.split_at(inside.iter().take_while(|byte| is_identifier(**byte)).count())
    }

    /// The directives named `name`: what follows the name.
    pub(crate) fn directives_named<'t>(&'t self, name: &'t str) -> impl Iterator<Item = &'t [u8]> {
        self.directives.iter().filter_map(move |&(start, end)| {
            let text = self.slice(start, end).trim_ascii_start().strip_prefix(b"#")?;
            let rest = text.trim_ascii_start().strip_prefix(name.as_bytes())?;
            rest.first().is_none_or(|byte| !is_identifier(*byte)).then_some(rest)
        })
    }

    /// The pragmas in a range of bytes: where each ends, and what follows the word `pragma`.
    pub(crate) fn pragmas(&self, from: u32, to: u32) -> impl Iterator<Item = (u32, &[u8])> {
        let first = self.directives.partition_point(|&(start, _)| start < from);
        let inside = self.directives[first..].iter().take_while(move |&&(start, _)| start < to);
        inside.filter_map(|&(start, end)| {
            let text = self.slice(start, end).trim_ascii_start().strip_prefix(b"#")?;
            Some((end, text.trim_ascii_start().strip_prefix(b"pragma")?))
        })
    }

    /// Names of macros that `#undef` takes back.
    pub(crate) fn undefined(&self) -> impl Iterator<Item = String> {
        self.directives_named("undef").map(|rest| {
            let name = rest.trim_ascii_start();
            let end = name.iter().position(|&b| !is_identifier(b)).unwrap_or(name.len());
            String::from_utf8_lossy(&name[..end]).into_owned()
        })
    }

    /// Whether a pragma may apply to headers that are included after it: packing, or macros put aside.
    pub(crate) fn has_pragma_for_headers(&self) -> bool {
        self.directives_named("pragma").any(|rest| {
            [&b"pack"[..], b"push_macro", b"pop_macro", b"redefine_extname", b"visibility"]
                .iter()
                .any(|word| rest.windows(word.len()).any(|at| at == *word))
        })
    }

    /// The byte at `offset`.
    pub(crate) fn byte(&self, offset: u32) -> u8 {
        self.source.text.get(offset as usize).copied().unwrap_or(0)
    }

    /// Length in bytes.
    pub(crate) fn len(&self) -> u32 {
        u32::try_from(self.source.text.len()).unwrap_or(u32::MAX)
    }

    /// The text of a range.
    pub(crate) fn slice(&self, start: u32, end: u32) -> &[u8] {
        let end = (end as usize).min(self.source.text.len());
        &self.source.text[(start as usize).min(end)..end]
    }

    /// Offsets of code bytes (not in comments, literals or directives) from `start` on.
    pub(crate) fn code(&self, start: u32) -> impl Iterator<Item = (u32, u8)> + '_ {
        let mut offset = start;
        std::iter::from_fn(move || {
            loop {
                if offset >= self.len() {
                    return None;
                }
                if let Some(end) =
                    range_end(&self.skipped, offset).or_else(|| range_end(&self.directives, offset))
                {
                    offset = end;
                    continue;
                }
                offset += 1;
                return Some((offset - 1, self.byte(offset - 1)));
            }
        })
    }

    /// The next code byte that is not white space, from `start` on.
    pub(crate) fn next_code(&self, start: u32) -> Option<(u32, u8)> {
        self.code(start).find(|(_, byte)| !byte.is_ascii_whitespace())
    }

    /// The last code byte that is not white space before `offset`.
    pub(crate) fn previous_code(&self, offset: u32) -> Option<u8> {
        let mut at = offset;
        while at > 0 {
            let before = at - 1;
            if let Some(start) =
                range_start(&self.skipped, before).or_else(|| range_start(&self.directives, before))
            {
                at = start;
                continue;
            }
            let byte = self.byte(before);
            if !byte.is_ascii_whitespace() {
                return Some(byte);
            }
            at = before;
        }
        None
    }

    /// Whether `offset` is inside parentheses that opened after the innermost `{` (a `for` header).
    pub(crate) fn in_parentheses(&self, offset: u32) -> bool {
        let before = self.depths.partition_point(|&(at, _)| at < offset);
        before.checked_sub(1).is_some_and(|last| self.depths[last].1 > 0)
    }

    /// Offsets of the `;` at depth 1 and of the `)` in the parentheses that open at or after `start`.
    pub(crate) fn header(&self, start: u32) -> Option<(Vec<u32>, u32)> {
        let mut depth = 0u32;
        let mut semicolons = Vec::new();
        for (offset, byte) in self.code(start) {
            match byte {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    if depth == 0 {
                        return Some((semicolons, offset));
                    }
                }
                b';' if depth == 1 => semicolons.push(offset),
                b';' if depth == 0 => return None,
                _ => {}
            }
        }
        None
    }

    /// The innermost `{...}` around `offset`, or the whole file.
    pub(crate) fn enclosing_braces(&self, offset: u32) -> (u32, u32) {
        let before = self.braces.partition_point(|brace| brace.start < offset);
        let mut at = before.checked_sub(1);
        while let Some(index) = at {
            let brace = &self.braces[index];
            if offset < brace.end {
                return (brace.start, brace.end);
            }
            at = brace.parent;
        }
        (0, self.len())
    }

    /// The `{...}` that opens after `offset` (a function's body after its parameters).
    pub(crate) fn body_after(&self, offset: u32) -> (u32, u32) {
        let after = self.braces.partition_point(|brace| brace.start < offset);
        self.braces.get(after).map_or((offset, self.len()), |brace| (brace.start, brace.end))
    }
}

/// A `{...}`.
#[derive(Debug, Clone)]
struct Brace {
    start: u32,
    /// One past the `}`.
    end: u32,
    /// Index of the `{...}` around it.
    parent: Option<usize>,
}

/// Both in one pass: a file with a thousand statements asks a thousand times.
fn brackets(text: &FileText) -> (Vec<Brace>, Vec<(u32, i32)>) {
    let mut found: Vec<Brace> = Vec::new();
    let mut depths: Vec<(u32, i32)> = Vec::new();
    // Open braces, with the depth around each.
    let mut open: Vec<(usize, i32)> = Vec::new();
    let mut depth = 0;
    for (at, byte) in text.code(0) {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'{' => {
                let parent = open.last().map(|(index, _)| *index);
                found.push(Brace { start: at, end: text.len(), parent });
                open.push((found.len() - 1, depth));
                depth = 0;
            }
            b'}' => {
                if let Some((index, around)) = open.pop() {
                    found[index].end = at + 1;
                    depth = around;
                }
            }
            _ => continue,
        }
        depths.push((at, depth));
    }
    (found, depths)
}

fn range_end(ranges: &[(u32, u32)], offset: u32) -> Option<u32> {
    let after = ranges.partition_point(|&(start, _)| start <= offset);
    let (_, end) = *ranges.get(after.checked_sub(1)?)?;
    (offset < end).then_some(end)
}

fn range_start(ranges: &[(u32, u32)], offset: u32) -> Option<u32> {
    let after = ranges.partition_point(|&(start, _)| start <= offset);
    let (start, end) = *ranges.get(after.checked_sub(1)?)?;
    (offset < end).then_some(start)
}

fn within(ranges: &[(u32, u32)], offset: u32) -> bool {
    range_end(ranges, offset).is_some()
}

/// Ascending byte ranges.
type Ranges = Vec<(u32, u32)>;

/// Directives, and comments with literals, as ascending byte ranges.
pub(crate) fn scan(text: &[u8]) -> (Ranges, Ranges) {
    let at = |i: usize| u32::try_from(i).unwrap_or(u32::MAX);
    let mut directives = Vec::new();
    let mut skipped = Vec::new();
    let mut i = 0;
    let mut line_start = true;
    while i < text.len() {
        let rest = &text[i..];
        if rest.starts_with(b"//") {
            let mut end = i;
            while end < text.len() && text[end] != b'\n' {
                // A comment goes on after a backslash at the line's end.
                end += if text[end] == b'\\' && text.get(end + 1) == Some(&b'\n') { 2 } else { 1 };
            }
            let end = end.min(text.len());
            skipped.push((at(i), at(end)));
            i = end;
        } else if rest.starts_with(b"/*") {
            let end =
                rest.windows(2).skip(2).position(|w| w == b"*/").map_or(text.len(), |p| i + p + 4);
            skipped.push((at(i), at(end)));
            i = end;
        } else if rest[0] == b'#' && line_start {
            let mut end = i;
            while end < text.len() && text[end] != b'\n' {
                if text[end] == b'\\' && matches!(text.get(end + 1), Some(b'\n')) {
                    end += 2;
                } else if text[end] == b'\\' && text[end..].starts_with(b"\\\r\n") {
                    end += 3;
                } else if text[end..].starts_with(b"/*") {
                    end = text[end..]
                        .windows(2)
                        .skip(2)
                        .position(|w| w == b"*/")
                        .map_or(text.len(), |p| end + p + 4);
                } else {
                    end += 1;
                }
            }
            let end = end.min(text.len());
            directives.push((at(i), at(end)));
            i = end;
        } else if rest.starts_with(b"R\"")
            && !text[..i].last().is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_')
        {
            let delimiter: Vec<u8> =
                rest[2..].iter().copied().take_while(|&b| b != b'(').take(17).collect();
            let mut close = vec![b')'];
            close.extend(&delimiter);
            close.push(b'"');
            let end = rest
                .windows(close.len())
                .position(|w| w == close.as_slice())
                .map_or(text.len(), |p| i + p + close.len());
            skipped.push((at(i), at(end)));
            i = end;
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            // A quote between digits separates them: 1'000'000.
            let separator = rest[0] == b'\''
                && i > 0
                && text[i - 1].is_ascii_alphanumeric()
                && rest.get(1).is_some_and(u8::is_ascii_alphanumeric);
            if separator {
                i += 1;
                continue;
            }
            let mut end = i + 1;
            while end < text.len() && text[end] != rest[0] && text[end] != b'\n' {
                end += if text[end] == b'\\' { 2 } else { 1 };
            }
            let end = (end + 1).min(text.len());
            skipped.push((at(i), at(end)));
            i = end;
        } else {
            if rest[0] == b'\n' {
                line_start = true;
            } else if !rest[0].is_ascii_whitespace() {
                line_start = false;
            }
            i += 1;
            continue;
        }
        line_start = line_start && i > 0 && text[i - 1] != b'"';
    }
    (directives, skipped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parentheses_count_within_the_innermost_braces() {
        let code = b"int f(int a) { for (i = 0; g([] { h(1); }); i++) { k(); } /* ( */ }\n";
        let source = SourceFile {
            path: "a.cu".to_owned(),
            text: code.to_vec(),
            editable: true,
            conditional_branches: Vec::new(),
            suppressions: Vec::new(),
            expansions: Vec::new(),
            macro_body_names: Vec::new(),
            line_starts: Default::default(),
        };
        let text = FileText::new(source);
        let at = |what: &str| {
            let found = code.windows(what.len()).position(|w| w == what.as_bytes()).expect(what);
            text.in_parentheses(u32::try_from(found).expect("short"))
        };
        assert!(at("int a") && at("i = 0") && at("i++") && at("1); })"));
        assert!(!at("int f") && !at("for") && !at("h(1)") && !at("k()") && !at("}\n"));
    }
}
