//! One text, several statements: instantiations of a template, and contexts of a helper.

use std::collections::{BTreeMap, BTreeSet};

use echo_dataflow::program::{BlockId, FileId, FunctionId, Program, StatementKind, StatementRef};

use crate::plan::Change;

/// Bytes of a file.
type Text = (FileId, u32, u32);

/// The pairs that want to change a text which, for another statement with that text or for another pair, must stay or
/// change otherwise.
pub(crate) fn disagreeing(program: &Program, changes: &[Change]) -> BTreeSet<usize> {
    let mut by_text: BTreeMap<Text, Vec<&Change>> = BTreeMap::new();
    for change in changes {
        if let Some(text) = text_of(program, change.at) {
            by_text.entry(text).or_default().push(change);
        }
    }
    let mut statements: BTreeMap<Text, Vec<StatementRef>> = BTreeMap::new();
    for (function, body) in program.functions.iter().enumerate() {
        for (block, statements_of_block) in body.blocks.iter().enumerate() {
            for (index, statement) in statements_of_block.statements.iter().enumerate() {
                let editable = matches!(
                    statement.kind,
                    StatementKind::HostAllocate(_)
                        | StatementKind::HostRelease(_)
                        | StatementKind::Cuda { .. }
                );
                let at = StatementRef {
                    function: FunctionId::new(function),
                    block: BlockId::new(block),
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                };
                if editable
                    && let Some(text) =
                        text_of(program, at).filter(|text| by_text.contains_key(text))
                {
                    statements.entry(text).or_default().push(at);
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for (text, changes) in &by_text {
        let alike = changes.iter().all(|change| change.edits == changes[0].edits);
        let complete = statements
            .get(text)
            .into_iter()
            .flatten()
            .all(|at| changes.iter().any(|change| change.at == *at));
        if !alike || !complete {
            found.extend(changes.iter().map(|change| change.pair));
        }
    }
    found
}

fn text_of(program: &Program, at: StatementRef) -> Option<Text> {
    let call = program.statement(at).syntax.as_ref()?.call;
    Some((call.file, call.start, call.end))
}
