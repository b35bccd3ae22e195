//! One statement that a proof changes, with the text around it.

use std::collections::BTreeMap;

use echo_dataflow::program::{
    CallRole, CallSyntax, CudaOperation, FileId, Program, Span, Spelling, Statement, StatementKind,
    StatementRef,
};
use echo_dataflow::target::MemoryKind;

use crate::edit::{Edit, Step};
use crate::effects::Effects;
use crate::plan::{Refusal, Style};
use crate::success::succeeds_silently;
use crate::text;

/// What the edits of one pair have in common.
pub(crate) struct Context<'p> {
    pub(crate) program: &'p Program,
    pub(crate) effects: &'p Effects,
    pub(crate) style: &'p Style,
    pub(crate) memory: MemoryKind,
    /// `&d` rather than `(void **)&d` is how this pair passes addresses to `cudaMalloc`.
    pub(crate) plain_addresses: bool,
    /// Names that change wherever they stand: file and first byte, one past the last byte and the new name.
    pub(crate) renamed: &'p Renamed,
}

/// Names that change, by file and first byte: one past the last byte, the new name.
pub(crate) type Renamed = BTreeMap<(FileId, u32), (u32, String)>;

/// A statement to change.
pub(crate) struct Site<'p> {
    pub(crate) program: &'p Program,
    pub(crate) effects: &'p Effects,
    style: &'p Style,
    renamed: &'p Renamed,
    pub(crate) at: StatementRef,
    pub(crate) syntax: &'p CallSyntax,
    pub(crate) memory: MemoryKind,
    pub(crate) step: Step,
    /// `&d` rather than `(void **)&d` is how this program passes addresses to `cudaMalloc`.
    pub(crate) plain_addresses: bool,
    /// What the call's value is used for; [`CallRole::Nested`] for everything inside a macro's argument, whose macro
    /// may use it for anything.
    pub(crate) role: CallRole,
    /// The macro or function that checks the call, if that is the whole statement.
    pub(crate) check: Option<Check>,
}

/// `CHECK(call);` or `check(call, "text");`, the whole of a statement.
pub(crate) struct Check {
    /// The statement, with its semicolon if it has one.
    pub(crate) statement: Span,
    /// It stands directly in a block.
    pub(crate) in_block: bool,
    /// It does nothing but look at the status of the call.
    pub(crate) silent: bool,
}

impl<'p> Site<'p> {
    /// The site of the statement at `at`.
    pub(crate) fn new(
        context: &Context<'p>,
        at: StatementRef,
        step: Step,
    ) -> Result<Self, Refusal> {
        let &Context { program, effects, style, memory, plain_addresses, renamed } = context;
        let Some(syntax) = program.statement(at).syntax.as_deref() else {
            return Err(Refusal::new("no-text", "the statement has no text of its own"));
        };
        if syntax.spelling == Spelling::MacroBody {
            return Err(Refusal::new("in-macro", "the statement comes from the body of a macro"));
        }
        if !program.file(syntax.call.file).editable {
            return Err(Refusal::new("not-editable", "the file is outside the scanned folders"));
        }
        let role = match syntax.spelling {
            Spelling::Text => syntax.role.clone(),
            Spelling::MacroArgument | Spelling::MacroBody => CallRole::Nested,
        };
        let mut site = Self {
            program,
            effects,
            style,
            renamed,
            at,
            syntax,
            memory,
            step,
            plain_addresses,
            role,
            check: None,
        };
        if site.role == CallRole::Nested {
            site.check = site.find_check();
        }
        Ok(site)
    }

    pub(crate) fn statement(&self) -> &'p Statement {
        self.program.statement(self.at)
    }

    pub(crate) fn bytes(&self) -> &'p [u8] {
        &self.program.file(self.syntax.call.file).text
    }

    /// The text at `span`, with the names that change changed.
    pub(crate) fn text(&self, span: Span) -> Result<String, Refusal> {
        let bytes = self.bytes();
        let mut text = Vec::new();
        let mut from = span.start;
        let piece = |from: u32, to: u32| bytes.get(from as usize..to as usize).unwrap_or_default();
        let within = (span.file, span.start)..(span.file, span.end.max(span.start));
        for (&(_, start), (end, name)) in self.renamed.range(within) {
            text.extend_from_slice(piece(from, start));
            text.extend_from_slice(name.as_bytes());
            from = *end;
        }
        text.extend_from_slice(piece(from, span.end));
        String::from_utf8(text)
            .map_err(|_| Refusal::new("not-utf8", "the text that must be repeated is not UTF-8"))
    }

    /// All names are made one: there is no alias.
    pub(crate) fn renames(&self) -> bool {
        self.style.rename
    }

    pub(crate) fn argument(&self, index: usize) -> Result<String, Refusal> {
        match self.syntax.arguments.get(index) {
            Some(span) => self.text(*span),
            None => Err(Refusal::new("no-text", "an argument has no text of its own")),
        }
    }

    /// Refuses if dropping or repeating the call's arguments would drop or repeat an effect.
    pub(crate) fn arguments_are_pure(&self) -> Result<(), Refusal> {
        if self.syntax.arguments.iter().any(|span| self.effects.within(self.at, *span)) {
            return Err(Refusal::new(
                "argument-has-effects",
                "an argument of the call does something besides yielding a value",
            ));
        }
        Ok(())
    }

    /// The unit is C: no overloads, no default arguments.
    pub(crate) fn is_c(&self) -> bool {
        let is_c = |path: &str| path.ends_with(".c");
        let own = &self.program.file(self.syntax.call.file).path;
        is_c(own)
            || (own.ends_with(".h") && self.program.files.first().is_some_and(|f| is_c(&f.path)))
    }

    /// The null pointer as this file writes it.
    pub(crate) fn null(&self) -> &'static str {
        let says_null = self.effects.vocabulary(self.syntax.call.file).says_null;
        if self.is_c() || says_null { "NULL" } else { "nullptr" }
    }

    pub(crate) fn replace(&self, span: Span, replacement: impl Into<String>) -> Edit {
        let (file, start, end) = (span.file, span.start, span.end);
        Edit { file, start, end, replacement: replacement.into(), step: self.step }
    }

    pub(crate) fn insert(&self, file: FileId, at: u32, text: impl Into<String>) -> Edit {
        self.replace(Span { file, start: at, end: at }, text)
    }

    /// The call's whole statement, if replacing it by another statement drops nothing but the call.
    pub(crate) fn whole_statement(&self) -> Option<(Span, bool)> {
        match &self.check {
            Some(check) if check.silent => Some((check.statement, check.in_block)),
            Some(_) => None,
            None => (self.role == CallRole::Discarded)
                .then_some((self.syntax.statement, self.syntax.in_block)),
        }
    }

    /// The statement that the call is the essential part of, if others can be inserted around it.
    fn statement_in_block(&self) -> Result<Span, Refusal> {
        match (&self.check, &self.role) {
            (Some(check), _) if check.in_block => Ok(check.statement),
            (
                None,
                CallRole::Discarded | CallRole::Initializes { .. } | CallRole::Assigned { .. },
            ) if self.syntax.in_block => Ok(self.syntax.statement),
            _ => Err(Refusal::new("no-place", "no statement can be inserted at this place")),
        }
    }

    /// `statement` on a line before the call's.
    pub(crate) fn before(&self, statement: &str) -> Result<Edit, Refusal> {
        let span = self.statement_in_block()?;
        Ok(self.insert(span.file, span.start, format!("{statement}{}", self.separator(span))))
    }

    /// `statement` on a line after the call's, behind a comment at the end of that line.
    pub(crate) fn after(&self, statement: &str) -> Result<Edit, Refusal> {
        let span = self.statement_in_block()?;
        let bytes = self.bytes();
        let end = span.end as usize;
        let line_end = text::line_end(bytes, end);
        let rest = bytes[end..line_end].trim_ascii_end();
        let at = if text::only_comment(rest) { end + rest.len() } else { end };
        let text = format!("{}{statement}", self.separator(span));
        Ok(self.insert(span.file, u32::try_from(at).unwrap_or(span.end), text))
    }

    /// `statement` as the body of an `if` or `else` written in the place of the call's statement: in braces where more
    /// code follows on the line, so that it does not look as if it belonged to it (compilers warn of that).
    pub(crate) fn body(&self, statement: &str) -> String {
        let follows = self.statement_in_block().is_ok_and(|span| {
            let bytes = self.bytes();
            let end = span.end as usize;
            !text::only_comment(&bytes[end..text::line_end(bytes, end)])
        });
        if follows { format!("{{ {statement} }}") } else { statement.to_owned() }
    }

    /// What stands between two statements written at `span`: a new line with its indentation, or a blank where the
    /// statement shares its line with an earlier one.
    pub(crate) fn separator(&self, span: Span) -> String {
        let bytes = self.bytes();
        let start = span.start as usize;
        let line = text::line_start(bytes, start);
        if bytes[line..start].iter().all(|b| text::is_blank(*b)) {
            format!("{}{}", text::newline(bytes, start), text::indentation(bytes, start))
        } else {
            " ".to_owned()
        }
    }

    /// `call` where the original call stands, with the same check around it, as a statement: a check that does more than
    /// look at the status (it counts, say) is not done twice.
    pub(crate) fn checked(&self, call: &str) -> Result<String, Refusal> {
        let Some(check) = self.check.as_ref().filter(|check| check.silent) else {
            return Ok(format!("{call};"));
        };
        let before = Span { end: self.syntax.call.start, ..check.statement };
        let after = Span { start: self.syntax.call.end, ..check.statement };
        Ok(format!("{}{call}{}", self.text(before)?, self.text(after)?))
    }

    /// Edits that remove the call. Where it is part of something larger, `success` takes its place.
    pub(crate) fn remove(&self, success: &str) -> Result<Vec<Edit>, Refusal> {
        self.arguments_are_pure()?;
        Ok(vec![match self.whole_statement() {
            Some((statement, true)) => self.replace(statement, ""),
            // The lone body of an `if` or a loop.
            Some((statement, false)) => match self.condition_of(statement) {
                Some(whole) => self.replace(whole, ""),
                None => self.replace(statement, "{}"),
            },
            // A statement among the arguments of a macro.
            None if self.syntax.role == CallRole::Discarded => {
                self.replace(self.syntax.call, "(void)0")
            }
            None => self.replace(self.syntax.call, success),
        }])
    }

    /// `if (p) free(p);` whose body goes away: the whole of it, if the condition has no effect and no `else` follows.
    fn condition_of(&self, body: Span) -> Option<Span> {
        let bytes = self.bytes();
        let close =
            text::previous_code(bytes, body.start as usize).filter(|&p| bytes[p] == b')')?;
        let open = text::enclosing_parenthesis(bytes, close)?;
        let condition = std::str::from_utf8(&bytes[open + 1..close]).ok()?;
        let plain = condition.bytes().all(|b| {
            text::is_word(b)
                || b.is_ascii_whitespace()
                || matches!(b, b'!' | b'=' | b'.' | b'>' | b'-')
        });
        let assigns =
            condition.replace("==", "").replace("!=", "").contains('=') || condition.contains("--");
        let head = bytes[..open].trim_ascii_end();
        let start = head.strip_suffix(b"if").map(<[u8]>::len)?;
        let stands_alone = text::previous_code(bytes, start)
            .is_none_or(|p| matches!(bytes[p], b';' | b'{' | b'}'));
        let tail = bytes[body.end as usize..].trim_ascii_start();
        (plain && !assigns && stands_alone && !tail.starts_with(b"else"))
            .then(|| Span { start: u32::try_from(start).unwrap_or(body.start), ..body })
    }

    /// The check around a nested call, if it is one: `NAME(`, other arguments without effects, the call, `);`.
    fn find_check(&self) -> Option<Check> {
        let bytes = self.bytes();
        let call = self.syntax.call;
        let open = text::enclosing_parenthesis(bytes, call.start as usize)?;
        let close = text::closing_parenthesis(bytes, call.end as usize)?;
        let head = bytes[..open].trim_ascii_end();
        let name = head.len() - head.iter().rev().take_while(|b| text::is_word(**b)).count();
        let word = &head[name..];
        let keyword: &[&[u8]] =
            &[b"if", b"while", b"for", b"switch", b"return", b"sizeof", b"catch"];
        if word.is_empty() || word[0].is_ascii_digit() || keyword.contains(&word) {
            return None;
        }
        let alone = |from: usize, to: usize| {
            let other = bytes[from..to].trim_ascii();
            other.iter().all(|b| {
                text::is_word(*b)
                    || b.is_ascii_whitespace()
                    || matches!(b, b',' | b'"' | b':' | b'.' | b'%' | b'-' | b'>')
            })
        };
        if !alone(open + 1, call.start as usize) || !alone(call.end as usize, close) {
            return None;
        }
        let after = close + 1;
        let rest = bytes[after..].trim_ascii_start();
        let (end, ended) = match rest.first() {
            Some(b';') => (bytes.len() - rest.len() + 1, true),
            // A macro that brings its own semicolon.
            Some(_) | None => {
                (after, bytes[after..text::line_end(bytes, after)].trim_ascii().is_empty())
            }
        };
        if !ended {
            return None;
        }
        let in_block = match text::previous_code(bytes, name) {
            None => true,
            Some(before) => matches!(bytes[before], b';' | b'{' | b'}'),
        };
        let span = |start: usize, end: usize| {
            Some(Span {
                file: call.file,
                start: u32::try_from(start).ok()?,
                end: u32::try_from(end).ok()?,
            })
        };
        // Not in the header of a `for`: the bracket before it would be found as the code before.
        if text::enclosing_parenthesis(bytes, name).is_some() {
            return None;
        }
        let expansion = span(name, after)?;
        Some(Check {
            statement: span(name, end)?,
            in_block,
            silent: self.style.checks.iter().any(|check| check.as_bytes() == word)
                || succeeds_silently(self.program, self.effects, self.at, expansion),
        })
    }

    /// The statement is a call of the CUDA runtime, not of the driver.
    pub(crate) fn runtime_call(&self) -> Result<&'p str, Refusal> {
        match &self.statement().kind {
            StatementKind::Cuda { name, .. } if name.starts_with("cuda") => Ok(name),
            StatementKind::Cuda { .. }
            | StatementKind::Declare(_)
            | StatementKind::Assign { .. }
            | StatementKind::CopyAggregate { .. }
            | StatementKind::Evaluate(_)
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Launch(_)
            | StatementKind::Call(_)
            | StatementKind::Opaque { .. } => {
                Err(Refusal::new("driver-call", "driver calls are not rewritten"))
            }
        }
    }

    /// The statement is `cudaMalloc`, written as such.
    pub(crate) fn is_device_allocation(&self) -> bool {
        matches!(self.statement().kind.cuda_operation(), Some(CudaOperation::Allocate { .. }))
    }
}
