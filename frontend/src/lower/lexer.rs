//! A scanner for the few questions that the syntax tree does not answer: where a statement's semicolon is, which
//! slots of a `for` header are empty, whether `new` is an array form.

/// One token of C++ text: its bytes, from `start` to `end`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    /// First byte.
    pub(crate) start: usize,
    /// One past the last byte.
    pub(crate) end: usize,
}

/// Tokens of `text` from `at` on: identifiers and numbers, literals, and single punctuation bytes. Comments and
/// white space are left out; preprocessor directives are not recognised.
pub(crate) fn pieces(text: &[u8], at: usize) -> impl Iterator<Item = Piece> + '_ {
    let mut at = at;
    std::iter::from_fn(move || {
        let piece = next(text, at)?;
        at = piece.end;
        Some(piece)
    })
}

/// The first token at or after `at`.
pub(crate) fn next(text: &[u8], mut at: usize) -> Option<Piece> {
    loop {
        let byte = *text.get(at)?;
        if byte.is_ascii_whitespace() || byte == b'\\' {
            at += 1;
        } else if text[at..].starts_with(b"//") {
            at = text[at..].iter().position(|&b| b == b'\n').map_or(text.len(), |p| at + p);
        } else if text[at..].starts_with(b"/*") {
            at = text[at + 2..]
                .windows(2)
                .position(|w| w == b"*/")
                .map_or(text.len(), |p| at + 2 + p + 2);
        } else {
            break;
        }
    }
    let start = at;
    let byte = text[at];
    let end = if is_word(byte) {
        let end = start + text[start..].iter().take_while(|&&b| is_word(b)).count();
        match text.get(end) {
            // A prefix of a literal: u8"..", L'..', R"(..)".
            Some(b'"') if text[start..end].ends_with(b"R") => raw_string_end(text, end),
            Some(&(quote @ (b'"' | b'\''))) if is_literal_prefix(&text[start..end]) => {
                quoted_end(text, end, quote)
            }
            // Digit separators.
            Some(b'\'') if byte.is_ascii_digit() => number_end(text, end),
            _ => end,
        }
    } else if byte == b'"' || byte == b'\'' {
        quoted_end(text, start, byte)
    } else {
        start + 1
    };
    Some(Piece { start, end })
}

/// Offset just past the bracket that closes the one at `open`.
pub(crate) fn closing(text: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for piece in pieces(text, open) {
        match text[piece.start] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(piece.end);
                }
            }
            _ => {}
        }
    }
    None
}

/// Offsets of the semicolons at the top level of the parenthesis that opens at `open`, and of its end.
pub(crate) fn header_semicolons(text: &[u8], open: usize) -> Option<(Vec<usize>, usize)> {
    let mut depth = 0_usize;
    let mut semicolons = Vec::new();
    for piece in pieces(text, open) {
        match text[piece.start] {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((semicolons, piece.end));
                }
            }
            b';' if depth == 1 => semicolons.push(piece.start),
            _ => {}
        }
    }
    None
}

/// Offset just past the semicolon that follows `at` directly, or `at` if none does.
pub(crate) fn past_semicolon(text: &[u8], at: usize) -> usize {
    match next(text, at) {
        Some(piece) if text[piece.start] == b';' => piece.end,
        _ => at,
    }
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn is_literal_prefix(word: &[u8]) -> bool {
    matches!(word, b"u" | b"U" | b"L" | b"u8")
}

fn quoted_end(text: &[u8], open: usize, quote: u8) -> usize {
    let mut at = open + 1;
    while let Some(&byte) = text.get(at) {
        if byte == b'\\' {
            at += 2;
        } else if byte == quote || byte == b'\n' {
            return at + 1;
        } else {
            at += 1;
        }
    }
    text.len()
}

fn raw_string_end(text: &[u8], open: usize) -> usize {
    let Some(paren) = text[open..].iter().position(|&b| b == b'(') else { return text.len() };
    let mut close = vec![b')'];
    close.extend_from_slice(&text[open + 1..open + paren]);
    close.push(b'"');
    text[open + paren..]
        .windows(close.len())
        .position(|w| w == close.as_slice())
        .map_or(text.len(), |p| open + paren + p + close.len())
}

fn number_end(text: &[u8], mut at: usize) -> usize {
    while let Some(&byte) = text.get(at) {
        if is_word(byte) || (byte == b'\'' && text.get(at + 1).is_some_and(|&b| is_word(b))) {
            at += 1;
        } else {
            break;
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_in_literals_and_comments_do_not_count() {
        let text = br#"f(")" /* ) */, ')', R"x()")x") ; g"#;
        let end = closing(text, 1).unwrap();
        assert_eq!(&text[end - 1..end + 2], b") ;");
        assert_eq!(past_semicolon(text, end), end + 2);
    }

    #[test]
    fn for_header_semicolons_are_those_of_the_header() {
        let text = b"for (int i = [] { return 1; }(); ; i++) x;";
        let (semicolons, end) = header_semicolons(text, 4).unwrap();
        assert_eq!(semicolons.len(), 2);
        assert_eq!(&text[end..], b" x;");
    }

    #[test]
    fn unterminated_text_ends() {
        for text in [&b"f(\"abc"[..], b"/* x", b"R\"(", b"'", b"1'", b"f((("] {
            assert!(pieces(text, 0).count() <= text.len());
            assert_eq!(closing(text, 0), None);
        }
    }
}
