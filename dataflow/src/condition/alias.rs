//! Variables that can name the merged buffer where its second pointer is assigned (rule R2 of rewriting).

use crate::event::{Event, EventGraph, EventKind, Holder};
use crate::program::{Program, Spelling, Storage};
use crate::verdict::{CandidatePair, Side};

/// The variable that names the first buffer where the second one is allocated: the one it was first stored in, or else
/// one that received the pointer later (a parameter, the result of an allocating function). That it holds the pointer on
/// every path is checked with the lifetimes.
pub(crate) fn alias_source<'g>(
    program: &Program,
    graph: &'g EventGraph,
    pair: &CandidatePair,
    first: Option<Side>,
) -> Option<&'g Holder> {
    let (first, second) = match first? {
        Side::Host => (pair.host, pair.device),
        Side::Device => (pair.device, pair.host),
    };
    let own = graph.object(first).holder.as_ref()?;
    let event = &graph.events[graph.object(second).allocation?.index()];
    if in_scope(program, own, event) {
        return Some(own);
    }
    let received = graph.events.iter().find_map(|store| {
        let EventKind::Store { holder, value, exact: true } = &store.kind else { return None };
        let names_it = value.single() == Some(first) && !holder.path.contains(['@', ']']);
        (names_it && in_scope(program, holder, event)).then_some(holder)
    });
    Some(received.unwrap_or(own))
}

/// Whether `holder` can be named at `event`.
pub(crate) fn in_scope(program: &Program, holder: &Holder, event: &Event) -> bool {
    let variable = program.variable(holder.variable);
    let is_static = match variable.storage {
        Storage::Global | Storage::InternalGlobal | Storage::StaticLocal => true,
        Storage::Local
        | Storage::Parameter
        | Storage::Temporary
        | Storage::Device
        | Storage::Managed => false,
    };
    let Some(declaration) = variable.declaration else { return false };
    let span = event.source.span;
    declaration.spelling != Spelling::MacroBody
        && declaration.scope.file == span.file
        && declaration.scope.start <= span.start
        && span.start < declaration.scope.end
        && declaration.name.start < span.start.max(declaration.name.start + 1)
        && (is_static || holder.context == event.context)
}
