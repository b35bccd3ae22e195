//! Bottom-up summaries: what a function may do to the memory its parameters point to.
//!
//! Flow-insensitive and may-only: used for kernels and device functions, and for host functions that are not folded
//! into their caller (recursion, size). A pointer is tracked to its *roots*: the parameters it may be derived from.

mod reads;
mod walk;

use std::collections::BTreeMap;

use walk::Walk;

use crate::effect::EffectModels;
use crate::program::{
    Callee, FunctionId, FunctionKind, Program, StatementKind, Terminator, VariableId,
};

/// Effect of one call of a function, over all its executions.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// Per parameter.
    pub parameters: Vec<ParameterEffect>,
    /// Variables of other functions that it names, as the body of a lambda names what it captures, in the order in which
    /// they were found. In [`Roots`] they follow the parameters.
    pub captures: Vec<CaptureEffect>,
    /// It runs a lambda that was not understood: it may use any variable of the functions around.
    pub lost_captures: bool,
    /// Global and device variables accessed by name: (may read, may write).
    pub variables: BTreeMap<VariableId, (bool, bool)>,
    /// It may access anything that has escaped, or runs code that is not described.
    pub unknown: bool,
    /// It allocates, frees, uses CUDA or exits: a summary says too little about it for a host call.
    pub effectful: bool,
    /// It may do what of all code only a program does: reset the device, make another the current one, capture streams.
    pub controls: bool,
    /// It reads `volatile` memory, so it may wait for the host to write something.
    pub may_spin: bool,
    /// Parameters the returned pointer may be derived from, and whether it may be anything else.
    pub returns: Roots,
}

/// Effect by way of a variable of another function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CaptureEffect {
    /// The variable.
    pub variable: VariableId,
    /// On what its pointers point to.
    pub effect: ParameterEffect,
    /// The variable itself may get another value.
    pub stored: bool,
}

/// Effect on what one parameter points to (for a class by value: what its pointers point to).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ParameterEffect {
    /// May read it.
    pub reads: bool,
    /// May write it.
    pub writes: bool,
    /// May access memory that pointers stored in it lead to.
    pub deep: bool,
    /// May keep the pointer beyond the call, or free it.
    pub captured: bool,
    /// May observe the address itself.
    pub observed: bool,
}

impl ParameterEffect {
    /// Of code that is not known.
    const WORST: Self =
        Self { reads: true, writes: true, deep: true, captured: true, observed: true };
}

/// Where a pointer may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Roots {
    /// Bit set of parameters, then of captured variables (a function with more than 64 has `unknown`).
    pub parameters: u64,
    /// Bit set of parameters from whose memory it was loaded.
    pub loaded: u64,
    /// It may be anything.
    pub unknown: bool,
}

impl Roots {
    fn join(&mut self, other: Self) -> bool {
        let before = *self;
        self.parameters |= other.parameters;
        self.loaded |= other.loaded;
        self.unknown |= other.unknown;
        *self != before
    }

    fn unknown() -> Self {
        Self { unknown: true, ..Self::default() }
    }

    fn after_load(self) -> Self {
        Self { parameters: 0, loaded: self.parameters | self.loaded, unknown: self.unknown }
    }
}

/// Summaries of all functions of `program`, by [`FunctionId`].
#[must_use]
pub fn summaries(program: &Program, models: &EffectModels) -> Vec<Summary> {
    let mut all: Vec<Summary> = program
        .functions
        .iter()
        .map(|f| Summary {
            parameters: vec![ParameterEffect::default(); f.parameters.len()],
            ..Summary::default()
        })
        .collect();
    // Monotone in the summaries of the callees, of finite height: ends. Callees mostly come first in the source, so
    // few passes are needed; each pass only revisits callers of what changed.
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        for statement in function.blocks.iter().flat_map(|b| &b.statements) {
            let callee = match &statement.kind {
                StatementKind::Call(call) => &call.callee,
                StatementKind::Launch(launch) => &launch.kernel,
                StatementKind::Declare(_)
                | StatementKind::Assign { .. }
                | StatementKind::CopyAggregate { .. }
                | StatementKind::Evaluate(_)
                | StatementKind::HostAllocate(_)
                | StatementKind::HostRelease(_)
                | StatementKind::Cuda { .. }
                | StatementKind::Opaque { .. } => continue,
            };
            if let Callee::Function(callee) = callee {
                callers[callee.index()].push(index);
            }
        }
    }
    let owners = Owners::of(program);
    let mut queued = vec![true; program.functions.len()];
    let mut work: std::collections::VecDeque<usize> = (0..program.functions.len()).collect();
    while let Some(index) = work.pop_front() {
        queued[index] = false;
        let next = summarise(program, models, &owners, &all, FunctionId::new(index));
        if next != all[index] {
            all[index] = next;
            for &caller in &callers[index] {
                if !queued[caller] {
                    queued[caller] = true;
                    work.push_back(caller);
                }
            }
        }
    }
    all
}

/// Which function each local variable belongs to. A lambda that is also called by its operator has two functions.
struct Owners(Vec<Vec<FunctionId>>);

impl Owners {
    fn of(program: &Program) -> Self {
        let mut owners = vec![Vec::new(); program.variables.len()];
        for (index, function) in program.functions.iter().enumerate() {
            let declared = function.blocks.iter().flat_map(|b| &b.statements).filter_map(|s| {
                if let StatementKind::Declare(variable) = s.kind { Some(variable) } else { None }
            });
            for variable in function.parameters.iter().copied().chain(declared) {
                owners[variable.index()].push(FunctionId::new(index));
            }
        }
        Self(owners)
    }

    /// It is declared by other functions only.
    fn is_foreign(&self, variable: VariableId, function: FunctionId) -> bool {
        let owners = &self.0[variable.index()];
        !owners.is_empty() && !owners.contains(&function)
    }
}

fn summarise(
    program: &Program,
    models: &EffectModels,
    owners: &Owners,
    all: &[Summary],
    id: FunctionId,
) -> Summary {
    let function = program.function(id);
    if function.opaque.is_some() || function.blocks.is_empty() || function.parameters.len() > 64 {
        return Summary {
            parameters: vec![ParameterEffect::WORST; function.parameters.len()],
            unknown: true,
            effectful: true,
            controls: true,
            may_spin: true,
            returns: Roots::unknown(),
            lost_captures: function.may_capture(),
            ..Summary::default()
        };
    }
    let mut walk = Walk {
        program,
        models,
        owners,
        function: id,
        all,
        // Start from what is known so that the result only grows.
        summary: all[id.index()].clone(),
        roots: BTreeMap::new(),
        all_roots: Roots::default(),
        memory: Roots::default(),
        changed: true,
        device: matches!(function.kind, FunctionKind::Kernel | FunctionKind::Device),
    };
    for (index, &parameter) in function.parameters.iter().enumerate() {
        let own = Roots { parameters: 1 << index, ..Roots::default() };
        walk.roots.insert(parameter, own);
        walk.all_roots.join(own);
    }
    for index in 0..walk.summary.captures.len() {
        let own = walk.captured(index);
        walk.all_roots.join(own);
    }
    while walk.changed {
        walk.changed = false;
        for block in &function.blocks {
            for statement in &block.statements {
                walk.statement(&statement.kind);
            }
            match &block.terminator {
                Terminator::Branch { condition, .. } => walk.read(condition),
                Terminator::Switch { value, .. } => walk.read(value),
                Terminator::Return(Some(value)) => {
                    walk.read(value);
                    let roots = walk.value(value);
                    walk.changed |= walk.summary.returns.join(roots);
                }
                Terminator::Exit => walk.summary.effectful = true,
                Terminator::Goto(_) | Terminator::Return(None) | Terminator::Unreachable => {}
            }
        }
    }
    walk.summary
}
