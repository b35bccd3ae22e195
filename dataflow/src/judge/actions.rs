//! What is done to the program for each merged pair.

use std::collections::BTreeMap;

use crate::condition::alias::Names;
use crate::condition::{Pairs, is_zero_filled, lifetime, order};
use crate::event::{EventGraph, EventId, EventKind, Holder};
use crate::mutation::is_on;
use crate::program::{Program, StatementRef, TypeId, TypeKind};
use crate::target::Options;
use crate::verdict::{ActionKind, Replacement, Side};

/// The actions of each merged pair, by event.
pub(super) type Actions = Vec<(usize, EventId, ActionKind)>;

#[allow(clippy::too_many_arguments, reason = "everything that was found")]
pub(super) fn actions(
    program: &Program,
    names: &Names<'_>,
    graph: &EventGraph,
    pairs: &Pairs,
    merged: &[bool],
    plans: &[lifetime::Plan],
    found: &order::Findings,
    options: &Options,
) -> Actions {
    let mut actions: Actions = Vec::new();
    let waits = &found.waits;
    for (index, pair) in pairs.list.iter().enumerate() {
        if !merged[index] {
            continue;
        }
        let Some(first_side) = plans[index].first else { continue };
        let (first, second) = match first_side {
            Side::Host => (graph.object(pair.host), graph.object(pair.device)),
            Side::Device => (graph.object(pair.device), graph.object(pair.host)),
        };
        let (Some(first_at), Some(second_at)) = (first.allocation, second.allocation) else {
            continue;
        };
        actions.push((index, first_at, ActionKind::AllocateHere));
        if let (Some(from), Some(to)) = (&plans[index].name, &second.holder) {
            let event = &graph.events[second_at.index()];
            // With the check of names switched off they may have none there.
            let name = |holder: &Holder| {
                let written = format!("{}{}", program.variable(holder.variable).name, holder.path);
                names.of(holder, event).unwrap_or(written)
            };
            // Through a parameter, every call writes alike.
            let variable = |holder: &Holder| match &holder.through {
                Some(through) if through.context == event.context => through.pointer,
                Some(_) | None => holder.variable,
            };
            actions.push((
                index,
                second_at,
                ActionKind::AliasHere {
                    first: name(from),
                    second: name(to),
                    first_variable: variable(from),
                    second_variable: variable(to),
                    first_type: type_of(program, from),
                    second_type: type_of(program, to),
                    zero_fill: is_zero_filled(graph, pair.host)
                        && first_side == Side::Device
                        && is_on(options, "zero-fill-kept"),
                },
            ));
        }
        for &copy in &pair.linking_copies {
            if let Some(replacement) = found.replacements.get(&copy) {
                actions.push((index, copy, ActionKind::RemoveCopy(replacement.clone())));
            }
        }
        for &free in &plans[index].last_frees {
            actions.push((index, free, ActionKind::FreeMerged { wait: waits.contains(&free) }));
        }
        for &free in &plans[index].early_frees {
            actions.push((index, free, ActionKind::DeleteFree { wait: waits.contains(&free) }));
        }
    }
    for (event, (owner, wait)) in &found.retained {
        actions.push((*owner, *event, ActionKind::RetainCopy { wait: wait.clone() }));
    }
    unify_replacements(graph, &mut actions);
    actions
}

/// The type that the pointer has as a variable or field.
fn type_of(program: &Program, holder: &Holder) -> Option<TypeId> {
    let own = program.variable(holder.variable).ty;
    let is_pointer = matches!(program.ty(own).kind, TypeKind::Pointer { .. });
    if holder.path.is_empty() && is_pointer { Some(own) } else { holder.ty }
}

/// One statement seen in several contexts gets the strongest of the waits it needs in any.
fn unify_replacements(graph: &EventGraph, actions: &mut Actions) {
    let mut strongest: BTreeMap<StatementRef, Replacement> = BTreeMap::new();
    let mut free_waits: BTreeMap<StatementRef, bool> = BTreeMap::new();
    for (_, event, kind) in actions.iter() {
        let at = graph.events[event.index()].at;
        match kind {
            ActionKind::RemoveCopy(replacement) | ActionKind::RetainCopy { wait: replacement } => {
                let slot = strongest.entry(at).or_insert(Replacement::Nothing);
                if *slot == Replacement::Nothing {
                    *slot = replacement.clone();
                }
            }
            ActionKind::FreeMerged { wait } | ActionKind::DeleteFree { wait } => {
                *free_waits.entry(at).or_insert(false) |= *wait;
            }
            ActionKind::AllocateHere | ActionKind::AliasHere { .. } => {}
        }
    }
    for (_, event, kind) in actions.iter_mut() {
        let at = graph.events[event.index()].at;
        match kind {
            ActionKind::RemoveCopy(replacement) | ActionKind::RetainCopy { wait: replacement } => {
                if let Some(strong) = strongest.get(&at) {
                    *replacement = strong.clone();
                }
            }
            ActionKind::FreeMerged { wait } | ActionKind::DeleteFree { wait } => {
                *wait |= free_waits.get(&at).copied().unwrap_or(false);
            }
            ActionKind::AllocateHere | ActionKind::AliasHere { .. } => {}
        }
    }
}

/// Pairs with an action on a statement whose other executions (in other contexts) are not changed alike.
pub(super) fn disagreements(graph: &EventGraph, actions: &Actions) -> Vec<(usize, EventId)> {
    let mut by_event: BTreeMap<EventId, (usize, &ActionKind)> = BTreeMap::new();
    for (pair, event, kind) in actions {
        by_event.insert(*event, (*pair, kind));
    }
    let mut by_statement: BTreeMap<StatementRef, Vec<EventId>> = BTreeMap::new();
    for (index, event) in graph.events.iter().enumerate() {
        let edited = matches!(
            event.kind,
            EventKind::Allocate(_)
                | EventKind::HostRelease { .. }
                | EventKind::DeviceRelease { .. }
                | EventKind::Copy(_)
        );
        if edited {
            by_statement.entry(event.at).or_default().push(EventId::new(index));
        }
    }
    let mut found = Vec::new();
    for events in by_statement.values() {
        let kinds: Vec<Option<&ActionKind>> =
            events.iter().map(|e| by_event.get(e).map(|(_, kind)| *kind)).collect();
        if kinds.iter().all(|k| *k == kinds[0]) {
            continue;
        }
        for event in events {
            if let Some((pair, _)) = by_event.get(event) {
                found.push((*pair, *event));
            }
        }
    }
    found
}
