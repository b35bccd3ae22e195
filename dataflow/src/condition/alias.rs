//! Variables that can name the merged buffer where its second pointer is assigned (rule R2 of rewriting).

use std::collections::{HashMap, HashSet};

use crate::event::{ContextId, Event, EventGraph, EventKind, Holder, HolderKey, ObjectId, Through};
use crate::program::{Program, Spelling, Storage, VariableId};
use crate::verdict::{CandidatePair, Side};

/// Which variables receive which objects.
pub(crate) struct Receivers<'g> {
    /// Per object: the variables that can be written and receive exactly its address, in order of event.
    of_object: HashMap<ObjectId, Vec<&'g Holder>>,
    /// Per variable or field: the one object whose address it receives; `None` if it receives anything else too.
    only: HashMap<HolderKey, Option<ObjectId>>,
    /// Variables that receive something at a place that is not known.
    scattered: HashSet<(ContextId, VariableId)>,
}

impl<'g> Receivers<'g> {
    /// Of `graph`.
    pub(crate) fn new(graph: &'g EventGraph) -> Self {
        let mut seen = HashSet::new();
        let mut found: HashMap<ObjectId, Vec<&Holder>> = HashMap::new();
        let mut only: HashMap<HolderKey, Option<ObjectId>> = HashMap::new();
        let mut scattered = HashSet::new();
        for event in &graph.events {
            let EventKind::Store { holder, value, exact } = &event.kind else { continue };
            let received = value.single().filter(|_| *exact);
            let held = only.entry(holder.key()).or_insert(received);
            if *held != received {
                *held = None;
            }
            if holder.offset.is_none() {
                scattered.insert(holder.owner());
            }
            let through = holder.through.as_ref().map(|t| (t.context, t.pointer));
            if let Some(object) = received
                && (has_simple_name(&holder.path) || through.is_some())
                && seen.insert((object, holder.key(), through))
            {
                found.entry(object).or_default().push(holder);
            }
        }
        Self { of_object: found, only, scattered }
    }

    /// `holder` receives the address of `object` and nothing else.
    pub(crate) fn holds_only(&self, holder: &Holder, object: ObjectId) -> bool {
        self.only.get(&holder.key()) == Some(&Some(object))
            && !self.scattered.contains(&holder.owner())
    }
}

/// The variable that names the first buffer where the second one is allocated: the one it was first stored in, or else
/// one that received the pointer later (a parameter, the result of an allocating function). That it holds the pointer on
/// every path is checked with the lifetimes.
pub(crate) fn alias_source<'g>(
    names: &Names<'_>,
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
    if names.of(own, event).is_ok() {
        return Some(own);
    }
    let mut received = receivers.of_object.get(&first).into_iter().flatten().copied();
    Some(received.find(|holder| names.of(holder, event).is_ok()).unwrap_or(own))
}

/// Why a holder cannot be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unnamed {
    /// It was never written as a variable with fields.
    NoSimpleName,
    /// Its variable is not in scope.
    OutOfScope,
}

/// Variables by name.
pub(crate) struct Names<'p> {
    program: &'p Program,
    declared: HashMap<&'p str, Vec<VariableId>>,
}

impl<'p> Names<'p> {
    /// Of `program`.
    pub(crate) fn new(program: &'p Program) -> Self {
        let mut declared: HashMap<&str, Vec<VariableId>> = HashMap::new();
        for (index, variable) in program.variables.iter().enumerate() {
            if variable.declaration.is_some() {
                declared.entry(&variable.name).or_default().push(VariableId::new(index));
            }
        }
        Self { program, declared }
    }

    /// How `holder` is written at `event`.
    pub(crate) fn of(&self, holder: &Holder, event: &Event) -> Result<String, Unnamed> {
        if let Some(through) = &holder.through
            && through.context == event.context
            && has_simple_name(&through.path)
            && (self.is_this(through.pointer) || self.is_visible(through.pointer, event))
        {
            return Ok(self.written_through(through));
        }
        if !has_simple_name(&holder.path) {
            return Err(Unnamed::NoSimpleName);
        }
        let variable = self.program.variable(holder.variable);
        let is_static = match variable.storage {
            Storage::Global | Storage::InternalGlobal | Storage::StaticLocal => true,
            Storage::Local
            | Storage::Parameter
            | Storage::Temporary
            | Storage::Device
            | Storage::Managed => false,
        };
        // In a member function the name may mean a field.
        let may_be_field = is_static && self.in_member_function(event);
        if !(is_static || holder.context == event.context)
            || may_be_field
            || !self.is_visible(holder.variable, event)
        {
            return Err(Unnamed::OutOfScope);
        }
        Ok(format!("{}{}", variable.name, holder.path))
    }

    fn in_member_function(&self, event: &Event) -> bool {
        let parameters = &self.program.function(event.at.function).parameters;
        parameters.iter().any(|&first| self.is_this(first))
    }

    fn is_this(&self, variable: VariableId) -> bool {
        let variable = self.program.variable(variable);
        variable.declaration.is_none() && variable.name == "this"
    }

    fn written_through(&self, through: &Through) -> String {
        let pointer = self.program.variable(through.pointer);
        let is_reference = self.program.ty(pointer.ty).spelling.ends_with('&');
        match (through.path.strip_prefix('.'), is_reference) {
            (Some(field), true) => format!("{}.{field}", pointer.name),
            (Some(field), false) => format!("{}->{field}", pointer.name),
            (None, true) => pointer.name.clone(),
            (None, false) => format!("*{}", pointer.name),
        }
    }

    /// The name of `variable` means it at `event`: it is in scope, and no inner scope declares the name anew.
    fn is_visible(&self, variable: VariableId, event: &Event) -> bool {
        let own = self.program.variable(variable);
        let Some(scope) = self.scope_at(variable, event) else { return false };
        let others = self.declared.get(own.name.as_str()).into_iter().flatten();
        others.into_iter().all(|&other| match self.scope_at(other, event) {
            // Instantiations of a template share their text. What is declared later does not hide.
            Some(inner) => inner <= scope || event.source.span.start <= inner.1,
            None => true,
        })
    }

    /// Where the scope of `variable` starts and where it is declared, if that scope holds `event`; of two scopes that do,
    /// the inner one starts later.
    fn scope_at(&self, variable: VariableId, event: &Event) -> Option<(u32, u32)> {
        let declaration = self.program.variable(variable).declaration?;
        let span = event.source.span;
        let holds = declaration.spelling != Spelling::MacroBody
            && declaration.scope.file == span.file
            && declaration.scope.start <= span.start
            && span.start < declaration.scope.end;
        holds.then_some((declaration.scope.start, declaration.name.start))
    }
}

fn has_simple_name(path: &str) -> bool {
    !path.contains(['@', ']'])
}
