//! The arguments of a call, as far as a copy or an allocation needs them.

use super::lexemes::{comment_end, is_word, quote_end};
use crate::api::Name;

/// What the arguments of a call say.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Arguments<'t> {
    /// A direction is an argument of its own or an end of `cond ? a : b`.
    pub(super) directed: bool,
    /// Text of the first argument; of all where they cannot be told apart.
    pub(super) first: &'t [u8],
    /// Text of the second argument, likewise.
    pub(super) second: &'t [u8],
}

/// Reads the arguments (text from the opening parenthesis). `None` when they do not end, or name a direction in an
/// unusual place.
pub(super) fn arguments(text: &[u8]) -> Option<Arguments<'_>> {
    let (mut at, mut depth, mut directed, mut before) = (0_usize, 0_u32, false, b'(');
    // Commas of the call itself, and whether one of them may belong to template arguments.
    let (mut commas, mut angles, mut unsure) = (Vec::new(), 0_u32, false);
    while let Some(&byte) = text.get(at) {
        match byte {
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'#' => return None,
            b'/' if matches!(text.get(at + 1), Some(b'/' | b'*')) => {
                at = comment_end(text, at);
                continue;
            }
            b'"' | b'\'' => at = quote_end(text, at)?,
            _ if is_word(byte) => {
                let length = text[at..].iter().take_while(|&&byte| is_word(byte)).count();
                let word = &text[at..at + length];
                at += length;
                if let Some(Name::Kind(_)) = super::meaning(word) {
                    let after = text[at..].trim_ascii_start().first().copied()?;
                    if depth != 1 || !b",(?:".contains(&before) || !b",):".contains(&after) {
                        return None;
                    }
                    directed = true;
                }
                before = b'w';
                continue;
            }
            b'(' | b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b')' | b']' | b'}' => {
                depth = depth.checked_sub(1)?;
                at += 1;
                if depth == 0 {
                    return Some(split(&text[1..at - 1], &commas, unsure, directed));
                }
            }
            b';' => return None,
            b',' => {
                if depth == 1 && commas.len() < 2 {
                    commas.push(at - 1);
                    unsure |= angles > 0;
                }
                at += 1;
            }
            b'<' => {
                angles += 1;
                at += 1;
            }
            b'>' => {
                angles -= u32::from(angles > 0 && before != b'-');
                at += 1;
            }
            _ => at += 1,
        }
        before = byte;
    }
    None
}

fn split<'t>(whole: &'t [u8], commas: &[usize], unsure: bool, directed: bool) -> Arguments<'t> {
    let (first, second) = match *commas {
        _ if unsure => (whole, whole),
        [] => (whole, &whole[..0]),
        [one] => (&whole[..one], &whole[one + 1..]),
        [one, two, ..] => (&whole[..one], &whole[one + 1..two]),
    };
    Arguments { directed, first, second }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_two_arguments() {
        let read = |text: &'static str| {
            let Arguments { first, second, directed } = arguments(text.as_bytes()).unwrap();
            (str::from_utf8(first).unwrap(), str::from_utf8(second).unwrap(), directed)
        };
        assert_eq!(read("(d, f(a, b), n, cudaMemcpyHostToDevice);"), ("d", " f(a, b)", true));
        assert_eq!(read("((void**)&d /* , */, n)"), ("(void**)&d /* , */", " n", false));
        assert_eq!(read("(d)"), ("d", "", false));
        assert_eq!(read("(c<a, b>(d), h)").0, "c<a, b>(d), h", "the comma may be a template's");
        assert_eq!(read("(p->d, h, n)"), ("p->d", " h", false));
        for odd in ["(a; b)", "(a", "(f(cudaMemcpyHostToDevice))", "(\n#if X\n a)"] {
            assert_eq!(arguments(odd.as_bytes()), None, "{odd}");
        }
    }
}
