//! Pieces of LLVM's textual IR.

/// Splits at commas outside brackets and strings.
pub(crate) fn split_commas(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quoted) = (0_usize, 0, false);
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    let last = text[start..].trim();
    if !last.is_empty() {
        parts.push(last);
    }
    parts
}

/// The text inside the bracket that `text` begins with, and what follows it.
pub(crate) fn bracketed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_usize;
    let mut quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'(' | b'[' | b'{' | b'<' => depth += 1,
            b')' | b']' | b'}' | b'>' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some((&text[1..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
        if depth == 0 {
            return None;
        }
    }
    None
}

/// A type at the start of `text`, and what follows it.
pub(crate) fn leading_type(text: &str) -> Option<(&str, &str)> {
    match text.bytes().next()? {
        b'[' | b'{' | b'<' => {
            let (_, rest) = bracketed(text)?;
            Some((&text[..text.len() - rest.len()], rest))
        }
        b'%' if text[1..].starts_with('"') => {
            let end = text[2..].find('"')? + 3;
            Some((&text[..end], &text[end..]))
        }
        _ => {
            let end = text.find([' ', ',', ')']).unwrap_or(text.len());
            (end > 0).then(|| (&text[..end], &text[end..]))
        }
    }
}

/// The name after `@` or `%` at the start of `text`, without quotes, and what follows it.
pub(crate) fn leading_name(text: &str) -> Option<(&str, &str)> {
    let text = text.strip_prefix(['@', '%'])?;
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')?;
        return Some((&quoted[..end], &quoted[end + 1..]));
    }
    let plain = |byte: char| byte.is_ascii_alphanumeric() || matches!(byte, '_' | '.' | '$' | '-');
    let end = text.find(|byte| !plain(byte)).unwrap_or(text.len());
    Some((&text[..end], &text[end..]))
}

/// Bytes of a type, as a constant of IR.
pub(crate) fn size_of(ty: &str, integer: &str) -> String {
    format!("ptrtoint (ptr getelementptr ({ty}, ptr null, i32 1) to {integer})")
}

/// Value of `key: value` in a metadata node.
pub(crate) fn field<'a>(node: &'a str, key: &str) -> Option<&'a str> {
    let start = node.find(&format!("{key}: "))? + key.len() + 2;
    let value = &node[start..];
    if let Some(quoted) = value.strip_prefix('"') {
        return quoted.find('"').map(|end| &quoted[..end]);
    }
    let end = value.find([',', ')']).unwrap_or(value.len());
    Some(value[..end].trim())
}
