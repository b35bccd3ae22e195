//! Words in text that the grammar leaves unparsed: the replacement text of macros.

/// One word and whether an opening parenthesis follows it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Word<'a> {
    /// The identifier.
    pub(super) text: &'a str,
    /// Byte offset in the given text.
    pub(super) start: usize,
    /// The next character that is not white space is `(`.
    pub(super) called: bool,
    /// It follows `.` or `->`, so it names a member.
    pub(super) member: bool,
}

/// Identifiers of a macro body, without those in comments, strings and character literals.
pub(super) fn words(text: &[u8]) -> Vec<Word<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut previous = 0_u8;
    while at < text.len() {
        match text[at] {
            b'/' if text[at..].starts_with(b"//") => {
                // A line comment ends the macro unless the line is continued; the grammar keeps both in one node.
                at = end_of_line(text, at);
            }
            b'/' if text[at..].starts_with(b"/*") => {
                at =
                    memchr::memmem::find(&text[at..], b"*/").map_or(text.len(), |end| at + end + 2);
            }
            quote @ (b'"' | b'\'') => at = end_of_quote(text, at, quote),
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let end = text[at..]
                    .iter()
                    .position(|&b| !(b.is_ascii_alphanumeric() || b == b'_'))
                    .map_or(text.len(), |length| at + length);
                if let Ok(word) = std::str::from_utf8(&text[at..end]) {
                    let next = text[end..].iter().find(|b| !b" \t\\\r\n".contains(b));
                    let member = previous == b'.' || previous == b'>';
                    found.push(Word { text: word, start: at, called: next == Some(&b'('), member });
                }
                previous = b'w';
                at = end;
            }
            byte => {
                if !byte.is_ascii_whitespace() {
                    previous = byte;
                }
                at += 1;
            }
        }
    }
    found
}

fn end_of_line(text: &[u8], from: usize) -> usize {
    let mut at = from;
    loop {
        match memchr::memchr(b'\n', &text[at..]) {
            None => return text.len(),
            Some(end) if text[..at + end].ends_with(b"\\") => at += end + 1,
            Some(end) => return at + end + 1,
        }
    }
}

fn end_of_quote(text: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < text.len() {
        match text[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_not_words() {
        let text = br#"do { cudaMalloc (p, n); /* malloc( */ log("cudaMemcpy("); a.malloc(1); } // calloc("#;
        let called: Vec<_> =
            words(text).into_iter().filter(|w| w.called).map(|w| (w.text, w.member)).collect();
        assert_eq!(called, [("cudaMalloc", false), ("log", false), ("malloc", true)]);
    }

    #[test]
    fn unterminated_text_ends() {
        for text in [&b"\"abc"[..], b"/* abc", b"'\\", b"// x\\\n"] {
            assert!(words(text).is_empty());
        }
    }
}
