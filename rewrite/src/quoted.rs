//! Macros that show the text of what they are given: `#x` prints the call that an edit changes.
//!
//! Check macros show it when a call fails, and that is no reason to refuse. The statements of the macro are followed with
//! every status known to be `cudaSuccess`; if one of those left passes text on, or may, the edit is refused.

use std::collections::{BTreeSet, HashMap, HashSet};

use echo_dataflow::program::{
    BlockId, Callee, Expr, Function, Place, Program, SourceFile, Span, Statement, StatementKind,
    StatementRef, Terminator, TypeKind, VariableId,
};

use crate::edit::Edit;
use crate::effects::{Effects, successors};
use crate::plan::Refusal;
use crate::success::{Walk, within};
use crate::text::{is_word, line_end, words};

/// Nested calls followed at most.
const DEPTH: u32 = 3;

/// The macros of the program whose bodies, or those of macros that they use, make text or names of their arguments.
pub(crate) fn quoting(program: &Program) -> BTreeSet<String> {
    let mut bodies: Vec<(&str, &str)> = Vec::new();
    for file in &program.files {
        bodies.extend(definitions(&file.text));
    }
    let mut found: BTreeSet<String> = BTreeSet::new();
    loop {
        let before = found.len();
        for (name, body) in &bodies {
            if body.contains('#') || words(body).any(|word| found.contains(word)) {
                found.insert((*name).to_owned());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The names of the macros that a text defines, with what follows them.
fn definitions(text: &[u8]) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    let mut from = 0;
    while from < text.len() {
        let mut end = line_end(text, from);
        let head = text[from..end].trim_ascii_start().strip_prefix(b"#");
        let name = head.and_then(|head| head.trim_ascii_start().strip_prefix(b"define"));
        if let Some(name) = name {
            let start = end - name.len();
            while text[start..end].trim_ascii_end().ends_with(b"\\") && end < text.len() {
                end = line_end(text, end);
            }
            if let Ok(definition) = std::str::from_utf8(&text[start..end]) {
                let definition = definition.trim_start();
                let name = definition.bytes().position(|b| !is_word(b));
                found.push(definition.split_at(name.unwrap_or(definition.len())));
            }
        }
        from = end;
    }
    found
}

/// Refuses `edits` of the statement `at` that change what a macro shows although nothing failed.
pub(crate) fn check(
    program: &Program,
    effects: &Effects,
    at: StatementRef,
    edits: &[Edit],
) -> Result<(), Refusal> {
    for edit in edits {
        let file = program.file(edit.file);
        let around = |&&(start, end): &&(u32, u32)| start < edit.start && edit.end < end;
        for &(start, end) in file.expansions.iter().filter(around) {
            let name = macro_name(file, start);
            let expansion = Span { file: edit.file, start, end };
            if effects.quotes(program, name) && shows(program, effects, at, expansion) {
                let what = format!("`{name}` may show the text of the call it is given");
                return Err(Refusal { code: "text-shown", what });
            }
        }
    }
    Ok(())
}

fn macro_name(file: &SourceFile, start: u32) -> &str {
    let rest = file.text.get(start as usize..).unwrap_or_default();
    let length = rest.iter().take_while(|&&byte| is_word(byte)).count();
    std::str::from_utf8(&rest[..length]).unwrap_or_default()
}

/// Whether something within `expansion` passes text on, before the statement `at` or after it succeeded.
fn shows(program: &Program, effects: &Effects, at: StatementRef, expansion: Span) -> bool {
    let function = program.function(at.function);
    let mut walk = Shown { walk: Walk::new(program, effects, at) };
    // Before it: whatever stands there may run.
    for (index, block) in function.blocks.iter().enumerate() {
        for (number, statement) in block.statements.iter().enumerate() {
            let own = StatementRef {
                function: at.function,
                block: BlockId::new(index),
                index: u32::try_from(number).unwrap_or(u32::MAX),
            };
            let first = program.statement(at).source.span.start;
            if own != at
                && within(statement, expansion)
                && statement.source.span != expansion
                && statement.source.span.start < first
                && walk.passes_on(function, statement, Some(expansion))
            {
                return true;
            }
        }
    }
    walk.starts(function, at, expansion)
        || walk.run(function, (at.block, at.index as usize), Some(expansion), DEPTH)
}

/// The paths that are left when every status is `cudaSuccess`.
struct Shown<'p> {
    walk: Walk<'p>,
}

impl Shown<'_> {
    /// Whether what the body of the macro does before the call passes text on.
    fn starts(&mut self, function: &Function, at: StatementRef, expansion: Span) -> bool {
        let mut seen = HashSet::from([at.block]);
        let mut pending = vec![(at.block, at.index as usize)];
        while let Some((block, end)) = pending.pop() {
            let mut left = false;
            for statement in function.blocks[block.index()].statements[..end].iter().rev() {
                left = !within(statement, expansion);
                if left {
                    break;
                }
                if self.passes_on(function, statement, Some(expansion)) {
                    return true;
                }
            }
            if left {
                continue;
            }
            for &before in self.walk.effects.predecessors(at.function, block) {
                if seen.insert(before) {
                    pending.push((before, function.blocks[before.index()].statements.len()));
                }
            }
        }
        false
    }

    /// Follows all paths from a statement on, until they leave `expansion` or return.
    fn run(
        &mut self,
        function: &Function,
        from: (BlockId, usize),
        expansion: Option<Span>,
        depth: u32,
    ) -> bool {
        // What is known at the start of a block on every path that has led there.
        let mut entered: HashMap<BlockId, HashMap<VariableId, i128>> = HashMap::new();
        let mut pending = vec![(from, self.walk.values.clone())];
        while let Some(((block, index), values)) = pending.pop() {
            self.walk.values = values;
            let Some(body) = function.blocks.get(block.index()) else { return true };
            let mut left = false;
            for statement in body.statements.get(index..).unwrap_or_default() {
                left = expansion.is_some_and(|expansion| !within(statement, expansion));
                if left {
                    break;
                }
                if self.step(function, statement, expansion, depth) {
                    return true;
                }
            }
            if left {
                continue;
            }
            let next = match &body.terminator {
                Terminator::Branch { condition, then, otherwise } => {
                    match self.walk.value(condition) {
                        Some(0) => vec![*otherwise],
                        Some(_) => vec![*then],
                        None => vec![*then, *otherwise],
                    }
                }
                terminator @ (Terminator::Goto(_)
                | Terminator::Switch { .. }
                | Terminator::Return(_)
                | Terminator::Exit
                | Terminator::Unreachable) => successors(terminator),
            };
            for block in next {
                let values = match entered.get(&block) {
                    None => self.walk.values.clone(),
                    Some(known) => {
                        let mut both = known.clone();
                        both.retain(|variable, value| {
                            self.walk.values.get(variable) == Some(&*value)
                        });
                        if both.len() == known.len() {
                            continue;
                        }
                        both
                    }
                };
                entered.insert(block, values.clone());
                pending.push(((block, 0), values));
            }
        }
        false
    }

    /// Whether a statement passes text on, whatever the values of variables are.
    fn passes_on(
        &mut self,
        function: &Function,
        statement: &Statement,
        expansion: Option<Span>,
    ) -> bool {
        self.walk.values.clear();
        let found = self.step(function, statement, expansion, DEPTH);
        self.walk.values.clear();
        found
    }

    /// Whether a statement passes text on.
    fn step(
        &mut self,
        function: &Function,
        statement: &Statement,
        expansion: Option<Span>,
        depth: u32,
    ) -> bool {
        match &statement.kind {
            StatementKind::Declare(_)
            | StatementKind::Evaluate(_)
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Launch(_)
            | StatementKind::CopyAggregate { .. } => false,
            StatementKind::Cuda { result, .. } => {
                if let Some(result) = result {
                    self.set(function, result, Some(0), expansion);
                }
                false
            }
            StatementKind::Assign { place, value, .. } => {
                let known = self.walk.value(value);
                !self.set(function, place, known, expansion) && self.is_text(value)
            }
            StatementKind::Call(call) => {
                let text = call.arguments.iter().any(|argument| self.is_text(&argument.value));
                let Callee::Function(callee) = call.callee else { return text };
                let callee = self.walk.program.function(callee);
                if callee.opaque.is_some() || callee.blocks.is_empty() || depth == 0 {
                    return text;
                }
                let known: HashMap<VariableId, i128> = callee
                    .parameters
                    .iter()
                    .zip(&call.arguments)
                    .filter_map(|(&parameter, argument)| {
                        Some((parameter, self.walk.value(&argument.value)?))
                    })
                    .collect();
                let outer = std::mem::replace(&mut self.walk.values, known);
                let shown = self.run(callee, (BlockId(0), 0), None, depth - 1);
                self.walk.values = outer;
                if let Some(result) = &call.result {
                    self.set(function, result, None, expansion);
                }
                shown
            }
            StatementKind::Opaque { .. } => true,
        }
    }

    /// Notes a value; `false` if `place` outlives what is followed.
    fn set(
        &mut self,
        function: &Function,
        place: &Place,
        value: Option<i128>,
        expansion: Option<Span>,
    ) -> bool {
        let Some(variable) = self.walk.own_variable(place, function, expansion) else {
            return false;
        };
        match value {
            Some(value) => self.walk.values.insert(variable, value),
            None => self.walk.values.remove(&variable),
        };
        true
    }

    /// Anything that is not a number may lead to text.
    fn is_text(&self, value: &Expr) -> bool {
        match value {
            Expr::Integer(_)
            | Expr::Null
            | Expr::Compare { .. }
            | Expr::Arithmetic { .. }
            | Expr::PointerDifference { .. }
            | Expr::Function(_) => false,
            Expr::Load { ty, .. } | Expr::Cast { to: ty, .. } => !matches!(
                self.walk.program.ty(*ty).kind,
                TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Void
            ),
            Expr::Computed(parts) => parts.iter().any(|part| self.is_text(part)),
            Expr::Literal
            | Expr::AddressOf(_)
            | Expr::PointerAdd { .. }
            | Expr::Closure(_)
            | Expr::Unknown => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn definitions_reach_over_continued_lines() {
        let text = b"#define A(x) f(x, \\\n  #x)\nint b;\n  # define C 1\n#define D";
        assert_eq!(definitions(text), [("A", "(x) f(x, \\\n  #x)\n"), ("C", " 1\n"), ("D", "")]);
    }
}
