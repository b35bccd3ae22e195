//! What a `new` expression makes, read from its text: libclang does not say, and in an instantiation of a template the
//! range it gives ends before the brackets.

use crate::source_text::FileText;

/// What a `new` makes. Offsets are bytes of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewShape {
    /// `new T[n]`.
    Array {
        /// Of the first `[`.
        bracket: u32,
        /// Of the last `]`.
        close: u32,
        /// What follows the brackets.
        initializer: NewInitializer,
        /// One past the whole expression.
        end: u32,
    },
    /// One object.
    Object,
}

/// The initialiser of a `new T[n]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NewInitializer {
    /// None: indeterminate elements.
    None,
    /// `()` or `{}`: zeros.
    Empty,
    /// Values.
    Values,
}

/// The shape of the `new` at `start`; `None` for a placement `new` other than `(nothrow)`.
pub(super) fn new_shape(text: &FileText, start: u32) -> Option<NewShape> {
    let mut at = start;
    if text.slice(at, at + 2) == b"::" {
        at += 2;
    }
    at += 3;
    if let (open, b'(') = text.next_code(at)? {
        let (close, _) = group_end(text, open)?;
        let inside = text.slice(open + 1, close).trim_ascii();
        if !matches!(inside, b"nothrow" | b"std::nothrow" | b"::std::nothrow") {
            return None;
        }
        at = close + 1;
    }
    let mut angle = 0i32;
    let bracket = loop {
        let (offset, byte) = text.next_code(at)?;
        at = offset + 1;
        match byte {
            b'<' => angle += 1,
            b'>' => angle -= 1,
            // `new decltype(x)[n]`
            b'(' if angle > 0 || names_type(text.slice(start, offset)) => {
                at = group_end(text, offset)?.0 + 1
            }
            b'[' if angle <= 0 => break offset,
            b'(' | b'{' if angle <= 0 => return Some(NewShape::Object),
            b';' | b')' | b'}' | b']' | b'=' | b'?' => return Some(NewShape::Object),
            b',' if angle <= 0 => return Some(NewShape::Object),
            _ => {}
        }
    };
    // `new T[a][b]`: the following brackets belong to the element type.
    let (mut close, mut next) = group_end(text, bracket)?;
    while let Some((open, b'[')) = next {
        (close, next) = group_end(text, open)?;
    }
    let (initializer, end) = match next {
        Some((open, b'(' | b'{')) => {
            let (last, _) = group_end(text, open)?;
            let empty = text.slice(open + 1, last).trim_ascii().is_empty();
            (if empty { NewInitializer::Empty } else { NewInitializer::Values }, last + 1)
        }
        _ => (NewInitializer::None, close + 1),
    };
    Some(NewShape::Array { bracket, close, initializer, end })
}

/// Whether the text ends with a word whose brackets hold the name of a type.
fn names_type(before: &[u8]) -> bool {
    let before = before.trim_ascii_end();
    [&b"decltype"[..], b"typeof", b"__typeof__", b"__typeof", b"__decltype", b"_Atomic"]
        .iter()
        .any(|word| before.ends_with(word))
}

/// The offset of the bracket that closes the one at `open`, and the next code byte after it.
#[allow(clippy::type_complexity, reason = "an offset, and an offset with its byte")]
fn group_end(text: &FileText, open: u32) -> Option<(u32, Option<(u32, u8)>)> {
    let mut depth = 0;
    let mut at = open;
    loop {
        let (offset, byte) = text.next_code(at)?;
        at = offset + 1;
        match byte {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => {
                depth -= 1;
                if depth == 0 {
                    return Some((offset, text.next_code(at)));
                }
            }
            _ => {}
        }
    }
}
