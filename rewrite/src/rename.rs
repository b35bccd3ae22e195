//! R2 with one name (`--naming rename`): every use of the second pointer is renamed to the first.
//!
//! The dataflow side has shown that either variable receives nothing but its own buffer. Here the text is looked at:
//! every name in the scope of the second variable is that variable, a member, or a reason to refuse; the first variable
//! means the same at each of them.

use echo_dataflow::program::{
    Program, Span, Spelling, StatementKind, StatementRef, Storage, Variable,
};

use crate::allocate::{Alias, unqualified};
use crate::edit::Step;
use crate::plan::Refusal;
use crate::site::{Context, Site};
use crate::tokens::{Token, tokens};

/// The uses of the second variable, other than its declaration.
pub(crate) struct Uses {
    /// Ascending.
    pub(crate) names: Vec<Span>,
    /// Its declaration, where that declares nothing else and is not the allocation.
    pub(crate) declaration: Option<Span>,
}

fn refuse(what: &str) -> Refusal {
    Refusal::new("rename-not-expressible", what)
}

/// The uses of `alias.second`, whose allocation is the statement `at`.
pub(crate) fn uses(
    program: &Program,
    at: StatementRef,
    alias: &Alias<'_>,
) -> Result<Uses, Refusal> {
    let (first, second) =
        (program.variable(alias.first_variable), program.variable(alias.second_variable));
    if alias.first != first.name || alias.second != second.name {
        return Err(refuse("one of the pointers is a member of something"));
    }
    if second.storage != Storage::Local {
        return Err(refuse(
            "the second pointer is not a variable of the function that allocates it",
        ));
    }
    match first.storage {
        Storage::Local | Storage::Parameter | Storage::InternalGlobal | Storage::StaticLocal => {}
        Storage::Global | Storage::Temporary | Storage::Device | Storage::Managed => {
            return Err(refuse("the first pointer may be changed elsewhere"));
        }
    }
    let spelling = |variable: &Variable| unqualified(&program.ty(variable.ty).spelling);
    if spelling(first) != spelling(second) {
        return Err(refuse("the two pointers are of different types"));
    }
    let (Some(declared), Some(other)) = (second.declaration, first.declaration) else {
        return Err(refuse("one of the pointers has no declaration"));
    };
    let statement = program
        .statement(at)
        .syntax
        .as_ref()
        .map(|syntax| syntax.statement)
        .ok_or_else(|| refuse("the allocation has no text of its own"))?;
    let scope = declared.scope;
    let function = program.function(at.function).definition;
    let in_function = [scope.file, other.scope.file, statement.file] == [function.file; 3]
        && function.start <= scope.start
        && scope.end <= function.end;
    let in_scope = other.scope.start <= scope.start && scope.end <= other.scope.end;
    if !in_function
        || !in_scope
        || declared.spelling != Spelling::Text
        || other.spelling != Spelling::Text
        || !program.file(scope.file).editable
    {
        return Err(refuse("the first pointer is not in scope wherever the second one is"));
    }
    for name in [first, second] {
        let own = name.declaration.map(|d| d.name);
        let shadowed = program.variables.iter().any(|variable| {
            variable.name == name.name
                && variable.declaration.is_some_and(|d| {
                    Some(d.name) != own
                        && d.scope.file == scope.file
                        && d.scope.start < scope.end
                        && scope.start < d.scope.end
                        && !contains(d.scope, other.scope)
                })
        });
        let in_macros = program.files.iter().any(|file| file.macro_body_names.contains(&name.name));
        if shadowed || in_macros {
            return Err(refuse("one of the names means something else in between"));
        }
    }
    let text = &program.file(scope.file).text;
    let all = tokens(text, function.start as usize, function.end as usize)
        .ok_or_else(|| refuse("the text of the function is written in an unusual way"))?;
    if all.iter().any(|token| token.text == b"goto") {
        return Err(refuse("the function jumps"));
    }
    let from = all.partition_point(|token| token.start < scope.start as usize);
    let to = all.partition_point(|token| token.start < scope.end as usize);
    let names = Names {
        tokens: &all[from..to],
        second: second.name.as_bytes(),
        declared: declared.name,
        statement,
    };
    names.stands_in_its_block()?;
    let names_found = names.all(scope)?;
    let initialised_here =
        statement.start <= declared.name.start && declared.name.start < statement.end;
    Ok(Uses {
        names: names_found,
        declaration: if initialised_here { None } else { names.declaration() },
    })
}

/// A scope that is more than, and holds all of, another.
fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end && outer != inner
}

/// The tokens of the second variable's scope.
struct Names<'t> {
    tokens: &'t [Token<'t>],
    second: &'t [u8],
    declared: Span,
    statement: Span,
}

impl Names<'_> {
    /// The allocation is a statement of the block in which the variable is declared, and nothing jumps over it.
    fn stands_in_its_block(&self) -> Result<(), Refusal> {
        if self.tokens.first().is_none_or(|token| token.text != b"{") {
            return Err(refuse("the second pointer is not declared in a block"));
        }
        let mut depth = 0;
        for token in &self.tokens[1..] {
            if token.start >= self.statement.start as usize {
                break;
            }
            match token.text {
                b"{" | b"(" | b"[" => depth += 1,
                b"}" | b")" | b"]" => depth -= 1,
                b"case" | b"default" if depth == 0 => {
                    return Err(refuse("a `case` skips the allocation"));
                }
                _ => {}
            }
        }
        if depth != 0 {
            return Err(refuse("the second pointer is allocated in an inner block"));
        }
        Ok(())
    }

    /// All uses; an error if one of them may be something else, or comes before the allocation.
    fn all(&self, scope: Span) -> Result<Vec<Span>, Refusal> {
        let mut found = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            match token.text {
                b"{" | b"(" | b"[" => open.push(index),
                b"}" | b")" | b"]" => drop(open.pop()),
                _ => {}
            }
            if token.text != self.second {
                continue;
            }
            let before = index.checked_sub(1).map(|p| self.tokens[p]);
            let after = self.tokens.get(index + 1);
            if token.directive {
                return Err(refuse("a directive names the second pointer"));
            }
            if before.is_some_and(|t| matches!(t.text, b"." | b"->" | b"::")) {
                continue;
            }
            if token.start == self.declared.start as usize {
                continue;
            }
            if after.is_some_and(|t| t.text == b"::")
                || before.is_some_and(|t| t.is_name() && !is_operator(t.text))
            {
                return Err(refuse(
                    "the name of the second pointer may mean something else in between",
                ));
            }
            let captures = open.last().is_some_and(|&bracket| {
                self.tokens[bracket].text == b"["
                    && bracket
                        .checked_sub(1)
                        .map(|p| self.tokens[p])
                        .is_none_or(|t| !(t.is_name() || matches!(t.text, b")" | b"]")))
            });
            if captures {
                return Err(refuse("a lambda captures the second pointer by name"));
            }
            if token.start < self.statement.start as usize {
                return Err(refuse("the second pointer is used before it is allocated"));
            }
            let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
            found.push(Span {
                file: scope.file,
                start: offset(token.start),
                end: offset(token.end()),
            });
        }
        Ok(found)
    }

    /// `float *d;` or `float *d = NULL;`, the whole of a statement.
    fn declaration(&self) -> Option<Span> {
        let own = self.tokens.iter().position(|t| t.start == self.declared.start as usize)?;
        let head = self.tokens[..own].iter().rposition(|t| matches!(t.text, b";" | b"{" | b"}"))?;
        let plain = |t: &Token<'_>| {
            !t.directive && (t.is_name() || matches!(t.text, b"*" | b"::" | b"<" | b">"))
        };
        let mut rest = &self.tokens[own + 1..];
        if let [equals, null, tail @ ..] = rest
            && equals.text == b"="
            && matches!(null.text, b"NULL" | b"nullptr")
        {
            rest = [null].map(|_| tail)[0];
        }
        let end = rest.first().filter(|token| token.text == b";")?;
        let start = self.tokens.get(head + 1)?;
        self.tokens[head + 1..own].iter().all(plain).then(|| Span {
            file: self.declared.file,
            start: u32::try_from(start.start).unwrap_or(u32::MAX),
            end: u32::try_from(end.end()).unwrap_or(u32::MAX),
        })
    }
}

/// Words after which a name is an operand.
fn is_operator(word: &[u8]) -> bool {
    matches!(
        word,
        b"return"
            | b"case"
            | b"else"
            | b"do"
            | b"throw"
            | b"delete"
            | b"sizeof"
            | b"and"
            | b"or"
            | b"not"
            | b"co_return"
            | b"co_yield"
            | b"co_await"
    )
}

/// Refuses if `name` is an argument of a macro that may do more with it than evaluate it: print or paste it. Check
/// macros do not, as far as a call that succeeds goes.
pub(crate) fn may_be_renamed(
    context: &Context<'_>,
    at: StatementRef,
    name: Span,
) -> Result<(), Refusal> {
    let within = |span: &(u32, u32)| span.0 <= name.start && name.end <= span.1;
    if !context.program.file(name.file).expansions.iter().any(within) {
        return Ok(());
    }
    let function = context.program.function(at.function);
    for (block, body) in function.blocks.iter().enumerate() {
        for (index, statement) in body.statements.iter().enumerate() {
            let Some(syntax) = &statement.syntax else { continue };
            let call = syntax.call;
            let covers = call.file == name.file && call.start <= name.start && name.end <= call.end;
            if !covers || !matches!(statement.kind, StatementKind::Cuda { .. }) {
                continue;
            }
            let at = StatementRef {
                block: echo_dataflow::program::BlockId::new(block),
                index: u32::try_from(index).unwrap_or(u32::MAX),
                ..at
            };
            let site = Site::new(context, at, Step::Renaming)?;
            let expansions = &context.program.file(name.file).expansions;
            let checked = site.check.is_some_and(|check| {
                // No other macro between the check and the name.
                let around = expansions.iter().filter(|span| within(span)).count();
                check.silent && around == 1
            });
            if checked {
                return Ok(());
            }
        }
    }
    Err(refuse("the second pointer is an argument of a macro"))
}
