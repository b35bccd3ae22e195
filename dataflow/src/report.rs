//! Verdicts on the pairs of a whole program: every root judged, and what several roots say of one pair made one verdict.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use crate::effect::EffectModels;
use crate::event::{EventGraph, EventId, EventKind, ObjectId};
use crate::interpret::{event_graphs, unseen_functions};
use crate::judge::judge_except;
use crate::mutation::is_on;
use crate::program::{FunctionId, Program, SourceRef, StatementRef, Storage, VariableId};
use crate::target::{MemoryKind, Options};
use crate::verdict::{
    ActionKind, Condition, Judged, Objection, Proof, Reason, Replacement, Verdict,
};

/// The allocations of a pair: host, device. What a pair is in the source.
pub type PairKey = (StatementRef, StatementRef);

/// One pair of the source, over all roots and contexts.
#[derive(Debug, Clone)]
pub struct PairReport {
    /// Its allocations.
    pub key: PairKey,
    /// Host side.
    pub host: SideReport,
    /// Device side.
    pub device: SideReport,
    /// Bytes, for people: `n * 4`.
    pub bytes: String,
    /// The verdict.
    pub verdict: Verdict,
    /// Kinds of memory the merge is sound with.
    pub admissible: Vec<MemoryKind>,
    /// The others, with reasons.
    pub excluded: Vec<(MemoryKind, Objection)>,
    /// Its copies.
    pub copies: Vec<CopyReport>,
    /// What was assumed.
    pub assumptions: Vec<String>,
    /// Variables that other files may name and that hold one of the sides at some time.
    pub globals: BTreeSet<String>,
}

/// One side.
#[derive(Debug, Clone)]
pub struct SideReport {
    /// Variable it is held in.
    pub name: String,
    /// The variable, if it is simple.
    pub variable: Option<VariableId>,
    /// Allocating statement.
    pub allocation: StatementRef,
    /// Where that is.
    pub source: SourceRef,
}

/// One copy that joins, or touches, the pair.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct CopyReport {
    /// Where.
    pub source: SourceRef,
    /// From host to device.
    pub to_device: bool,
    /// Joins the two sides, byte for byte.
    pub linking: bool,
    /// What replaces it, if it goes away.
    pub replacement: Option<Replacement>,
}

/// Pairs that must not be merged, with the reason.
pub type Refusals = BTreeMap<PairKey, Objection>;

/// All pairs of `program`, in source order. `refused` pairs are declined, and everything else is judged without them.
#[must_use]
pub fn pair_reports(
    program: &Program,
    models: &EffectModels,
    options: &Options,
    refused: &Refusals,
) -> Vec<PairReport> {
    reports_on(program, &event_graphs(program, models), options, refused)
}

/// The same, where the [`event_graphs`] of `program` are known.
#[must_use]
pub fn reports_on(
    program: &Program,
    graphs: &[EventGraph],
    options: &Options,
    refused: &Refusals,
) -> Vec<PairReport> {
    let unseen =
        if is_on(options, "unseen") { unseen_functions(program, graphs) } else { BTreeSet::new() };
    let mut refused = refused.clone();
    loop {
        let judged: Vec<(&EventGraph, Vec<Judged>)> = graphs
            .iter()
            .map(|graph| (graph, judge_except(program, graph, options, &refused)))
            .collect();
        let mut disagreements = disagreements(&judged, &unseen);
        if !is_on(options, "contexts") {
            disagreements.clear();
        }
        let new: Vec<_> =
            disagreements.into_iter().filter(|(key, _)| !refused.contains_key(key)).collect();
        if new.is_empty() {
            return combine(program, &judged);
        }
        refused.extend(new);
    }
}

pub(crate) fn key(graph: &EventGraph, judged: &Judged) -> Option<PairKey> {
    key_of(graph, &judged.pair)
}

pub(crate) fn key_of(graph: &EventGraph, pair: &crate::verdict::CandidatePair) -> Option<PairKey> {
    let at = |object| graph.object(object).allocation.map(|e: EventId| graph.events[e.index()].at);
    Some((at(pair.host)?, at(pair.device)?))
}

fn proof(judged: &Judged) -> Option<&Proof> {
    match &judged.verdict {
        Verdict::Merge(proof) => Some(proof),
        Verdict::Decline(_) => None,
    }
}

/// Pairs that one root merges and another does not, or not alike; and pairs whose edits touch a statement that serves
/// unmerged buffers in another root, or that also runs where it is not seen.
fn disagreements(judged: &[(&EventGraph, Vec<Judged>)], unseen: &BTreeSet<FunctionId>) -> Refusals {
    let mut proofs: BTreeMap<PairKey, Vec<(Option<&Proof>, SourceRef)>> = BTreeMap::new();
    let mut edited: BTreeMap<StatementRef, BTreeSet<PairKey>> = BTreeMap::new();
    let mut untouched: BTreeSet<StatementRef> = BTreeSet::new();
    for (graph, list) in judged {
        let mut own: BTreeSet<StatementRef> = BTreeSet::new();
        for judged in list {
            let Some(key) = key(graph, judged) else { continue };
            let source =
                graph.object(judged.pair.device).allocation.map(|e| graph.events[e.index()].source);
            if let Some(source) = source {
                proofs.entry(key).or_default().push((proof(judged), source));
            }
            if let Some(proof) = proof(judged) {
                for action in proof.actions() {
                    own.insert(action.at);
                    edited.entry(action.at).or_default().insert(key);
                }
            }
        }
        for event in &graph.events {
            let kind = matches!(
                event.kind,
                EventKind::Allocate(_)
                    | EventKind::HostRelease { .. }
                    | EventKind::DeviceRelease { .. }
                    | EventKind::Copy(_)
            );
            if kind && !own.contains(&event.at) {
                untouched.insert(event.at);
            }
        }
    }
    let mut refusals = Refusals::new();
    let refuse = |source: SourceRef| Objection {
        condition: Condition::Edit,
        reason: Reason::Edit {
            code: "contexts-disagree",
            what: "the same lines serve other callers, for which the merge is not proved"
                .to_owned(),
        },
        certain: true,
        places: vec![crate::verdict::Place {
            source,
            role: crate::verdict::PlaceRole::Other(
                "allocated here, for several callers".to_owned(),
            ),
        }],
        repair: None,
    };
    for (key, list) in &proofs {
        let merges = list.iter().filter(|(proof, _)| proof.is_some()).count();
        let alike = list
            .windows(2)
            .all(|pair| pair[0].0.map(Proof::actions) == pair[1].0.map(Proof::actions));
        if merges > 0 && !alike {
            refusals.insert(*key, refuse(list[0].1));
        }
    }
    for (at, keys) in edited {
        if untouched.contains(&at) || unseen.contains(&at.function) {
            for key in keys {
                if let Some(list) = proofs.get(&key) {
                    refusals.entry(key).or_insert_with(|| refuse(list[0].1));
                }
            }
        }
    }
    refusals
}

fn combine(program: &Program, judged: &[(&EventGraph, Vec<Judged>)]) -> Vec<PairReport> {
    let mut reports: BTreeMap<PairKey, PairReport> = BTreeMap::new();
    for (graph, list) in judged {
        let copies = copies_by_object(graph);
        let globals = globals_by_object(program, graph);
        for judged in list {
            let Some(key) = key(graph, judged) else { continue };
            let report = report(program, graph, &copies, &globals, judged, key);
            match reports.get_mut(&key) {
                None => {
                    reports.insert(key, report);
                }
                Some(first) => {
                    // A decline in any context is the verdict; its reason is the one to show.
                    if matches!(first.verdict, Verdict::Merge(_))
                        && matches!(report.verdict, Verdict::Decline(_))
                    {
                        first.verdict = report.verdict;
                    }
                    first.admissible.retain(|kind| report.admissible.contains(kind));
                    first.copies.extend(report.copies);
                    first.globals.extend(report.globals);
                    for assumption in report.assumptions {
                        if !first.assumptions.contains(&assumption) {
                            first.assumptions.push(assumption);
                        }
                    }
                }
            }
        }
    }
    let mut list: Vec<PairReport> = reports.into_values().collect();
    for report in &mut list {
        let mut seen = HashSet::new();
        report.copies.retain(|copy| seen.insert(copy.clone()));
    }
    list.sort_by_key(|r| {
        (
            r.device.source.span.file,
            r.device.source.span.start,
            r.host.source.span.file,
            r.host.source.span.start,
        )
    });
    list
}

/// Per object: the copies that may touch it, in order.
fn copies_by_object(graph: &EventGraph) -> HashMap<ObjectId, Vec<EventId>> {
    let mut copies: HashMap<ObjectId, Vec<EventId>> = HashMap::new();
    for (index, event) in graph.events.iter().enumerate() {
        let EventKind::Copy(copy) = &event.kind else { continue };
        for &object in copy.to.target.objects.iter().chain(&copy.from.target.objects) {
            copies.entry(object).or_default().push(EventId::new(index));
        }
    }
    copies
}

fn report(
    program: &Program,
    graph: &EventGraph,
    copies: &HashMap<ObjectId, Vec<EventId>>,
    globals: &HashMap<ObjectId, BTreeSet<String>>,
    judged: &Judged,
    key: PairKey,
) -> PairReport {
    let side = |object, at: StatementRef| {
        let object = graph.object(object);
        SideReport {
            name: object.name.clone(),
            variable: object.named_after,
            allocation: at,
            source: program.statement(at).source,
        }
    };
    let bytes = match &graph.object(judged.pair.host).bytes {
        Some(size) => size.display(|s| graph.symbols[s.index()].clone()),
        None => "unknown".to_owned(),
    };
    let replacement = |at: StatementRef| {
        let actions = proof(judged)?.actions();
        let from = actions.partition_point(|action| action.at < at);
        actions[from..].iter().take_while(|action| action.at == at).find_map(|action| match &action
            .kind
        {
            ActionKind::RemoveCopy(replacement) => Some(replacement.clone()),
            ActionKind::AllocateHere
            | ActionKind::AliasHere { .. }
            | ActionKind::RetainCopy { .. }
            | ActionKind::FreeMerged { .. }
            | ActionKind::DeleteFree { .. } => None,
        })
    };
    let pair = &judged.pair;
    let touching: BTreeSet<EventId> = [pair.host, pair.device]
        .iter()
        .flat_map(|object| copies.get(object).into_iter().flatten())
        .copied()
        .collect();
    let copies = touching.into_iter().filter_map(|id| {
        let event = &graph.events[id.index()];
        let EventKind::Copy(copy) = &event.kind else { return None };
        let linking = pair.linking_copies.binary_search(&id).is_ok();
        Some(CopyReport {
            source: event.source,
            to_device: copy.to.target.may_be(pair.device),
            linking,
            replacement: if linking { replacement(event.at) } else { None },
        })
    });
    let copies = copies.collect();
    PairReport {
        key,
        host: side(judged.pair.host, key.0),
        device: side(judged.pair.device, key.1),
        bytes,
        verdict: judged.verdict.clone(),
        admissible: judged.admissible.clone(),
        excluded: judged.excluded.clone(),
        copies,
        assumptions: judged.assumptions.clone(),
        globals: [pair.host, pair.device]
            .iter()
            .flat_map(|object| globals.get(object).into_iter().flatten())
            .cloned()
            .collect(),
    }
}

/// Per object: the variables visible to other files that hold it at some time.
fn globals_by_object(program: &Program, graph: &EventGraph) -> HashMap<ObjectId, BTreeSet<String>> {
    let mut globals: HashMap<ObjectId, BTreeSet<String>> = HashMap::new();
    for event in &graph.events {
        let EventKind::Store { holder, value, .. } = &event.kind else { continue };
        let variable = program.variable(holder.variable);
        if variable.storage == Storage::Global {
            for &object in &value.objects {
                globals.entry(object).or_default().insert(variable.name.clone());
            }
        }
    }
    globals
}
