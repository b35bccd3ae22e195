//! What a function's body says, for comparison between units.

use std::collections::BTreeMap;
use std::fmt::Write;

use echo_dataflow::program::{Function, FunctionId, FunctionKind, Program, TypeId, VariableId};

use super::patch::content_hash;

/// Whether other units may define `function` too: it is inline, an instance of a template, or in another file than `main`.
pub(crate) fn is_inline(program: &Program, function: &Function, main: &str) -> bool {
    if function.internal_linkage || function.kind == FunctionKind::Main {
        return false;
    }
    let span = function.definition;
    let in_header = program.file(span.file).path != main;
    let head = program
        .file(span.file)
        .text
        .get(span.start as usize..function.source.span.start as usize)
        .unwrap_or_default();
    let says = |word: &[u8]| head.windows(word.len()).any(|at| at == word);
    in_header
        || says(b"inline")
        || says(b"template")
        || says(b"constexpr")
        || function.usr.contains('<')
}

/// A hash of the body that is the same in all units that read it the same. 0 if it is not understood.
pub(crate) fn form(program: &Program, function: &Function) -> u64 {
    if function.opaque.is_some() {
        return 0;
    }
    let mut names = Names { program, variables: BTreeMap::new(), text: String::new() };
    for block in &function.blocks {
        for statement in &block.statements {
            names.add(&format!("{:?}", statement.kind));
        }
        names.add(&format!("{:?}", block.terminator));
    }
    content_hash(names.text.as_bytes())
}

/// The text of a body, with what its numbers stand for.
struct Names<'p> {
    program: &'p Program,
    /// In order of their first occurrence.
    variables: BTreeMap<usize, usize>,
    text: String,
}

impl Names<'_> {
    /// Adds the debug text of a statement: places in files are left out, indices become names.
    fn add(&mut self, written: &str) {
        let mut rest = written;
        while let Some(at) = rest.find(['(', '{']) {
            let (before, after) = rest.split_at(at);
            self.text.push_str(before);
            if before.ends_with("SourceRef ") {
                // `SourceRef { span: Span { .. }, spelling: .. }`
                let end = after.match_indices('}').nth(1).map_or(after.len(), |(at, _)| at + 1);
                rest = &after[end..];
                continue;
            }
            let number = after[1..].split(')').next().and_then(|n| n.parse::<usize>().ok());
            let end = after.find(')').map_or(after.len(), |at| at + 1);
            match number {
                Some(number) if before.ends_with("VariableId") => self.variable(number),
                Some(number) if before.ends_with("FunctionId") => {
                    let function = self.program.function(FunctionId::new(number));
                    self.text.push_str(if function.usr.starts_with("lambda") {
                        "lambda"
                    } else {
                        &function.usr
                    });
                }
                Some(number) if before.ends_with("TypeId") => {
                    self.text.push_str(&self.program.ty(TypeId::new(number)).spelling);
                }
                Some(_) | None => {
                    self.text.push_str(&after[..1]);
                    rest = &after[1..];
                    continue;
                }
            }
            rest = &after[end..];
        }
        self.text.push_str(rest);
    }

    fn variable(&mut self, number: usize) {
        let next = self.variables.len();
        let order = *self.variables.entry(number).or_insert(next);
        let variable = self.program.variable(VariableId::new(number));
        let ty = &self.program.ty(variable.ty).spelling;
        let name = if variable.name.starts_with('%') { "" } else { &variable.name };
        // Writing to a string does not fail.
        let _ = write!(self.text, "[{order} {name} {} {ty}]", variable.usr);
    }
}
