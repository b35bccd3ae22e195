//! Verdicts on the candidate pairs of one root, judged jointly.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::dominators::Dominance;
use crate::candidate::candidates;
use crate::condition::{Pairs, coverage, lifetime, order, place, timing, value};
use crate::event::{EventGraph, EventId, EventKind, ObjectId, ObjectKind};
use crate::mutation::is_on;
use crate::program::{HostAllocator, Program, Spelling, StatementRef};
use crate::size::Size;
use crate::target::{MemoryKind, Options, Target};
use crate::verdict::{
    Action, ActionKind, Condition, Judged, Objection, PlaceRole, Proof, Reason, Repair,
    Replacement, Side, Verdict,
};

/// Judges the pairs of `graph`.
#[must_use]
pub fn judge(program: &Program, graph: &EventGraph, options: &Options) -> Vec<Judged> {
    judge_except(program, graph, options, &BTreeMap::new())
}

/// The same, with some pairs declined beforehand.
pub(crate) fn judge_except(
    program: &Program,
    graph: &EventGraph,
    options: &Options,
    refused: &crate::report::Refusals,
) -> Vec<Judged> {
    let pairs = Pairs::new(candidates(graph));
    if pairs.list.is_empty() {
        return Vec::new();
    }
    let dominance = Dominance::new(graph);
    let mut objections: Vec<Vec<Objection>> = vec![Vec::new(); pairs.list.len()];
    let mut assumptions: Vec<Vec<String>> = vec![Vec::new(); pairs.list.len()];
    let mut add = |(pair, objection): (usize, Objection)| objections[pair].push(objection);
    let values = value::check(graph, &pairs, options);
    values.objections.into_iter().for_each(&mut add);
    order::check(graph, &pairs, options, &order::View::Original)
        .objections
        .into_iter()
        .for_each(&mut add);
    timing::check(graph, &pairs).into_iter().for_each(&mut add);
    let lives = lifetime::check(graph, &pairs, &dominance, options);
    lives.objections.into_iter().for_each(&mut add);
    coverage::check(program, graph, &pairs, options).into_iter().for_each(&mut add);
    for index in 0..pairs.list.len() {
        objections[index].extend(names(program, graph, &pairs, index, &lives.plans[index]));
    }
    coarse_grain(graph, &pairs, options).into_iter().for_each(|(pair, o)| objections[pair].push(o));
    for (index, pair) in pairs.list.iter().enumerate() {
        let refusal = crate::report::key_of(graph, pair).and_then(|key| refused.get(&key));
        objections[index].extend(refusal.cloned());
    }
    for pair in values.may_read_undefined {
        assumptions[pair].push("the program reads no byte that was never written".to_owned());
    }
    let exclusive = options.memory == MemoryKind::Managed
        && lacks_concurrent_access(options.target)
        && !options.paper_conditions;
    let mut merged = choose(graph, &pairs, &objections, options);
    let mut exclusive_of: Vec<Vec<Objection>> = vec![Vec::new(); pairs.list.len()];
    let outcome = loop {
        let view = order::View::Merged(order::Merged {
            pairs: &merged,
            frees: lives
                .plans
                .iter()
                .enumerate()
                .filter(|(pair, _)| merged[*pair])
                .flat_map(|(pair, plan)| {
                    // A deleted host free waited for nothing.
                    let waits = |free: &EventId| {
                        plan.last_frees.contains(free)
                            || matches!(
                                graph.events[free.index()].kind,
                                EventKind::DeviceRelease { .. }
                            )
                    };
                    plan.early_frees
                        .iter()
                        .chain(&plan.last_frees)
                        .filter(move |free| waits(free))
                        .map(move |&free| (free, pair))
                })
                .collect(),
            exclusive: lacks_concurrent_access(options.target) && !options.paper_conditions,
        });
        let found = order::check(graph, &pairs, options, &view);
        let mut dropped = BTreeSet::new();
        for (pair, objection) in &found.objections {
            objections[*pair].push(objection.clone());
            dropped.insert(*pair);
        }
        for (pair, objection) in &found.exclusive {
            exclusive_of[*pair].push(objection.clone());
            if exclusive {
                objections[*pair].push(objection.clone());
                dropped.insert(*pair);
            }
        }
        let actions = actions(program, graph, &pairs, &merged, &lives.plans, &found);
        for (pair, at) in disagreements(graph, &actions) {
            let what = "the same statement serves other buffers too, which are not merged alike"
                .to_owned();
            let mut objection = Objection {
                condition: Condition::Edit,
                reason: Reason::Edit { code: "contexts-disagree", what },
                certain: true,
                places: Vec::new(),
                repair: None,
            };
            objection.places.push(place(
                graph,
                at,
                PlaceRole::Other("this statement is shared".to_owned()),
            ));
            objections[pair].push(objection);
            dropped.insert(pair);
        }
        if dropped.is_empty() {
            // Small pairs are judged with the others, but the others must also hold without them.
            let small: Vec<(usize, Objection)> = (0..pairs.list.len())
                .filter(|&pair| merged[pair])
                .filter_map(|pair| Some((pair, too_small(graph, &pairs.list[pair], options)?)))
                .collect();
            if small.is_empty() {
                break actions;
            }
            for (pair, objection) in small {
                objections[pair].push(objection);
                dropped.insert(pair);
            }
        }
        for pair in dropped {
            merged[pair] = false;
        }
        // A pair that lost its place to a dropped one may take it now.
        merged = choose(graph, &pairs, &objections, options);
    };
    finish(program, graph, options, &pairs, merged, objections, &exclusive_of, assumptions, outcome)
}

/// Whether some device of the target lacks concurrentManagedAccess (notes/semantics.md section 2).
fn lacks_concurrent_access(target: Target) -> bool {
    match target {
        Target::AnyUma | Target::Orin | Target::Xavier => true,
        Target::Thor | Target::Gb10 | Target::Gh200 | Target::Mi300a | Target::Dgpu => false,
    }
}

/// Whether every device of the target lets the GPU use ordinary host memory.
fn has_pageable_access(target: Target) -> bool {
    match target {
        Target::Thor | Target::Gb10 | Target::Gh200 | Target::Mi300a => true,
        Target::AnyUma | Target::Orin | Target::Xavier | Target::Dgpu => false,
    }
}

/// On MI300A a kernel's floating-point atomics are only correct on the coarse-grained memory of `hipMalloc`. Which
/// read-modify-writes are atomic is not tracked, so all of them decline there.
fn coarse_grain(graph: &EventGraph, pairs: &Pairs, options: &Options) -> Vec<(usize, Objection)> {
    let mut found = Vec::new();
    if options.target != Target::Mi300a {
        return found;
    }
    for (index, event) in graph.events.iter().enumerate() {
        let EventKind::Work(work) = &event.kind else { continue };
        for access in work.accesses.iter().filter(|a| a.mode == crate::event::Mode::ReadWrite) {
            for &(pair, _) in access.target.objects.iter().flat_map(|&o| pairs.of(o)) {
                let what = "a kernel may use floating-point atomics on it, which need coarse-grained memory";
                found.push((
                    pair,
                    Objection {
                        condition: Condition::Kind,
                        reason: Reason::Kind { code: "float-atomics", what: what.to_owned() },
                        certain: false,
                        places: vec![place(
                            graph,
                            EventId::new(index),
                            PlaceRole::Other("this kernel".to_owned()),
                        )],
                        repair: None,
                    },
                ));
            }
        }
    }
    found
}

/// The threshold: a pair that is known to be small is not worth its merge.
fn too_small(
    graph: &EventGraph,
    pair: &crate::verdict::CandidatePair,
    options: &Options,
) -> Option<Objection> {
    let bytes = graph.object(pair.host).bytes.as_ref().and_then(Size::as_constant)?;
    let bytes = u64::try_from(bytes).ok().filter(|&bytes| bytes < options.min_bytes)?;
    Some(Objection {
        condition: Condition::Threshold,
        reason: Reason::TooSmall { bytes, min_bytes: options.min_bytes },
        certain: true,
        places: crate::condition::link_place(graph, pair).into_iter().collect(),
        repair: None,
    })
}

/// m:n: of the unobjectionable pairs that share a buffer, the one that saves most copies; ties in source order.
fn choose(
    graph: &EventGraph,
    pairs: &Pairs,
    objections: &[Vec<Objection>],
    options: &Options,
) -> Vec<bool> {
    let mut order: Vec<usize> =
        (0..pairs.list.len()).filter(|&i| objections[i].is_empty()).collect();
    let weight = |index: usize| -> i128 {
        let bytes = graph
            .object(pairs.list[index].host)
            .bytes
            .as_ref()
            .and_then(Size::as_constant)
            .unwrap_or(1);
        bytes.saturating_mul(i128::try_from(pairs.list[index].linking_copies.len()).unwrap_or(1))
    };
    order.sort_by_key(|&i| (std::cmp::Reverse(weight(i)), i));
    let mut used: BTreeSet<ObjectId> = BTreeSet::new();
    let mut merged = vec![false; pairs.list.len()];
    for index in order {
        let pair = &pairs.list[index];
        let free = !used.contains(&pair.host) && !used.contains(&pair.device);
        if free || !is_on(options, "sharing") {
            used.insert(pair.host);
            used.insert(pair.device);
            merged[index] = true;
        }
    }
    merged
}

/// R2: the alias can be written at the second allocation.
fn names(
    program: &Program,
    graph: &EventGraph,
    pairs: &Pairs,
    index: usize,
    plan: &lifetime::Plan,
) -> Vec<Objection> {
    let pair = &pairs.list[index];
    let Some(first) = plan.first else { return Vec::new() };
    let (first, second) = match first {
        Side::Host => (graph.object(pair.host), graph.object(pair.device)),
        Side::Device => (graph.object(pair.device), graph.object(pair.host)),
    };
    let Some(at) = second.allocation else { return Vec::new() };
    let fail = |what: &str| {
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
    let (Some(from), Some(to)) = (&first.holder, &second.holder) else {
        return fail("one of the pointers is never stored in a variable");
    };
    let event = &graph.events[at.index()];
    if from.path.contains(['@', ']']) || to.path.contains(['@', ']']) {
        return fail("one of the pointers is kept in a place without a simple name");
    }
    let (from_variable, to_variable) =
        (program.variable(from.variable), program.variable(to.variable));
    let is_static = |variable: &crate::program::Variable| match variable.storage {
        crate::program::Storage::Global
        | crate::program::Storage::InternalGlobal
        | crate::program::Storage::StaticLocal => true,
        crate::program::Storage::Local
        | crate::program::Storage::Parameter
        | crate::program::Storage::Temporary
        | crate::program::Storage::Device
        | crate::program::Storage::Managed => false,
    };
    let in_scope = |variable: &crate::program::Variable, context: crate::event::ContextId| {
        let Some(declaration) = variable.declaration else { return false };
        if declaration.spelling == Spelling::MacroBody {
            return false;
        }
        let span = event.source.span;
        let inside = declaration.scope.file == span.file
            && declaration.scope.start <= span.start
            && span.start < declaration.scope.end
            && declaration.name.start < span.start.max(declaration.name.start + 1);
        inside && (is_static(variable) || context == event.context)
    };
    if !in_scope(from_variable, from.context) {
        return fail(
            "the first pointer's variable is not in scope where the second buffer is allocated",
        );
    }
    if !in_scope(to_variable, to.context) {
        return fail("the second pointer's variable is not in scope where it is allocated");
    }
    if to.path.is_empty() && !to_variable.assignable {
        return fail("the second pointer's variable cannot be assigned");
    }
    if from_variable.restrict && to_variable.restrict {
        return fail("both pointers are `__restrict__`");
    }
    Vec::new()
}

/// The actions of each merged pair, by event.
type Actions = Vec<(usize, EventId, ActionKind)>;

fn actions(
    program: &Program,
    graph: &EventGraph,
    pairs: &Pairs,
    merged: &[bool],
    plans: &[lifetime::Plan],
    found: &order::Findings,
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
        if let (Some(from), Some(to)) = (&first.holder, &second.holder) {
            let name = |holder: &crate::event::Holder| {
                format!("{}{}", program.variable(holder.variable).name, holder.path)
            };
            actions.push((
                index,
                second_at,
                ActionKind::AliasHere {
                    first: name(from),
                    second: name(to),
                    first_variable: from.variable,
                    second_variable: to.variable,
                    zero_fill: zero_filled(graph, pair.host) && first_side == Side::Device,
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

fn zero_filled(graph: &EventGraph, host: ObjectId) -> bool {
    matches!(
        graph.object(host).kind,
        ObjectKind::HostHeap(HostAllocator::Calloc | HostAllocator::NewArrayZeroed)
    )
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
fn disagreements(graph: &EventGraph, actions: &Actions) -> Vec<(usize, EventId)> {
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

#[allow(clippy::too_many_arguments, reason = "everything that was found")]
fn finish(
    program: &Program,
    graph: &EventGraph,
    options: &Options,
    pairs: &Pairs,
    merged: Vec<bool>,
    mut objections: Vec<Vec<Objection>>,
    exclusive_of: &[Vec<Objection>],
    mut assumptions: Vec<Vec<String>>,
    actions: Actions,
) -> Vec<Judged> {
    let _ = program;
    let mut result = Vec::new();
    let mut actions_of: Vec<Vec<Action>> = vec![Vec::new(); pairs.list.len()];
    for (pair, event, kind) in actions {
        actions_of[pair].push(Action { at: graph.events[event.index()].at, kind });
    }
    let merged_of = |object: ObjectId| {
        pairs.of(object).iter().map(|&(pair, _)| pair).find(|&pair| merged[pair])
    };
    for (index, pair) in pairs.list.iter().enumerate() {
        let mut own = std::mem::take(&mut objections[index]);
        if own.is_empty() && !merged[index] {
            let chosen = merged_of(pair.host).or_else(|| merged_of(pair.device));
            let names = chosen.map(|other| {
                let other = &pairs.list[other];
                (graph.object(other.host).name.clone(), graph.object(other.device).name.clone())
            });
            own.push(Objection {
                condition: Condition::Sharing,
                reason: Reason::SharedBuffer { chosen: names },
                certain: true,
                places: crate::condition::link_place(graph, pair).into_iter().collect(),
                repair: None,
            });
        }
        let bytes = graph.object(pair.host).bytes.as_ref().and_then(Size::as_constant);
        if bytes.is_none() {
            assumptions[index].push("the buffer is not empty".to_owned());
        }
        assumptions[index].push(
            "every allocation succeeds, and the rest of the program has no data race".to_owned(),
        );
        let (mut admissible, mut excluded) = kinds(options, &exclusive_of[index], graph, pair);
        if !own
            .iter()
            .all(|o| matches!(o.condition, Condition::ExclusiveAccess | Condition::Threshold))
        {
            excluded.clear();
            admissible.clear();
        }
        own.sort_by_key(|o| o.condition);
        own.dedup_by(|a, b| {
            a.condition == b.condition && a.reason == b.reason && a.places == b.places
        });
        for objection in &mut own {
            if objection.condition == Condition::ExclusiveAccess && objection.repair.is_none() {
                objection.repair = Some(Repair::Memory(MemoryKind::Mapped));
            }
        }
        let verdict = if own.is_empty() {
            let mut list = std::mem::take(&mut actions_of[index]);
            list.sort_by_key(|a| a.at);
            list.dedup();
            Verdict::Merge(Proof { memory: options.memory, actions: list })
        } else {
            Verdict::Decline(own)
        };
        result.push(Judged {
            pair: pair.clone(),
            verdict,
            admissible,
            excluded,
            assumptions: std::mem::take(&mut assumptions[index]),
        });
    }
    result
}

/// Which kinds of memory the merge is sound with on every device of the target.
fn kinds(
    options: &Options,
    exclusive: &[Objection],
    graph: &EventGraph,
    pair: &crate::verdict::CandidatePair,
) -> (Vec<MemoryKind>, Vec<(MemoryKind, Objection)>) {
    let mut admissible = Vec::new();
    let mut excluded = Vec::new();
    match exclusive.first() {
        Some(objection) if lacks_concurrent_access(options.target) => {
            excluded.push((MemoryKind::Managed, objection.clone()));
        }
        Some(_) | None => admissible.push(MemoryKind::Managed),
    }
    admissible.push(MemoryKind::Mapped);
    let kind_objection = |code: &'static str, what: &str| Objection {
        condition: Condition::Kind,
        reason: Reason::Kind { code, what: what.to_owned() },
        certain: true,
        places: crate::condition::link_place(graph, pair).into_iter().collect(),
        repair: None,
    };
    if !has_pageable_access(options.target) {
        let what = "not every device of the target lets the GPU use ordinary host memory";
        excluded.push((MemoryKind::System, kind_objection("no-pageable-access", what)));
    }
    (admissible, excluded)
}
