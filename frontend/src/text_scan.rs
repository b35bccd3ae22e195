//! What the text of a file says that clang's tree does not: conditional branches, suppression comments, names in the
//! bodies of `#define`s.

use std::collections::BTreeSet;

use echo_dataflow::program::{FileId, SourceFile, Span, Suppression};

use crate::source_text::scan;

/// The marker of a suppression comment.
const SUPPRESSION: &[u8] = b"echo: ignore";

/// A source file with all that its text says. The spans of its suppressions name file 0 until [`in_file`] sets it.
#[must_use]
pub(crate) fn source_file(path: String, text: Vec<u8>, editable: bool) -> SourceFile {
    let (directives, skipped) = scan(&text);
    let directives: Vec<Directive> =
        directives.iter().map(|&(start, end)| directive(&text, start, end)).collect();
    SourceFile {
        conditional_branches: conditional_branches(&text, &directives, &skipped),
        suppressions: suppressions(&text, &skipped),
        expansions: Vec::new(),
        macro_body_names: macro_body_names(&directives),
        path,
        text,
        editable,
        line_starts: Default::default(),
    }
}

/// Says which file the suppressions of `source` are in.
pub(crate) fn in_file(source: &mut SourceFile, file: FileId) {
    for suppression in &mut source.suppressions {
        suppression.comment.file = file;
    }
}

/// One preprocessor directive.
#[derive(Debug)]
struct Directive<'t> {
    start: u32,
    end: u32,
    /// `if`, `define`, ...
    keyword: &'t [u8],
    /// What follows the keyword.
    operand: &'t [u8],
}

fn directive(text: &[u8], start: u32, end: u32) -> Directive<'_> {
    let inside = text[start as usize..end as usize].trim_ascii_start();
    let inside = inside.strip_prefix(b"#").unwrap_or(inside).trim_ascii_start();
    let length = inside.iter().take_while(|b| is_identifier(**b)).count();
    let (keyword, operand) = inside.split_at(length);
    Directive { start, end, keyword, operand }
}

/// Whether a byte may be part of a name.
pub(crate) fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The bytes between conditional directives, each with the number of the innermost branch.
fn conditional_branches(
    text: &[u8],
    directives: &[Directive<'_>],
    skipped: &[(u32, u32)],
) -> Vec<(u32, u32, u32)> {
    let guard = include_guard(text, directives, skipped);
    let mut ranges = Vec::new();
    let mut branches = 0;
    // The branch that is open at each level of nesting, innermost last.
    let mut open: Vec<u32> = Vec::new();
    let mut from = 0;
    for (index, directive) in directives.iter().enumerate() {
        if !is_conditional(directive.keyword) {
            continue;
        }
        if let Some(&branch) = open.last().filter(|&&branch| branch != 0) {
            ranges.push((from, directive.start, branch));
        }
        from = directive.end;
        let outer = |open: &[u32]| open.last().copied().unwrap_or(0);
        match directive.keyword {
            b"endif" => {
                open.pop();
            }
            b"if" | b"ifdef" | b"ifndef" if guard == Some(index) => open.push(outer(&open)),
            b"if" | b"ifdef" | b"ifndef" => {
                branches += 1;
                open.push(branches);
            }
            // An `#else` without an `#if` is an error of the file; it opens nothing.
            _ => {
                if let Some(branch) = open.last_mut() {
                    branches += 1;
                    *branch = branches;
                }
            }
        }
    }
    if let Some(&branch) = open.last().filter(|&&branch| branch != 0) {
        ranges.push((from, u32::try_from(text.len()).unwrap_or(u32::MAX), branch));
    }
    ranges.retain(|(start, end, _)| start < end);
    ranges
}

fn is_conditional(keyword: &[u8]) -> bool {
    matches!(
        keyword,
        b"if" | b"ifdef" | b"ifndef" | b"elif" | b"elifdef" | b"elifndef" | b"else" | b"endif"
    )
}

/// The index of the directive that opens the file's include guard: `#ifndef X` before everything else, `#define X` right
/// after it, its `#endif` after everything else, no `#else`.
fn include_guard(
    text: &[u8],
    directives: &[Directive<'_>],
    skipped: &[(u32, u32)],
) -> Option<usize> {
    let first = directives.iter().position(|d| d.keyword != b"pragma")?;
    let name = guarded_name(&directives[first])?;
    let define = directives.get(first + 1).filter(|d| d.keyword == b"define")?;
    if define.operand.trim_ascii_start().split(|b| !is_identifier(*b)).next() != Some(name) {
        return None;
    }
    let mut depth = 0u32;
    let mut last = None;
    for (index, directive) in directives.iter().enumerate().skip(first) {
        match directive.keyword {
            b"if" | b"ifdef" | b"ifndef" => depth += 1,
            b"endif" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    last = Some(index);
                    break;
                }
            }
            b"else" | b"elif" | b"elifdef" | b"elifndef" if depth == 1 => return None,
            _ => {}
        }
    }
    let last = last.filter(|&last| last + 1 == directives.len())?;
    let opens = directives[first].start;
    let closes = directives[last].end;
    let outside = |offset: u32| offset < opens || offset >= closes;
    let blank = |offset: u32| {
        within(skipped, offset)
            || directives[..first].iter().any(|d| d.start <= offset && offset < d.end)
            || text[offset as usize].is_ascii_whitespace()
    };
    // A byte-order mark may stand before everything.
    let start = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let end = u32::try_from(text.len()).ok()?;
    let around = (start..opens).chain(closes..end);
    around.filter(|&offset| outside(offset)).all(blank).then_some(first)
}

/// `X` of `#ifndef X` or `#if !defined(X)`.
fn guarded_name<'t>(directive: &Directive<'t>) -> Option<&'t [u8]> {
    let operand = directive.operand.trim_ascii();
    let operand = match directive.keyword {
        b"ifndef" => operand,
        b"if" => {
            let rest = operand.strip_prefix(b"!")?.trim_ascii_start();
            let rest = rest.strip_prefix(b"defined")?.trim_ascii_start();
            rest.strip_prefix(b"(").unwrap_or(rest).trim_ascii_start()
        }
        _ => return None,
    };
    operand.split(|b| !is_identifier(*b)).next().filter(|name| !name.is_empty())
}

fn within(ranges: &[(u32, u32)], offset: u32) -> bool {
    let after = ranges.partition_point(|&(start, _)| start <= offset);
    after.checked_sub(1).is_some_and(|i| offset < ranges[i].1)
}

/// Comments that say `echo: ignore`.
fn suppressions(text: &[u8], skipped: &[(u32, u32)]) -> Vec<Suppression> {
    let mut found = Vec::new();
    let mut line = 1;
    let mut counted = 0;
    for &(start, end) in skipped {
        let comment = &text[start as usize..end as usize];
        let Some(inside) = comment.strip_prefix(b"//").or_else(|| comment.strip_prefix(b"/*"))
        else {
            continue;
        };
        let inside = inside.trim_ascii_start();
        let Some(rest) = inside.strip_prefix(SUPPRESSION) else { continue };
        if rest.first().is_some_and(|b| is_identifier(*b)) {
            continue;
        }
        line += newlines(&text[counted..start as usize]);
        counted = start as usize;
        let before = text[..counted].rsplit(|&b| b == b'\n').next().unwrap_or(b"");
        let alone = before.trim_ascii().is_empty();
        let last = line + newlines(comment);
        found.push(Suppression {
            line: if alone { last + 1 } else { line },
            comment: Span { file: FileId(0), start, end },
        });
    }
    found
}

fn newlines(text: &[u8]) -> u32 {
    u32::try_from(text.iter().filter(|&&b| b == b'\n').count()).unwrap_or(u32::MAX)
}

/// Identifiers in the bodies of `#define`s, without the macros' own parameters, sorted.
fn macro_body_names(directives: &[Directive<'_>]) -> Vec<String> {
    let mut names = BTreeSet::new();
    for directive in directives.iter().filter(|d| d.keyword == b"define") {
        let operand = directive.operand.trim_ascii_start();
        let length = operand.iter().take_while(|b| is_identifier(**b)).count();
        let (_, rest) = operand.split_at(length);
        let (parameters, body) = match rest.strip_prefix(b"(") {
            None => (BTreeSet::new(), rest),
            Some(rest) => {
                let close = rest.iter().position(|&b| b == b')').unwrap_or(rest.len());
                let (inside, body) = rest.split_at(close);
                (identifiers(inside).into_iter().collect(), body)
            }
        };
        names.extend(identifiers(body).into_iter().filter(|name| !parameters.contains(name)));
    }
    names.into_iter().collect()
}

/// The identifiers of a piece of text outside literals and comments.
fn identifiers(text: &[u8]) -> Vec<String> {
    let (_, skipped) = scan(text);
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let offset = u32::try_from(at).unwrap_or(u32::MAX);
        if within(&skipped, offset) {
            at += 1;
            continue;
        }
        let length = text[at..].iter().take_while(|b| is_identifier(**b)).count();
        if length == 0 {
            at += 1;
            continue;
        }
        let word = &text[at..at + length];
        // A number may hold letters: 0x1f, 1e5f, 10u.
        if !word[0].is_ascii_digit() {
            found.push(String::from_utf8_lossy(word).into_owned());
        }
        at += length;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::source_file;
    use echo_dataflow::program::SourceFile;

    fn file(text: &str) -> SourceFile {
        source_file("a.cu".to_owned(), text.as_bytes().to_vec(), true)
    }

    fn branch(file: &SourceFile, word: &str) -> u32 {
        let at = file.text.windows(word.len()).position(|w| w == word.as_bytes()).unwrap();
        file.conditional_branch(u32::try_from(at).unwrap())
    }

    #[test]
    fn each_branch_has_a_number_of_its_own() {
        let file =
            file("aa\n#ifdef X\nbb\n#if Y\ncc\n#endif\nbb2\n#elif Z\ndd\n#else\nee\n#endif\nff\n");
        let got = ["aa", "bb\n", "cc", "bb2", "dd", "ee", "ff"].map(|word| branch(&file, word));
        assert_eq!(got[0], 0);
        assert_eq!(got[6], 0);
        assert_eq!(got[1], got[3]);
        let distinct: std::collections::BTreeSet<u32> = got[1..6].iter().copied().collect();
        assert_eq!(distinct.len(), 4);
        assert!(!distinct.contains(&0));
    }

    #[test]
    fn an_include_guard_is_no_branch() {
        for guard in ["#ifndef A_H\n#define A_H\n", "#if !defined(A_H)\n#define A_H 1\n"] {
            let file =
                file(&format!("// head\n{guard}xx\n#ifdef Q\nyy\n#endif\nzz\n#endif // A_H\n"));
            assert_eq!(branch(&file, "xx"), 0, "{guard}");
            assert_ne!(branch(&file, "yy"), 0);
            assert_eq!(branch(&file, "zz"), 0);
        }
    }

    #[test]
    fn what_only_looks_like_an_include_guard_is_a_branch() {
        for text in [
            "#ifndef A\n#define A\nxx\n#endif\nint y;\n",
            "#ifndef A\n#define A\nxx\n#else\n#endif\n",
            "int y;\n#ifndef A\n#define A\nxx\n#endif\n",
            "#ifndef A\n#define B\nxx\n#endif\n",
            "#ifndef A\nxx\n#endif\n",
        ] {
            assert_ne!(branch(&file(text), "xx"), 0, "{text}");
        }
    }

    #[test]
    fn unbalanced_directives_are_survived() {
        assert_ne!(branch(&file("#if A\nxx\n"), "xx"), 0);
        assert_eq!(branch(&file("#endif\n#else\nxx\n"), "xx"), 0);
    }

    #[test]
    fn suppressions_name_the_line_they_are_for() {
        let file = file(
            "int a; // echo: ignore\n// echo: ignore, measured to be slower\nint b;\n/* echo: ignore\n*/\nint c;\n\
             // echo: ignored\nchar *s = \"// echo: ignore\";\n",
        );
        let lines: Vec<u32> = file.suppressions.iter().map(|s| s.line).collect();
        assert_eq!(lines, [1, 3, 6]);
        let comment = file.suppressions[0].comment;
        assert_eq!(&file.text[comment.start as usize..comment.end as usize], b"// echo: ignore");
    }

    #[test]
    fn names_in_macro_bodies_are_listed_without_parameters() {
        let file = file(
            "#define CHECK(x) do { err = (x); log(\"h_a\", err, 0x1f); /* h_b */ } while (0)\n\
             #define COPY \\\n  cudaMemcpy(d_c, h_c, n)\n#define N 1e5f\n#if defined(h_d)\n#endif\n",
        );
        let names = file.macro_body_names;
        for name in ["err", "log", "d_c", "h_c", "n"] {
            assert!(names.iter().any(|n| n == name), "{name} of {names:?}");
        }
        for name in ["x", "h_a", "h_b", "h_d", "e5f", "f"] {
            assert!(!names.iter().any(|n| n == name), "{name} of {names:?}");
        }
    }
}
