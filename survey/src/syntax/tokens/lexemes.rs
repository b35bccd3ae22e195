//! Where comments, literals, logical lines and dead text end.

/// Part of a word (identifier, keyword or number).
pub(super) fn is_word(byte: u8) -> bool {
    WORD[usize::from(byte)]
}

/// [`is_word`] as a table: it is asked for nearly every byte.
const WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    loop {
        table[byte as usize] =
            byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80;
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// End of the logical line, continuations included.
pub(super) fn line_end(text: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(length) = memchr::memchr(b'\n', &text[at..]) {
        let line = &text[from..at + length];
        if !line.ends_with(b"\\") && !line.ends_with(b"\\\r") {
            return at + length;
        }
        at += length + 1;
    }
    text.len()
}

/// End of the comment that starts at `from` (two bytes of it are there).
pub(super) fn comment_end(text: &[u8], from: usize) -> usize {
    if text[from + 1] == b'/' {
        return line_end(text, from);
    }
    memchr::memmem::find(&text[from + 2..], b"*/").map_or(text.len(), |end| from + 2 + end + 2)
}

/// End of a string or character literal; `None` when it does not end on its line.
pub(super) fn quote_end(text: &[u8], from: usize) -> Option<usize> {
    let quote = text[from];
    let mut at = from + 1;
    loop {
        match *text.get(at)? {
            b'\\' if text.get(at + 1) != Some(&b'\n') => at += 2,
            b'\n' | b'\\' => return None,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
}

/// Longest delimiter of a raw string that the language allows.
const RAW_DELIMITER: usize = 16;

/// End of the raw string whose quote is at `from`; `None` when it has no end.
pub(super) fn raw_string_end(text: &[u8], from: usize) -> Option<usize> {
    let rest = &text[from + 1..];
    let open = rest.iter().take(RAW_DELIMITER + 1).position(|&byte| byte == b'(')?;
    let close = [&b")"[..], &rest[..open], b"\""].concat();
    let end = memchr::memmem::find(&rest[open..], &close)?;
    Some(from + 1 + open + end + close.len())
}

/// The `#` of the directive that ends the group of `#if 0`, whose line ends at `from`. `None` when there is none, or
/// when something in the group is no token of the language (an apostrophe in plain words).
pub(super) fn dead_end(text: &[u8], from: usize) -> Option<usize> {
    let (mut at, mut level, mut fresh_line) = (from, 0_u32, false);
    loop {
        match *text.get(at)? {
            b'\n' => {
                fresh_line = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' if fresh_line => {
                let end = line_end(text, at);
                let name = text[at + 1..end].trim_ascii_start();
                if name.starts_with(b"if") {
                    level += 1;
                } else if level == 0 && (name.starts_with(b"el") || name.starts_with(b"endif")) {
                    return Some(at);
                } else if name.starts_with(b"endif") {
                    level -= 1;
                }
                if memchr::memmem::find(name, b"/*").is_some() {
                    return None;
                }
                at = end;
            }
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(text, at);
                continue;
            }
            b'"' if text[..at].ends_with(b"R") => return None,
            b'"' | b'\'' => at = quote_end(text, at)?,
            _ => at += 1,
        }
        fresh_line = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_strings_end_at_their_own_delimiter() {
        let text = br#"R"x(a)" )x" b"#;
        assert_eq!(raw_string_end(text, 1), Some(11));
        assert_eq!(raw_string_end(br#"R"x(a)""#, 1), None);
        assert_eq!(raw_string_end(br#"R"no parenthesis here, ever""#, 1), None);
    }

    #[test]
    fn dead_text_ends_at_its_own_directive() {
        let end = |text: &str| dead_end(text.as_bytes(), 0).map(|at| text[at..].to_owned());
        assert_eq!(end("\n#if X\n#else\n#endif\n#else\ny").as_deref(), Some("#else\ny"));
        assert_eq!(end("\n/*\n#endif\n*/ a # b\n # endif").as_deref(), Some("# endif"));
        assert_eq!(end("\ndon't\n#endif"), None);
        assert_eq!(end("\nx"), None);
    }
}
