//! R2: whether the alias of the merged buffer can be written.

use crate::condition::alias::{Names, Unnamed};
use crate::condition::{Pairs, lifetime, place};
use crate::event::{EventGraph, Holder};
use crate::mutation::is_on;
use crate::program::Program;
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Side};

/// R2: the alias can be written at the second allocation.
pub(super) fn objections(
    program: &Program,
    names: &Names<'_>,
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
    index: usize,
    plan: &lifetime::Plan,
) -> Vec<Objection> {
    let pair = &pairs.list[index];
    let Some(first) = plan.first else { return Vec::new() };
    let (_, second) = match first {
        Side::Host => (graph.object(pair.host), graph.object(pair.device)),
        Side::Device => (graph.object(pair.device), graph.object(pair.host)),
    };
    let Some(at) = second.allocation else { return Vec::new() };
    let fail = |what: &str| {
        if !is_on(options, "names") {
            return Vec::new();
        }
        vec![Objection {
            condition: Condition::Edit,
            reason: Reason::Edit { code: "alias-not-expressible", what: what.to_owned() },
            certain: true,
            places: vec![place(
                graph,
                at,
                PlaceRole::Other("the alias would be assigned here".to_owned()),
            )],
            repair: None,
        }]
    };
    let (Some(from), Some(to)) = (&plan.name, &second.holder) else {
        return fail("one of the pointers is never stored in a variable");
    };
    let event = &graph.events[at.index()];
    let (from_name, to_name) = (names.of(from, event), names.of(to, event));
    if from_name == Err(Unnamed::NoSimpleName) || to_name == Err(Unnamed::NoSimpleName) {
        return fail("one of the pointers is kept in a place without a simple name");
    }
    let (from_variable, to_variable) =
        (program.variable(from.variable), program.variable(to.variable));
    if from_name.is_err() {
        return fail(
            "the first pointer's variable is not in scope where the second buffer is allocated",
        );
    }
    if to_name.is_err() {
        return fail("the second pointer's variable is not in scope where it is allocated");
    }
    let is_variable = |holder: &Holder| holder.path.is_empty() && holder.through.is_none();
    if is_variable(to) && !to_variable.assignable {
        return fail("the second pointer's variable cannot be assigned");
    }
    if from_variable.restrict && to_variable.restrict && is_on(options, "restrict") {
        return fail("both pointers are `__restrict__`");
    }
    if options.rename {
        // Every use of the second name is to mean the first: both must be variables of one activation, and neither may
        // ever receive anything but its own buffer.
        if from.context != event.context || to.context != event.context {
            return fail("the two pointers are variables of different functions");
        }
        if !plan.named_alone {
            return fail("one of the pointers is assigned more than its own buffer");
        }
    }
    Vec::new()
}
