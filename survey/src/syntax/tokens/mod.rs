//! Facts from tokens alone, where they are the same as the grammar's.
//!
//! Nineteen of twenty files that name a CUDA memory call cannot contain a linked pair: an ingredient is missing, or no
//! copy names one buffer of each kind ([`ends`]). For those only occurrences matter, and a tokenizer that knows
//! comments, strings and directives finds them sixty times faster than a parser. It gives up (`None`: ask the
//! grammar) wherever a token could mean two things: a possible declaration, a constant condition other than `#if 0`,
//! a macro body with a name of interest, an unusual argument.

mod arguments;
mod ends;
mod lexemes;

use arguments::arguments;
use ends::Ends;
use lexemes::{comment_end, dead_end, is_word, line_end, quote_end, raw_string_end};

use super::words::words;
use crate::api::{CopyShape, Name, Signal, lookup};
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
        statement: 0,
        ends: Ends::default(),
    };
    tokens.run()?;
    let Tokens { mut facts, kind_mentioned, undirected, ends, .. } = tokens;
    facts.close(kind_mentioned, &undirected);
    (!ends.may_meet()).then_some(facts)
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
    /// Where the current statement begins, or a place before.
    statement: usize,
    ends: Ends<'t>,
}

impl<'t> Tokens<'t> {
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
        let off = conditional.map(<[u8]>::trim_ascii).filter(|text| text.first() == Some(&b'0'));
        let open_comment = memchr::memmem::rfind(body, b"/*")
            .is_some_and(|open| memchr::memmem::find(&body[open..], b"*/").is_none());
        if open_comment {
            return None;
        }
        if let Some(condition) = off {
            let nothing_else =
                condition.len() == 1 || condition[1..].trim_ascii().starts_with(b"//");
            if !nothing_else || trimmed.starts_with(b"elif") {
                return None;
            }
            let end = dead_end(self.text, end)?;
            self.skip_to(end);
            self.before = Before::Other;
            return Some(());
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
        if matches!(byte, b';' | b'{' | b'}') {
            self.statement = self.at;
        }
    }

    fn word(&mut self) -> Option<()> {
        let start = self.at;
        let rest = &self.text[start..];
        let end = start + rest.iter().position(|&byte| !is_word(byte)).unwrap_or(rest.len());
        let word = &self.text[start..end];
        self.at = end;
        if self.text.get(end) == Some(&b'"') && word.ends_with(b"R") {
            let end = raw_string_end(self.text, end)?;
            self.skip_to(end);
            self.before = Before::Other;
            return Some(());
        }
        let before = std::mem::replace(&mut self.before, Before::Word);
        match word {
            b"return" | b"else" | b"do" | b"case" | b"throw" | b"delete" | b"sizeof" | b"and"
            | b"or" | b"not" | b"co_return" | b"co_await" | b"co_yield" => {
                self.before = Before::Keyword
            }
            b"operator" => self.before = Before::Operator,
            b"new" => self.new_expression(before, start)?,
            b"std" if self.text[end..].starts_with(b"::") => {
                if matches!(before, Before::Qualified | Before::Member) {
                    return Some(());
                }
                self.at = end + 2;
                self.before = Before::Std;
            }
            _ => {
                if let Some(name) = meaning(word) {
                    self.named(name, before, start, end)?;
                }
            }
        }
        Some(())
    }

    fn named(&mut self, name: Name, before: Before, start: usize, end: usize) -> Option<()> {
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
            Name::Call(signal) => {
                self.facts.see(signal, line);
                if signal == Signal::DeviceAllocation {
                    self.ends.device(arguments(&rest[open..])?.first);
                }
            }
            Name::Malloc | Name::Calloc => {
                self.facts.see(Signal::HostArray, line);
                self.ends.host(&self.text[self.statement..start]);
            }
            Name::Copy(shape) => {
                self.facts.has_copy_call = true;
                let arguments = arguments(&rest[open..])?;
                if arguments.directed {
                    self.facts.literal_direction = true;
                    self.facts.see(Signal::ExplicitCopy, line);
                    if let CopyShape::Linear { .. } = shape {
                        self.ends.copy(arguments.first, arguments.second);
                    }
                } else {
                    self.undirected.push(line);
                }
            }
            Name::Kind(_) | Name::Mention(_) => {}
        }
        Some(())
    }

    fn new_expression(&mut self, before: Before, start: usize) -> Option<()> {
        match before {
            Before::Operator | Before::Member => return Some(()),
            Before::Word | Before::Qualified | Before::Global | Before::Std => return None,
            Before::Keyword | Before::Star | Before::Other => {}
        }
        let mut rest = self.text[self.at..].trim_ascii_start();
        for nothrow in [&b"(std::nothrow)"[..], b"(nothrow)"] {
            rest = rest.strip_prefix(nothrow).unwrap_or(rest).trim_ascii_start();
        }
        let end = type_end(rest).filter(|&end| end > 0)?;
        match *rest.get(end)? {
            b'[' => {
                self.facts.see(Signal::HostArray, self.line);
                self.ends.host(&self.text[self.statement..start]);
            }
            b'(' | b'{' | b';' | b',' | b')' | b'}' => {
                self.facts.see(Signal::HostObject, self.line)
            }
            _ => return None,
        }
        Some(())
    }
}

/// The meaning of a word. Few words begin like a name of the table, so most are dismissed by their first byte.
fn meaning(word: &[u8]) -> Option<Name> {
    if word.len() < "malloc".len() || !b"cm_NEC".contains(&word[0]) {
        return None;
    }
    lookup(std::str::from_utf8(word).ok()?)
}

/// Length of the type at the start of `text`, template arguments included where they are types and numbers.
fn type_end(text: &[u8]) -> Option<usize> {
    let mut open = 0_u32;
    text.iter()
        .position(|&byte| match byte {
            b'<' => {
                open += 1;
                false
            }
            b'>' if open > 0 => {
                open -= 1;
                false
            }
            b',' | b'-' | b'&' => open == 0,
            b':' | b'*' => false,
            _ => !(is_word(byte) || byte.is_ascii_whitespace()),
        })
        .filter(|_| open == 0)
}
