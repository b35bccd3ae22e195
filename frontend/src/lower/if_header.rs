//! The header of an `if`: libclang lists an expression before the `;` like any other part.

use crate::clang::Cursor;

use super::body::Body;

impl Body<'_, '_> {
    /// Whether the first of the `parts` of an `if` is an expression that runs before its condition: `if (f(); x)`. `None`
    /// where that cannot be told.
    pub(super) fn starts_with_expression(&self, cursor: Cursor, parts: &[Cursor]) -> Option<bool> {
        let [first, second, ..] = parts else { return Some(false) };
        // `if (a; b) c`, or `if (a) b; else c`.
        if !first.is_expression() || !second.is_expression() || parts.len() < 3 {
            return Some(false);
        }
        let (start, _) = cursor.spelled_range();
        let text = self.unit.text_of(start.file)?;
        let own = if text.in_define(start.offset) {
            let (_, end) =
                text.directives().find(|(from, to)| (*from..*to).contains(&start.offset))?;
            holds_semicolon(text.slice(start.offset, end))?
        } else {
            !text.header(start.offset)?.0.is_empty()
        };
        if own {
            return Some(true);
        }
        // The `;` may be in an argument of a macro.
        let (_, end) = first.spelled_range();
        let (begin, _) = second.spelled_range();
        let between = self.unit.text_of(end.file).filter(|_| end.file == begin.file);
        Some(between.is_some_and(|text| {
            end.offset <= begin.offset && text.slice(end.offset, begin.offset).trim_ascii() == b";"
        }))
    }
}

/// Whether there is a `;` between the first parentheses in the text; `None` if they do not close in it.
fn holds_semicolon(text: &[u8]) -> Option<bool> {
    let mut depth = 0u32;
    let mut found = false;
    let mut quote = None;
    let mut bytes = text.iter().copied();
    while let Some(byte) = bytes.next() {
        match (quote, byte) {
            (Some(_), b'\\') => {
                bytes.next();
            }
            (Some(open), _) if open == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(' | b'[' | b'{') => depth += 1,
            (None, b')' | b']' | b'}') => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(found);
                }
            }
            (None, b';') => found |= depth == 1,
            (None, _) => {}
        }
    }
    None
}
