//! Program to event graphs: folds callees, resolves pointers and sizes, and collects what happens.
//!
//! One [`EventGraph`] per *root*, a function whose callers are all unseen, provided that it can reach a CUDA copy. The
//! interpretation is a forward fixpoint over abstract stores ([`state`]); pointers are sets of regions with symbolic
//! byte offsets, numbers are polynomials over symbols ([`crate::size`]). Limits: an address stored in memory at an
//! unknown offset is found again at any offset of that region; function pointers are unknown code.

mod call;
mod callbacks;
mod components;
mod device;
mod emit;
mod eval;
mod expand;
mod feasible;
mod fill;
mod fixpoint;
mod frames;
mod handles;
mod holders;
mod integers;
mod machine;
mod overlap;
mod regions;
mod roots;
mod state;
mod step;
mod symbols;
mod threads;
mod unseen;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use crate::effect::EffectModels;
use crate::event::{ContextId, EventBlock, EventGraph};
use crate::program::{
    BlockId, FunctionId, FunctionKind, Program, StatementKind, StatementRef, Storage, TypeKind,
    VariableId,
};
use crate::size::Size;
use crate::summary::{Summary, summaries};

use fixpoint::Solution;
use machine::{Machine, Position};
use regions::{RegionKind, Regions};
pub use roots::roots;
use state::State;
use symbols::Symbols;
pub(crate) use unseen::unseen_functions;
use value::{Pointer, Value};

/// The event graphs of all roots of `program` that can reach a CUDA copy, in the order of the functions.
#[must_use]
pub fn event_graphs(program: &Program, models: &EffectModels) -> Vec<EventGraph> {
    let roots = roots(program);
    if roots.is_empty() {
        return Vec::new();
    }
    let summaries = summaries(program, models);
    let relevant = expand::relevant_functions(program);
    let owners = owners(program);
    roots
        .into_iter()
        .map(|root| event_graph(program, models, &summaries, &relevant, &owners, root))
        .collect()
}

fn event_graph(
    program: &Program,
    models: &EffectModels,
    summaries: &[Summary],
    relevant: &std::collections::HashSet<FunctionId>,
    owners: &[Option<FunctionId>],
    root: FunctionId,
) -> EventGraph {
    let function = program.function(root);
    let graph = expand::expand(program, relevant, root);
    let successors: Vec<Vec<usize>> = graph.blocks.iter().map(|b| b.successors.clone()).collect();
    let loops = components::components(&successors);
    let at = StatementRef { function: root, block: BlockId(0), index: 0 };
    let mut machine = Machine {
        program,
        models,
        summaries,
        graph: &graph,
        loops: &loops,
        root_is_main: function.kind == FunctionKind::Main,
        owners,
        regions: Regions::default(),
        symbols: Symbols::default(),
        state: State::default(),
        position: Position {
            block: 0,
            step: 0,
            context: ContextId(0),
            at,
            source: function.source,
        },
        produced: 0,
        drafts: None,
        unknown_streams: false,
        reassigned: BTreeSet::new(),
        decided: BTreeMap::new(),
    };
    let entry = entry_state(&mut machine, root);
    machine.unknown_streams |= !machine.root_is_main;
    match fixpoint::solve(&mut machine, &entry) {
        Some(Solution { before, after, drafts }) => {
            let fills = fill::fills(&mut machine, &drafts, &before, &after);
            // The states are large, and their work is done.
            drop((before, after));
            emit::translate(machine, function, drafts, &fills)
        }
        None => EventGraph {
            root: function.name.clone(),
            root_is_main: function.kind == FunctionKind::Main,
            root_source: Some(function.source),
            contexts: graph.contexts.clone(),
            blocks: vec![EventBlock::default()],
            unseen: vec![root],
            ..EventGraph::default()
        },
    }
}

/// Parameters of the root are numbers of its caller and pointers to memory of its caller.
fn entry_state(machine: &mut Machine<'_>, root: FunctionId) -> State {
    let program = machine.program;
    for &parameter in &program.function(root).parameters {
        let region = machine.variable_region_in(parameter, ContextId(0));
        let variable = program.variable(parameter);
        let value = match program.ty(variable.ty).kind {
            TypeKind::Pointer { .. } => {
                let outside = machine.regions.intern(RegionKind::External(parameter));
                let mut pointer = Pointer::to(outside, Some(Size::constant(0)));
                pointer.null = true;
                Value::Pointer(pointer)
            }
            TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Function => {
                let symbol =
                    machine.symbols.intern(symbols::SymbolKey::Initial { region, offset: 0 });
                machine.symbols.name(symbol, &variable.name);
                Value::Unknown(symbol)
            }
            TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Unknown => {
                machine.state.set((region, state::ANYWHERE), Value::Any);
                continue;
            }
        };
        machine.state.set((region, 0), value);
    }
    std::mem::take(&mut machine.state)
}

/// Per variable, the function that declares it.
fn owners(program: &Program) -> Vec<Option<FunctionId>> {
    let mut owners = vec![None; program.variables.len()];
    for (index, function) in program.functions.iter().enumerate() {
        let id = FunctionId::new(index);
        let mut own = |variable: VariableId| {
            if let Some(slot) = owners.get_mut(variable.index()) {
                match program.variable(variable).storage {
                    Storage::Local | Storage::Parameter | Storage::Temporary => *slot = Some(id),
                    Storage::Global
                    | Storage::InternalGlobal
                    | Storage::StaticLocal
                    | Storage::Device
                    | Storage::Managed => {}
                }
            }
        };
        for &parameter in &function.parameters {
            own(parameter);
        }
        for statement in function.blocks.iter().flat_map(|b| &b.statements) {
            if let StatementKind::Declare(variable) = statement.kind {
                own(variable);
            }
        }
    }
    owners
}
