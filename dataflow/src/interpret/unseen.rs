//! Which functions may run without the analysis seeing it: what is edited in them changes more than was proved.

use std::collections::BTreeSet;

use crate::event::EventGraph;
use crate::program::{Function, FunctionId, FunctionKind, Program, plain_name};

use super::roots::{self, Calls};

/// Functions of which some execution is in none of `graphs`, which are all graphs of `program`: those that a root without
/// a graph runs, that were not folded in somewhere, or that a function which was not understood may call, with all that
/// they call.
pub(crate) fn unseen_functions(program: &Program, graphs: &[EventGraph]) -> BTreeSet<FunctionId> {
    let calls = Calls::new(program);
    let mut work: Vec<FunctionId> =
        graphs.iter().flat_map(|graph| &graph.unseen).copied().collect();
    let all = roots::all(program, &calls);
    work.extend(
        all.into_iter().filter(|&root| !calls.reaches_copy(root) && may_start(program, root)),
    );
    work.extend(named_by_opaque(program));
    let mut unseen = BTreeSet::new();
    while let Some(function) = work.pop() {
        if unseen.insert(function) {
            work.extend(calls.of(function));
        }
    }
    unseen
}

/// Whether something outside the program, or the language itself, may call this function that nobody is seen to call.
fn may_start(program: &Program, id: FunctionId) -> bool {
    let function = program.function(id);
    match function.kind {
        FunctionKind::Host => !function.internal_linkage || function.address_taken,
        FunctionKind::Main | FunctionKind::Constructor | FunctionKind::Destructor => true,
        FunctionKind::Kernel | FunctionKind::Device => false,
    }
}

/// Functions whose names occur in the text of host functions that were not understood, or in macros that may be used
/// there; functions that are called without their name count as named.
fn named_by_opaque(program: &Program) -> Vec<FunctionId> {
    let mut names: BTreeSet<&[u8]> = BTreeSet::new();
    let runs_on_host = |function: &&Function| {
        !matches!(function.kind, FunctionKind::Kernel | FunctionKind::Device)
    };
    for function in program.functions.iter().filter(|f| f.opaque.is_some()).filter(runs_on_host) {
        let span = function.definition;
        let text = &program.file(span.file).text;
        // A file whose text is not at hand may name anything.
        let Some(text) = text.get(span.start as usize..span.end as usize) else {
            return (0..program.functions.len()).map(FunctionId::new).collect();
        };
        names.extend(text.split(|b| !is_identifier(*b)));
    }
    if names.is_empty() {
        return Vec::new();
    }
    names.extend(program.files.iter().flat_map(|f| &f.macro_body_names).map(String::as_bytes));
    let is_named = |function: &Function| {
        plain_name(&function.name).is_none_or(|name| names.contains(name.as_bytes()))
    };
    let functions = program.functions.iter().enumerate();
    functions.filter(|(_, f)| is_named(f)).map(|(index, _)| FunctionId::new(index)).collect()
}

fn is_identifier(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
