//! Verdicts on the candidate pairs of one root, judged jointly.

mod actions;
mod kinds;
mod names;

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::dominators::Dominance;
use crate::candidate::candidates;
use crate::condition::alias::Names;
use crate::condition::{Pairs, coverage, lifetime, link_place, order, place, reset, timing, value};
use crate::event::{EventGraph, EventId, EventKind, ObjectId};
use crate::mutation::is_on;
use crate::program::Program;
use crate::size::Size;
use crate::target::{MemoryKind, Options};
use crate::verdict::{
    Action, CandidatePair, Condition, Judged, Objection, PlaceRole, Proof, Reason, Repair, Verdict,
};
use actions::{Actions, actions, disagreements};
use kinds::{Ordinary, assumption, coarse_grain, directions, kinds, lacks_concurrent_access};

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
    let names = Names::new(program);
    let dominance = Dominance::new(graph);
    let mut objections: Vec<Vec<Objection>> = vec![Vec::new(); pairs.list.len()];
    let mut assumptions: Vec<Vec<String>> = vec![Vec::new(); pairs.list.len()];
    let mut add = |(pair, objection): (usize, Objection)| objections[pair].push(objection);
    let values = value::check(graph, &pairs, options);
    values.objections.into_iter().for_each(&mut add);
    timing::check(graph, &pairs, options).into_iter().for_each(&mut add);
    let lives = lifetime::check(&names, graph, &pairs, &dominance, options);
    lives.objections.into_iter().for_each(&mut add);
    coverage::check(program, graph, &pairs, options).into_iter().for_each(&mut add);
    for (index, own) in objections.iter_mut().enumerate() {
        let plan = &lives.plans[index];
        own.extend(names::objections(program, &names, graph, &pairs, options, index, plan));
    }
    coarse_grain(graph, &pairs, options).into_iter().for_each(|(pair, o)| objections[pair].push(o));
    directions(graph, &pairs, options).into_iter().for_each(|(pair, o)| objections[pair].push(o));
    let ordinary = Ordinary::new(graph);
    ordinary.check(&pairs, options).into_iter().for_each(|(pair, o)| objections[pair].push(o));
    for (index, pair) in pairs.list.iter().enumerate() {
        let refusal = crate::report::key_of(graph, pair).and_then(|key| refused.get(&key));
        objections[index].extend(refusal.cloned());
    }
    // The last to be said, where nothing else is known against a merge.
    for (pair, objection) in reset::check(graph, &pairs, options) {
        if objections[pair].is_empty() {
            objections[pair].push(objection);
        }
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
        let changes = order::Merged {
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
        };
        let found = order::check(graph, &pairs, options, &changes);
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
        let actions =
            actions(program, &names, graph, &pairs, &merged, &lives.plans, &found, options);
        let disagreements =
            if is_on(options, "contexts") { disagreements(graph, &actions) } else { Vec::new() };
        for (pair, at) in disagreements {
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
        if !is_on(options, "joint") {
            break actions.into_iter().filter(|(pair, _, _)| merged[*pair]).collect();
        }
        // A pair that lost its place to a dropped one may take it now.
        merged = choose(graph, &pairs, &objections, options);
    };
    finish(
        graph,
        options,
        &pairs,
        merged,
        objections,
        &exclusive_of,
        &ordinary,
        assumptions,
        outcome,
    )
}

/// The threshold: a pair that is known to be small is not worth its merge.
fn too_small(graph: &EventGraph, pair: &CandidatePair, options: &Options) -> Option<Objection> {
    let bytes = graph.object(pair.host).bytes.as_ref().and_then(Size::as_constant)?;
    let bytes = u64::try_from(bytes).ok().filter(|&bytes| bytes < options.min_bytes)?;
    Some(Objection {
        condition: Condition::Threshold,
        reason: Reason::TooSmall { bytes, min_bytes: options.min_bytes },
        certain: true,
        places: link_place(graph, pair).into_iter().collect(),
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

#[allow(clippy::too_many_arguments, reason = "everything that was found")]
fn finish(
    graph: &EventGraph,
    options: &Options,
    pairs: &Pairs,
    merged: Vec<bool>,
    mut objections: Vec<Vec<Objection>>,
    exclusive_of: &[Vec<Objection>],
    ordinary: &Ordinary<'_>,
    mut assumptions: Vec<Vec<String>>,
    actions: Actions,
) -> Vec<Judged> {
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
                places: link_place(graph, pair).into_iter().collect(),
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
        assumptions[index].extend(assumption(options).map(str::to_owned));
        let (mut admissible, mut excluded) = kinds(options, &exclusive_of[index], ordinary, pair);
        let of_chosen_kind = |o: &Objection| {
            matches!(o.condition, Condition::ExclusiveAccess | Condition::Threshold)
                || excluded.iter().any(|(kind, why)| *kind == options.memory && why == o)
        };
        if !own.iter().all(of_chosen_kind) {
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
