//! Variables that can name the merged buffer where its second pointer is assigned (rule R2 of rewriting).

use std::collections::{HashMap, HashSet};

use crate::event::{Event, EventGraph, EventKind, Holder, ObjectId};
use crate::program::{Program, Spelling, Storage};
use crate::verdict::{CandidatePair, Side};

/// Which variables receive which objects.
pub(crate) struct Receivers<'g> {
    /// Per object: the variables with a simple name that receive exactly its address, in order of event.
    of_object: HashMap<ObjectId, Vec<&'g Holder>>,
    /// Per variable: the one object whose address it receives; `None` if it receives anything else too.
    only: HashMap<&'g Holder, Option<ObjectId>>,
}

impl<'g> Receivers<'g> {
    /// Of `graph`.
    pub(crate) fn new(graph: &'g EventGraph) -> Self {
        let mut seen = HashSet::new();
        let mut found: HashMap<ObjectId, Vec<&Holder>> = HashMap::new();
        let mut only: HashMap<&Holder, Option<ObjectId>> = HashMap::new();
        for event in &graph.events {
            let EventKind::Store { holder, value, exact } = &event.kind else { continue };
            let received = value.single().filter(|_| *exact);
            let held = only.entry(holder).or_insert(received);
            if *held != received {
                *held = None;
            }
            if let Some(object) = received
                && !holder.path.contains(['@', ']'])
                && seen.insert((object, holder))
            {
                found.entry(object).or_default().push(holder);
            }
        }
        Self { of_object: found, only }
    }

    /// `holder` receives the address of `object` and nothing else.
    pub(crate) fn holds_only(&self, holder: &Holder, object: ObjectId) -> bool {
        self.only.get(holder) == Some(&Some(object))
    }
}

/// The variable that names the first buffer where the second one is allocated: the one it was first stored in, or else
/// one that received the pointer later (a parameter, the result of an allocating function). That it holds the pointer on
/// every path is checked with the lifetimes.
pub(crate) fn alias_source<'g>(
    program: &Program,
    graph: &'g EventGraph,
    receivers: &Receivers<'g>,
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
    let mut received = receivers.of_object.get(&first).into_iter().flatten().copied();
    Some(received.find(|holder| in_scope(program, holder, event)).unwrap_or(own))
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
