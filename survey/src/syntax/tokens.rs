//! Facts from tokens alone, where they are the same as the grammar's.
//!
//! Four of five files that name a CUDA memory call cannot contain a linked pair, because one of the three ingredients
//! is missing. For those only occurrences matter, and a tokenizer that knows comments, strings and directives finds
//! them thirty times faster than a parser. It gives up (`None`: ask the grammar) wherever a token could mean two
//! things: a possible declaration, a raw string, `#if 0`, a macro body with a name of interest, an unusual argument.

use super::words::words;
use crate::api::{Name, Signal, lookup};
use crate::facts::FileFacts;

/// What came before a word, as far as it decides whether the word can be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Before {
    /// A name or a type: `T malloc(…)` may declare it.
    Word,
    /// `return` and other words that an expression may follow.
    Keyword,
    /// `operator`
    Operator,
    /// `.` or `->`
    Member,
    /// `::` at the start of a name.
    Global,
    /// `std::`
    Std,
    /// Any other qualification.
    Qualified,
    /// `*` or `&`, of a declarator or an expression.
    Star,
    /// Anything else.
    Other,
}

/// Facts of a file, or `None` when only the grammar can tell.
pub(super) fn token_facts(text: &[u8]) -> Option<FileFacts> {
    let mut tokens = Tokens {
        text,
        at: 0,
        line: 1,
        fresh_line: true,
        before: Before::Other,
        facts: FileFacts::default(),
        kind_mentioned: false,
        undirected: Vec::new(),
    };
    tokens.run()?;
    let Tokens { mut facts, kind_mentioned, undirected, .. } = tokens;
    facts.close(kind_mentioned, &undirected);
    let may_link = facts.is_candidate(true);
    (!may_link).then_some(facts)
}

struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
    /// Only white space since the last line end.
    fresh_line: bool,
    before: Before,
    facts: FileFacts,
    kind_mentioned: bool,
    undirected: Vec<u32>,
}

impl Tokens<'_> {
    fn run(&mut self) -> Option<()> {
        while let Some(&byte) = self.text.get(self.at) {
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.fresh_line = true;
                    self.at += 1;
                    continue;
                }
                b' ' | b'\t' | b'\r' | b'\\' | b'\x0b' | b'\x0c' => {
                    self.at += 1;
                    continue;
                }
                b'#' if self.fresh_line => self.directive()?,
                b'/' if matches!(self.text.get(self.at + 1), Some(b'/' | b'*')) => {
                    let end = comment_end(self.text, self.at);
                    self.skip_to(end);
                    continue;
                }
                b'"' | b'\'' => {
                    self.at = quote_end(self.text, self.at)?;
                    self.before = Before::Other;
                }
                b'0'..=b'9' => self.number(),
                _ if is_word(byte) => self.word()?,
                _ => self.punctuation(byte),
            }
            self.fresh_line = false;
        }
        Some(())
    }

    /// Moves on, counting lines.
    fn skip_to(&mut self, end: usize) {
        let lines = memchr::memchr_iter(b'\n', &self.text[self.at..end]).count();
        self.line = self.line.saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        self.at = end;
    }

    fn directive(&mut self) -> Option<()> {
        let end = line_end(self.text, self.at);
        let body = &self.text[self.at + 1..end];
        let trimmed = body.trim_ascii();
        let conditional = trimmed.strip_prefix(b"if").or_else(|| trimmed.strip_prefix(b"elif"));
        let off =
            conditional.is_some_and(|condition| condition.trim_ascii().first() == Some(&b'0'));
        let open_comment = memchr::memmem::rfind(body, b"/*")
            .is_some_and(|open| memchr::memmem::find(&body[open..], b"*/").is_none());
        if off || open_comment {
            return None;
        }
        if !trimmed.starts_with(b"include")
            && words(body).iter().any(|word| word.text == "new" || lookup(word.text).is_some())
        {
            return None;
        }
        self.skip_to(end);
        self.before = Before::Other;
        Some(())
    }

    fn number(&mut self) {
        let rest = &self.text[self.at..];
        let mut length = 1;
        while let Some(&byte) = rest.get(length) {
            let separator =
                byte == b'\'' && rest.get(length + 1).is_some_and(u8::is_ascii_alphanumeric);
            if !(is_word(byte) || byte == b'.' || separator) {
                break;
            }
            length += 1;
        }
        self.at += length;
        self.before = Before::Word;
    }

    fn punctuation(&mut self, byte: u8) {
        let next = self.text.get(self.at + 1).copied();
        let (length, before) = match (byte, next) {
            (b':', Some(b':')) => {
                let after_name = self.before == Before::Word;
                (2, if after_name { Before::Qualified } else { Before::Global })
            }
            (b'-', Some(b'>')) => (2, Before::Member),
            (b'.', _) => (1, Before::Member),
            (b'&', Some(b'&')) => (2, Before::Other),
            (b'*' | b'&' | b'>' | b']', _) => (1, Before::Star),
            _ => (1, Before::Other),
        };
        self.at += length;
        self.before = before;
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        let length = self.text[start..].iter().take_while(|&&byte| is_word(byte)).count();
        let end = start + length;
        let word = &self.text[start..end];
        self.at = end;
        if self.text.get(end) == Some(&b'"') && word.ends_with(b"R") {
            return None; // a raw string
        }
        let before = std::mem::replace(&mut self.before, Before::Word);
        match word {
            b"return" | b"else" | b"do" | b"case" | b"throw" | b"delete" | b"sizeof" | b"and"
            | b"or" | b"not" | b"co_return" | b"co_await" | b"co_yield" => {
                self.before = Before::Keyword
            }
            b"operator" => self.before = Before::Operator,
            b"new" => self.new_expression(before)?,
            b"std" if self.text[end..].starts_with(b"::") => {
                if matches!(before, Before::Qualified | Before::Member) {
                    return Some(());
                }
                self.at = end + 2;
                self.before = Before::Std;
            }
            _ => {
                let name = std::str::from_utf8(word).ok().and_then(lookup);
                if let Some(name) = name {
                    self.named(name, before, end)?;
                }
            }
        }
        Some(())
    }

    fn named(&mut self, name: Name, before: Before, end: usize) -> Option<()> {
        let line = self.line;
        match name {
            Name::Mention(signal) => {
                self.facts.see(signal, line);
                return Some(());
            }
            Name::Kind(_) => {
                self.kind_mentioned = true;
                return Some(());
            }
            Name::Copy(_) | Name::Call(_) | Name::Malloc | Name::Calloc => {}
        }
        let rest = &self.text[end..];
        if rest.starts_with(b"<") && !rest.starts_with(b"<<") {
            return None;
        }
        let open = rest.iter().position(|byte| !byte.is_ascii_whitespace());
        let Some(open) = open.filter(|&open| rest[open] == b'(') else { return Some(()) };
        match before {
            Before::Member => return Some(()),
            Before::Word | Before::Star | Before::Qualified | Before::Operator => return None,
            Before::Keyword | Before::Global | Before::Std | Before::Other => {}
        }
        match name {
            Name::Call(signal) => self.facts.see(signal, line),
            Name::Malloc | Name::Calloc => self.facts.see(Signal::HostArray, line),
            Name::Copy(_) => {
                self.facts.has_copy_call = true;
                if directed(&rest[open..])? {
                    self.facts.literal_direction = true;
                    self.facts.see(Signal::ExplicitCopy, line);
                } else {
                    self.undirected.push(line);
                }
            }
            Name::Kind(_) | Name::Mention(_) => {}
        }
        Some(())
    }

    fn new_expression(&mut self, before: Before) -> Option<()> {
        match before {
            Before::Operator | Before::Member => return Some(()),
            Before::Word | Before::Qualified | Before::Global | Before::Std => return None,
            Before::Keyword | Before::Star | Before::Other => {}
        }
        let mut rest = self.text[self.at..].trim_ascii_start();
        for nothrow in [&b"(std::nothrow)"[..], b"(nothrow)"] {
            rest = rest.strip_prefix(nothrow).unwrap_or(rest).trim_ascii_start();
        }
        let end = rest
            .iter()
            .position(|&byte| {
                !(is_word(byte) || byte.is_ascii_whitespace() || b":*".contains(&byte))
            })
            .filter(|&end| end > 0)?;
        match rest[end] {
            b'[' => self.facts.see(Signal::HostArray, self.line),
            b'(' | b'{' | b';' | b',' | b')' | b'}' => {
                self.facts.see(Signal::HostObject, self.line)
            }
            _ => return None,
        }
        Some(())
    }
}

/// Whether a copy's arguments (text from the opening parenthesis) name a direction as an argument of its own or as
/// an end of `cond ? a : b`. `None` when they do so in another way.
fn directed(text: &[u8]) -> Option<bool> {
    let (mut at, mut depth, mut found, mut before) = (0_usize, 0_u32, false, b'(');
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
                let word = std::str::from_utf8(&text[at..at + length]).ok();
                at += length;
                if let Some(Name::Kind(_)) = word.and_then(lookup) {
                    let after = text[at..].trim_ascii_start().first().copied()?;
                    if depth != 1 || !b",(?:".contains(&before) || !b",):".contains(&after) {
                        return None;
                    }
                    found = true;
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
                    return Some(found);
                }
            }
            b';' => return None,
            _ => at += 1,
        }
        before = byte;
    }
    None
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// End of the logical line, continuations included.
fn line_end(text: &[u8], from: usize) -> usize {
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

fn comment_end(text: &[u8], from: usize) -> usize {
    if text[from + 1] == b'/' {
        return line_end(text, from);
    }
    memchr::memmem::find(&text[from + 2..], b"*/").map_or(text.len(), |end| from + 2 + end + 2)
}

/// End of a string or character literal; `None` when it does not end on its line.
fn quote_end(text: &[u8], from: usize) -> Option<usize> {
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
