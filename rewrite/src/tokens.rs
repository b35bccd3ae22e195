//! The tokens of C++ text, as far as names and brackets go.

use crate::text::is_word;

/// A token that is not white space, a comment or a literal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'t> {
    /// First byte.
    pub(crate) start: usize,
    /// The name, or one punctuation character (two for `->` and `::`).
    pub(crate) text: &'t [u8],
    /// Part of a preprocessor directive.
    pub(crate) directive: bool,
}

impl Token<'_> {
    /// One past the last byte.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// A name or a keyword.
    pub(crate) fn is_name(&self) -> bool {
        self.text.first().is_some_and(|&byte| is_word(byte) || byte >= 0x80)
    }
}

/// The tokens of `text[from..to]`, which starts outside literals and comments. `None` where the text is spliced or
/// written with alternative tokens outside directives, so that a name may not look like itself.
pub(crate) fn tokens(text: &[u8], from: usize, to: usize) -> Option<Vec<Token<'_>>> {
    let text = text.get(..to)?;
    let mut tokens = Vec::new();
    let (mut at, mut line_start, mut directive) = (from, false, false);
    while at < text.len() {
        let rest = &text[at..];
        let byte = rest[0];
        if byte == b'\n' {
            (line_start, directive) = (true, false);
            at += 1;
        } else if byte.is_ascii_whitespace() {
            at += 1;
        } else if rest.starts_with(b"//") {
            at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
        } else if rest.starts_with(b"/*") {
            at += rest.windows(2).skip(2).position(|w| w == b"*/")? + 4;
        } else if byte == b'\\' {
            // A splice, which only directives need.
            if !directive {
                return None;
            }
            at += 1 + rest[1..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        } else if byte == b'#' && line_start {
            directive = true;
            at += 1;
        } else if rest.starts_with(b"<%") || rest.starts_with(b"%>") || rest.starts_with(b"%:") {
            return None;
        } else {
            line_start = false;
            at += match byte {
                b'"' | b'\'' => quoted(rest)?,
                b'0'..=b'9' => number(rest),
                _ if is_word(byte) || byte >= 0x80 => {
                    let length = rest.iter().take_while(|&&b| is_word(b) || b >= 0x80).count();
                    let raw = matches!(&rest[..length], b"R" | b"LR" | b"uR" | b"UR" | b"u8R");
                    if raw && rest.get(length) == Some(&b'"') {
                        length + raw_string(&rest[length..])?
                    } else {
                        let text = &rest[..length];
                        tokens.push(Token { start: at, text, directive });
                        length
                    }
                }
                _ => {
                    let double = rest.starts_with(b"->") || rest.starts_with(b"::");
                    let text = &rest[..1 + usize::from(double)];
                    tokens.push(Token { start: at, text, directive });
                    text.len()
                }
            };
        }
        if !matches!(byte, b'\n' | b' ' | b'\t' | b'\r') {
            line_start = false;
        }
    }
    Some(tokens)
}

/// Length of a string or character constant, which ends on its line.
fn quoted(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *rest.get(at)? != rest[0] {
        if rest[at] == b'\n' {
            return None;
        }
        at += 1 + usize::from(rest[at] == b'\\');
    }
    Some(at + 1)
}

/// Length of `"delimiter(...)delimiter"`.
fn raw_string(rest: &[u8]) -> Option<usize> {
    let open = rest.iter().position(|&b| b == b'(')?;
    let close = [b")", &rest[1..open], b"\""].concat();
    rest.windows(close.len()).position(|w| w == close).map(|at| at + close.len())
}

/// Length of a number, with its suffix, exponent and digit separators.
fn number(rest: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = rest.get(at) {
        let sign = matches!(byte, b'+' | b'-') && matches!(rest[at - 1], b'e' | b'E' | b'p' | b'P');
        let separator = byte == b'\'' && rest.get(at + 1).is_some_and(|&b| is_word(b));
        if !(is_word(byte) || byte == b'.' || sign || separator) {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Option<Vec<String>> {
        let tokens = tokens(text.as_bytes(), 0, text.len())?;
        let names = tokens.iter().filter(|token| token.is_name());
        Some(names.map(|token| String::from_utf8_lossy(token.text).into_owned()).collect())
    }

    #[test]
    fn literals_and_comments_hold_no_names() {
        let found =
            names("a = \"d\\\"d\" + 'd' + 0x1d + 1e+5 + 1'0; // d\n /* d */ b(R\"x(d)\")x\", c);");
        assert_eq!(found.expect("lexed"), ["a", "b", "c"]);
    }

    #[test]
    fn directives_are_marked() {
        let text = "x;\n#pragma omp \\\n  private(d)\ny;\n";
        let found = tokens(text.as_bytes(), 0, text.len()).expect("lexed");
        let marked: Vec<&[u8]> =
            found.iter().filter(|t| t.directive && t.is_name()).map(|t| t.text).collect();
        assert_eq!(marked, [&b"pragma"[..], b"omp", b"private", b"d"]);
        assert!(found.iter().any(|t| t.text == b"y" && !t.directive));
    }

    #[test]
    fn spliced_text_is_refused() {
        assert_eq!(names("int d\\\n1;"), None);
        assert_eq!(names("int a<:2:>; %:define d"), None);
    }
}
