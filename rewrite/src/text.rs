//! Lexical facts of the text around a call. Only what decides how an edit looks; what may be edited is decided on the
//! program.

/// A space or a tab.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t')
}

/// Part of an identifier.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Start of the line that holds `offset`.
pub(crate) fn line_start(text: &[u8], offset: usize) -> usize {
    text[..offset.min(text.len())].iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1)
}

/// One past the newline of the line that holds `offset`; the text's length if it has none.
pub(crate) fn line_end(text: &[u8], offset: usize) -> usize {
    let offset = offset.min(text.len());
    text[offset..].iter().position(|&b| b == b'\n').map_or(text.len(), |p| offset + p + 1)
}

/// The line ending used at `offset`'s line, or by the file's first line.
pub(crate) fn newline(text: &[u8], offset: usize) -> &'static str {
    let crlf = |end: usize| end >= 2 && text[end - 2] == b'\r' && text[end - 1] == b'\n';
    let own = line_end(text, offset);
    if crlf(own) || (own == text.len() && crlf(line_end(text, 0))) { "\r\n" } else { "\n" }
}

/// White space at the start of `offset`'s line.
pub(crate) fn indentation(text: &[u8], offset: usize) -> String {
    let start = line_start(text, offset);
    text[start..].iter().take_while(|b| is_blank(**b)).map(|&b| char::from(b)).collect()
}

/// The rest of a line holds nothing but blanks and a comment that ends with the line.
pub(crate) fn only_comment(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii();
    if rest.is_empty() {
        return true;
    }
    if rest.starts_with(b"//") {
        return !rest.ends_with(b"\\");
    }
    rest.starts_with(b"/*")
        && rest[2..].windows(2).position(|w| w == b"*/").is_some_and(|p| p + 4 == rest.len())
}

/// Offset of the last byte before `offset` that is neither white space nor in a comment, if there is one.
///
/// Lines are lexed one by one: a `//` inside a string of the same line is not mistaken for a comment.
pub(crate) fn previous_code(text: &[u8], offset: usize) -> Option<usize> {
    let mut end = offset.min(text.len());
    loop {
        end = text[..end].trim_ascii_end().len();
        if end == 0 {
            return None;
        }
        if text[..end].ends_with(b"*/") {
            end = text[..end - 2].windows(2).rposition(|w| w == b"/*")?;
            continue;
        }
        let start = line_start(text, end - 1);
        match line_comment(&text[start..end]) {
            Some(comment) => end = start + comment,
            None => return Some(end - 1),
        }
    }
}

/// Where a `//` comment starts in one line, outside strings and character constants.
fn line_comment(line: &[u8]) -> Option<usize> {
    let mut quote = None;
    let mut index = 0;
    while index < line.len() {
        match (line[index], quote) {
            (b'\\', Some(_)) => index += 1,
            (byte, Some(open)) if byte == open => quote = None,
            (b'"' | b'\'', None) => quote = Some(line[index]),
            (b'/', None) if line.get(index + 1) == Some(&b'/') => return Some(index),
            _ => {}
        }
        index += 1;
    }
    None
}

/// Offset of the bracket that opens the innermost `(` around `offset`, looking back no further than a `;`, `{` or `}`.
pub(crate) fn enclosing_parenthesis(text: &[u8], offset: usize) -> Option<usize> {
    let mut depth = 0;
    for index in (0..offset.min(text.len())).rev() {
        match text[index] {
            b')' => depth += 1,
            b'(' if depth == 0 => return Some(index),
            b'(' => depth -= 1,
            b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    None
}

/// Offset of the `)` that closes the parenthesis around `offset`, in the same statement. Strings are skipped.
pub(crate) fn closing_parenthesis(text: &[u8], offset: usize) -> Option<usize> {
    let mut depth = 0;
    let mut quote = None;
    let mut index = offset;
    while index < text.len() {
        match (text[index], quote) {
            (b'\\', Some(_)) => index += 1,
            (byte, Some(open)) if byte == open => quote = None,
            (_, Some(_)) => {}
            (b'"' | b'\'', None) => quote = Some(text[index]),
            (b'(', None) => depth += 1,
            (b')', None) if depth == 0 => return Some(index),
            (b')', None) => depth -= 1,
            (b';' | b'{' | b'}', None) => return None,
            _ => {}
        }
        index += 1;
    }
    None
}

/// Names and numbers joined by member access and plain subscripts: may be repeated without changing what happens.
pub(crate) fn is_plain_lvalue(text: &str) -> bool {
    let mut bytes = text.bytes().peekable();
    let starts_well =
        text.bytes().next().is_some_and(|b| b.is_ascii_alphabetic() || b == b'_' || b == b':');
    while let Some(byte) = bytes.next() {
        let member = byte == b'-' && bytes.peek() == Some(&b'>');
        if member {
            bytes.next();
        } else if !(is_word(byte) || matches!(byte, b'.' | b'[' | b']' | b':')) {
            return false;
        }
    }
    starts_well
}

/// `text` as an operand of `*`.
pub(crate) fn factor(text: &str) -> String {
    let plain = text.bytes().all(|b| is_word(b) || b == b'.');
    let call = text.strip_suffix(')').is_some_and(|head| {
        head.split_once('(').is_some_and(|(name, rest)| {
            !name.is_empty() && name.bytes().all(is_word) && !rest.contains([')', '('])
        })
    });
    if plain || call { text.to_owned() } else { format!("({text})") }
}

/// Identifiers of `text`.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty())
}

/// What `(void **)&d`, `reinterpret_cast<void **>(&d)` or `&d` is the address of: `d`.
pub(crate) fn pointed_at(argument: &str) -> Option<&str> {
    let mut rest = argument.trim();
    loop {
        if let Some(inner) = rest.strip_prefix('&') {
            let inner = inner.trim();
            let inner =
                inner.strip_prefix('(').and_then(|i| i.strip_suffix(')')).map_or(inner, str::trim);
            return is_plain_lvalue(inner).then_some(inner);
        }
        let after_named_cast = ["reinterpret_cast", "static_cast"].iter().find_map(|name| {
            let after = rest.strip_prefix(name)?.trim_start().strip_prefix('<')?;
            Some(after.split_once('>')?.1.trim())
        });
        if let Some(operand) = after_named_cast {
            rest = operand.strip_prefix('(')?.strip_suffix(')')?.trim();
            continue;
        }
        let (cast, operand) = rest.strip_prefix('(')?.split_once(')')?;
        if operand.is_empty() {
            rest = cast.trim();
        } else if cast.contains('*')
            && cast.bytes().all(|b| is_word(b) || matches!(b, b'*' | b' ' | b':'))
        {
            rest = operand.trim();
        } else {
            return None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_an_address_argument_points_at() {
        for (argument, target) in [
            ("&d", Some("d")),
            ("(void**)&d", Some("d")),
            ("(void **) &s->d[2]", Some("s->d[2]")),
            ("reinterpret_cast<void **>(&d)", Some("d")),
            ("(void**)(&d)", Some("d")),
            ("(void**)&(d)", Some("d")),
            ("(&d)", Some("d")),
            ("out", None),
            ("(void**)out", None),
            ("&d[i++]", None),
            ("&*f()", None),
        ] {
            assert_eq!(pointed_at(argument), target, "{argument}");
        }
    }

    #[test]
    fn skips_comments_backwards() {
        let before = |text: &str| {
            previous_code(text.as_bytes(), text.len()).map(|p| char::from(text.as_bytes()[p]))
        };
        assert_eq!(before("a; // b;\n  "), Some(';'));
        assert_eq!(before("f(\"//\") /* x */ "), Some(')'));
        assert_eq!(before("  // only\n"), None);
    }

    #[test]
    fn parenthesises_what_needs_it() {
        assert_eq!(factor("n"), "n");
        assert_eq!(factor("sizeof(float)"), "sizeof(float)");
        assert_eq!(factor("a + b"), "(a + b)");
        assert_eq!(factor("(a)+(b)"), "((a)+(b))");
    }
}
