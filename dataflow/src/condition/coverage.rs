//! C (coverage), S3 (pointer), S2b (self-overlap), S6 (kind) and size: what single events say about a pair.

use std::collections::{BTreeMap, BTreeSet};

use crate::candidate::{ends, is_linking};
use crate::event::{EventGraph, EventId, EventKind, Mode, ObjectId, Observation, Range, Role};
use crate::mutation::is_on;
use crate::program::{Program, Spelling, Storage};
use crate::size::Size;
use crate::target::Options;
use crate::verdict::{Condition, Objection, PlaceRole, Reason, Side};

use super::{Pairs, link_place, place};

/// Objections of all pairs that need no flow.
pub(crate) fn check(
    program: &Program,
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
) -> Vec<(usize, Objection)> {
    let on = |name| is_on(options, name);
    let mut found = Vec::new();
    let mut sites = Sites::new(program, graph, pairs);
    for (index, event) in graph.events.iter().enumerate() {
        let id = EventId::new(index);
        match &event.kind {
            EventKind::Escape { target, how } if on("escape") => {
                for (pair, side) in sides(pairs, &target.objects) {
                    let reason = Reason::Escapes { how: how.clone() };
                    let role = PlaceRole::Other(format!("{} here: {how}", escapes(side)));
                    found.push((
                        pair,
                        objection(graph, Condition::Coverage, reason, id, role, false),
                    ));
                }
            }
            EventKind::Observe { target, how } if on(switch_of(how)) => {
                for (pair, side) in sides(pairs, &target.objects) {
                    found.push((pair, observed(graph, id, side, how)));
                }
            }
            EventKind::Copy(copy) => {
                found.extend(copy_between(graph, pairs, options, id, copy));
            }
            EventKind::Work(work) => {
                let mut touched: BTreeSet<(usize, bool)> = BTreeSet::new();
                let mut written = BTreeSet::new();
                for access in &work.accesses {
                    for (pair, side) in sides(pairs, &access.target.objects) {
                        touched.insert((pair, side == Side::Host));
                        if access.mode != Mode::Read {
                            written.insert(pair);
                        }
                    }
                }
                for &pair in written.iter().filter(|_| on("both-sides")) {
                    if touched.contains(&(pair, true)) && touched.contains(&(pair, false)) {
                        let role = PlaceRole::Other("both buffers are accessed here".to_owned());
                        found.push((
                            pair,
                            objection(
                                graph,
                                Condition::SelfOverlap,
                                Reason::BothSides,
                                id,
                                role,
                                true,
                            ),
                        ));
                    }
                }
            }
            EventKind::HostCallback { accesses, unknown, .. }
            | EventKind::ThreadStart { accesses, unknown, .. } => {
                let reached: Vec<usize> = accesses
                    .iter()
                    .flat_map(|access| sides(pairs, &access.target.objects))
                    .map(|(pair, _)| pair)
                    .chain(sites.in_statics.iter().copied().filter(|_| *unknown))
                    .collect();
                for pair in reached.into_iter().filter(|_| on("threads")) {
                    let role =
                        PlaceRole::Other("other code runs at the same time from here".to_owned());
                    found.push((
                        pair,
                        objection(graph, Condition::Coverage, Reason::Threads, id, role, false),
                    ));
                }
                if *unknown {
                    sites.in_statics.clear();
                }
            }
            EventKind::Allocate(_)
            | EventKind::HostRelease { .. }
            | EventKind::DeviceRelease { .. }
            | EventKind::Host(_)
            | EventKind::Synchronize(_)
            | EventKind::Record { .. }
            | EventKind::StreamWait { .. }
            | EventKind::Store { .. }
            | EventKind::SetDevice { .. }
            | EventKind::SetDeviceFlags
            | EventKind::DeviceReset
            | EventKind::ProcessControl { .. }
            | EventKind::Capture { .. }
            | EventKind::Escape { .. }
            | EventKind::Observe { .. }
            | EventKind::ReadClock { .. }
            | EventKind::ReadMemoryInfo
            | EventKind::ThreadJoin
            | EventKind::UnknownCode { .. }
            | EventKind::Return { .. }
            | EventKind::Exit => {}
        }
    }
    for (index, _) in pairs.list.iter().enumerate() {
        found.extend(
            text_objections(program, graph, pairs, options, &sites, index)
                .into_iter()
                .map(|o| (index, o)),
        );
        if on("size") {
            found.extend(size_objection(graph, pairs, index).map(|o| (index, o)));
        }
    }
    found
}

fn escapes(side: Side) -> &'static str {
    match side {
        Side::Host => "the host pointer escapes",
        Side::Device => "the device pointer escapes",
    }
}

fn sides(pairs: &Pairs, objects: &[ObjectId]) -> Vec<(usize, Side)> {
    objects.iter().flat_map(|&o| pairs.of(o).iter().copied()).collect()
}

fn objection(
    graph: &EventGraph,
    condition: Condition,
    reason: Reason,
    at: EventId,
    role: PlaceRole,
    certain: bool,
) -> Objection {
    Objection { condition, reason, certain, places: vec![place(graph, at, role)], repair: None }
}

/// The check that objects to an observation.
fn switch_of(how: &Observation) -> &'static str {
    match how {
        Observation::KindSpecific(_) => "kind",
        Observation::Compared
        | Observation::Subtracted
        | Observation::Converted
        | Observation::Attributes => "observed",
    }
}

fn observed(graph: &EventGraph, id: EventId, side: Side, how: &Observation) -> Objection {
    let what = match side {
        Side::Host => "the host pointer",
        Side::Device => "the device pointer",
    };
    let (condition, reason) = match how {
        Observation::KindSpecific(name) => (
            Condition::Kind,
            Reason::Kind {
                code: "kind-specific-operation",
                what: format!("`{name}` depends on the kind of memory it is given"),
            },
        ),
        Observation::Compared
        | Observation::Subtracted
        | Observation::Converted
        | Observation::Attributes => (Condition::Pointer, Reason::Observed(how.clone())),
    };
    objection(
        graph,
        condition,
        reason,
        id,
        PlaceRole::Other(format!("{what} is observed here")),
        true,
    )
}

/// Copies that touch both sides of a pair but are not linking, or may be.
fn copy_between(
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
    id: EventId,
    copy: &crate::event::Copy,
) -> Vec<(usize, Objection)> {
    let mut found = Vec::new();
    let exact = ends(graph, copy);
    let joined: BTreeSet<usize> = sides(pairs, &copy.to.target.objects)
        .into_iter()
        .filter(|&(index, side)| {
            let pair = &pairs.list[index];
            copy.from.target.may_be(if side == Side::Host { pair.device } else { pair.host })
        })
        .map(|(index, _)| index)
        .collect();
    for index in joined {
        let pair = &pairs.list[index];
        let is_exact =
            exact.is_some_and(|(host, device, _)| host == pair.host && device == pair.device);
        if is_exact && !is_linking(copy) && is_on(options, "offset-copy") {
            let role = PlaceRole::Other("bytes move to other offsets here".to_owned());
            let mut o =
                objection(graph, Condition::SelfOverlap, Reason::OffsetCopy, id, role, true);
            o.places.extend(link_place(graph, pair));
            found.push((index, o));
        } else if !is_exact && is_on(options, "ambiguous-copy") {
            let role = PlaceRole::Other("this copy may join other buffers".to_owned());
            let ambiguous =
                objection(graph, Condition::Coverage, Reason::Ambiguous, id, role, false);
            found.push((index, ambiguous));
        }
    }
    found
}

/// The places of each pair in the text.
struct Sites {
    /// Per object: events that may free it.
    frees: BTreeMap<ObjectId, Vec<EventId>>,
    /// Pairs a side of which is held in a static variable at some time: any code of the program may reach them.
    in_statics: BTreeSet<usize>,
}

impl Sites {
    fn new(program: &Program, graph: &EventGraph, pairs: &Pairs) -> Self {
        let mut sites = Self { frees: BTreeMap::new(), in_statics: BTreeSet::new() };
        for (index, event) in graph.events.iter().enumerate() {
            if let Role::Death(target) = event.kind.role() {
                for &object in &target.objects {
                    sites.frees.entry(object).or_default().push(EventId::new(index));
                }
            }
            let EventKind::Store { holder, value, .. } = &event.kind else { continue };
            let is_static = match program.variable(holder.variable).storage {
                Storage::Global | Storage::InternalGlobal | Storage::StaticLocal => true,
                Storage::Local
                | Storage::Parameter
                | Storage::Temporary
                | Storage::Device
                | Storage::Managed => false,
            };
            if is_static {
                let held = sides(pairs, &value.objects);
                sites.in_statics.extend(held.into_iter().map(|(pair, _)| pair));
            }
        }
        sites
    }
}

/// Macros, conditional compilation, volatile and restricted names.
fn text_objections(
    program: &Program,
    graph: &EventGraph,
    pairs: &Pairs,
    options: &Options,
    known: &Sites,
    index: usize,
) -> Vec<Objection> {
    let on = |name| is_on(options, name);
    let pair = &pairs.list[index];
    let mut found = Vec::new();
    let (host, device) = (graph.object(pair.host), graph.object(pair.device));
    let Some(at) = device.allocation.or(host.allocation) else { return found };
    let mut branches = BTreeSet::new();
    let mut sites: Vec<EventId> =
        [host.allocation, device.allocation].into_iter().flatten().collect();
    sites.extend(&pair.linking_copies);
    for object in [pair.host, pair.device] {
        sites.extend(known.frees.get(&object).into_iter().flatten());
    }
    for &site in &sites {
        let source = graph.events[site.index()].source;
        branches.insert((
            source.span.file,
            program.file(source.span.file).conditional_branch(source.span.start),
        ));
    }
    let files: BTreeSet<_> = branches.iter().map(|(file, _)| *file).collect();
    if branches.len() > files.len() && on("conditional") {
        let role = PlaceRole::Other("its sites are in different preprocessor branches".to_owned());
        found.push(objection(
            graph,
            Condition::Coverage,
            Reason::ConditionalCompilation,
            at,
            role,
            true,
        ));
    }
    for &site in &sites {
        if graph.events[site.index()].source.spelling == Spelling::MacroBody && on("in-macro") {
            let reason = Reason::Edit {
                code: "in-macro",
                what: "a statement that must change comes from the body of a macro".to_owned(),
            };
            let role = PlaceRole::Other("written in a macro's body".to_owned());
            found.push(objection(graph, Condition::Edit, reason, site, role, true));
            break;
        }
    }
    found
}

fn size_objection(graph: &EventGraph, pairs: &Pairs, index: usize) -> Option<Objection> {
    let pair = &pairs.list[index];
    let (host, device) = (graph.object(pair.host), graph.object(pair.device));
    let words = |size: &Option<Size>| match size {
        Some(size) => size.display(|s| graph.symbols[s.index()].clone()),
        None => "unknown".to_owned(),
    };
    let full_copy = pair.linking_copies.iter().any(|&copy| {
        matches!(&graph.events[copy.index()].kind, EventKind::Copy(copy)
            if copy.to.range == Range::Whole && copy.from.range == Range::Whole)
    });
    let zero = host.bytes.as_ref().and_then(Size::as_constant) == Some(0);
    if host.bytes.is_some() && host.bytes == device.bytes && full_copy && !zero {
        return None;
    }
    let at = *pair.linking_copies.first()?;
    let reason = Reason::Size { host: words(&host.bytes), device: words(&device.bytes) };
    let known = host.bytes.is_some() && device.bytes.is_some();
    Some(objection(graph, Condition::Size, reason, at, PlaceRole::Link, known))
}
