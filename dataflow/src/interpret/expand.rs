//! Folds the callees of a root into one graph: bounded inlining, once per call site.

use std::collections::{BTreeSet, HashSet};

use crate::event::{Context, ContextId};
use crate::program::{
    BlockId, Callee, FunctionId, FunctionKind, Program, StatementKind, StatementRef, Terminator,
};

/// Deepest call chain that is folded in; deeper calls use summaries.
const MAX_DEPTH: u32 = 24;
/// Steps of one root beyond which further callees use summaries: keeps cost linear in the program.
const MAX_STEPS: usize = 60_000;
/// Steps that one *non-CUDA* callee may add at one call site once a root is large.
const SMALL_CALLEE: usize = 400;

/// A root with its callees, as blocks of steps.
#[derive(Debug)]
pub(crate) struct Supergraph {
    /// Calling contexts; 0 is the root.
    pub(crate) contexts: Vec<Context>,
    /// Blocks; 0 is the entry.
    pub(crate) blocks: Vec<SuperBlock>,
    /// Functions that are called somewhere without being folded in there.
    pub(crate) unfolded: BTreeSet<FunctionId>,
}

/// Straight-line steps of one context.
#[derive(Debug, Default)]
pub(crate) struct SuperBlock {
    /// In order.
    pub(crate) steps: Vec<Step>,
    /// Indices of successor blocks.
    pub(crate) successors: Vec<usize>,
}

/// One step.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step {
    /// A statement that is not a folded call.
    Statement { context: ContextId, at: StatementRef },
    /// The arguments of the call at `at` become the parameters of `callee`.
    Enter { caller: ContextId, at: StatementRef, callee: ContextId },
    /// A callback given to the external call at `at` runs: its parameters point to anything the call was given.
    EnterCallback { caller: ContextId, at: StatementRef, callee: ContextId },
    /// The value returned at the end of `block` goes to the result of the call at `at`.
    Leave { callee: ContextId, block: BlockId, caller: ContextId, at: StatementRef },
    /// A branch condition or switch value is computed.
    Test { context: ContextId, block: BlockId },
    /// The root returns.
    Return { block: BlockId },
    /// The process ends.
    Exit { context: ContextId, block: BlockId },
}

/// Functions whose bodies matter beyond plain memory accesses, transitively: they allocate, free or use CUDA.
pub(crate) fn relevant_functions(program: &Program) -> HashSet<FunctionId> {
    let mut relevant: HashSet<FunctionId> = HashSet::new();
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); program.functions.len()];
    for (index, function) in program.functions.iter().enumerate() {
        let mut own = false;
        for statement in function.blocks.iter().flat_map(|b| &b.statements) {
            match &statement.kind {
                StatementKind::HostAllocate(_)
                | StatementKind::HostRelease(_)
                | StatementKind::Cuda { .. }
                | StatementKind::Launch(_)
                | StatementKind::Opaque { .. } => own = true,
                StatementKind::Call(call) => match &call.callee {
                    Callee::Function(callee) => callers[callee.index()].push(index),
                    Callee::External { callbacks, .. } => {
                        for callback in callbacks {
                            callers[callback.index()].push(index);
                        }
                    }
                    Callee::Indirect(_) => {}
                },
                StatementKind::Declare(_)
                | StatementKind::Assign { .. }
                | StatementKind::CopyAggregate { .. }
                | StatementKind::Evaluate(_) => {}
            }
        }
        if own {
            relevant.insert(FunctionId::new(index));
        }
    }
    let mut work: Vec<FunctionId> = relevant.iter().copied().collect();
    while let Some(function) = work.pop() {
        for &caller in &callers[function.index()] {
            if relevant.insert(FunctionId::new(caller)) {
                work.push(FunctionId::new(caller));
            }
        }
    }
    relevant
}

/// Expands `root`.
pub(crate) fn expand(
    program: &Program,
    relevant: &HashSet<FunctionId>,
    root: FunctionId,
) -> Supergraph {
    let mut expansion = Expansion {
        program,
        relevant,
        graph: Supergraph {
            contexts: vec![Context { caller: None, function: root }],
            blocks: Vec::new(),
            unfolded: BTreeSet::new(),
        },
        steps: 0,
    };
    expansion.body(ContextId(0), 0, None);
    expansion.graph
}

struct Expansion<'p> {
    program: &'p Program,
    relevant: &'p HashSet<FunctionId>,
    graph: Supergraph,
    steps: usize,
}

/// Where a folded callee continues: the caller's block index and the call.
#[derive(Clone, Copy)]
struct Continuation {
    block: usize,
    caller: ContextId,
    at: StatementRef,
}

impl Expansion<'_> {
    fn new_block(&mut self) -> usize {
        self.graph.blocks.push(SuperBlock::default());
        self.graph.blocks.len() - 1
    }

    fn push(&mut self, block: usize, step: Step) {
        self.steps += 1;
        self.graph.blocks[block].steps.push(step);
    }

    fn link(&mut self, from: usize, to: usize) {
        if !self.graph.blocks[from].successors.contains(&to) {
            self.graph.blocks[from].successors.push(to);
        }
    }

    /// Lays out the body of `context`'s function; returns the index of its entry block.
    fn body(&mut self, context: ContextId, depth: u32, leave: Option<Continuation>) -> usize {
        let function_id = self.graph.contexts[context.index()].function;
        let function = self.program.function(function_id);
        let first: Vec<usize> = function.blocks.iter().map(|_| self.new_block()).collect();
        for (index, block) in function.blocks.iter().enumerate() {
            let block_id = BlockId::new(index);
            let mut current = first[index];
            for (position, statement) in block.statements.iter().enumerate() {
                let at = StatementRef {
                    function: function_id,
                    block: block_id,
                    index: u32::try_from(position).unwrap_or(u32::MAX),
                };
                match &statement.kind {
                    StatementKind::Call(call) => match &call.callee {
                        Callee::Function(callee) if self.folds(context, *callee, depth) => {
                            current = self.fold(context, at, *callee, depth, current, false);
                        }
                        Callee::External { callbacks, .. } => {
                            self.push(current, Step::Statement { context, at });
                            let (folded, unfolded): (Vec<FunctionId>, Vec<FunctionId>) =
                                callbacks.iter().partition(|&&f| self.folds(context, f, depth));
                            self.graph.unfolded.extend(unfolded);
                            if !folded.is_empty() {
                                // The callee calls back any number of times: a loop around a choice.
                                let head = self.new_block();
                                self.link(current, head);
                                for callback in folded {
                                    let start = self.new_block();
                                    self.link(head, start);
                                    let end = self.fold(context, at, callback, depth, start, true);
                                    self.link(end, head);
                                }
                                let after = self.new_block();
                                self.link(head, after);
                                current = after;
                            }
                        }
                        Callee::Function(callee) => {
                            self.graph.unfolded.insert(*callee);
                            self.push(current, Step::Statement { context, at });
                        }
                        Callee::Indirect(_) => {
                            self.push(current, Step::Statement { context, at });
                        }
                    },
                    StatementKind::Declare(_)
                    | StatementKind::Assign { .. }
                    | StatementKind::CopyAggregate { .. }
                    | StatementKind::Evaluate(_)
                    | StatementKind::HostAllocate(_)
                    | StatementKind::HostRelease(_)
                    | StatementKind::Cuda { .. }
                    | StatementKind::Launch(_)
                    | StatementKind::Opaque { .. } => {
                        self.push(current, Step::Statement { context, at });
                    }
                }
            }
            match &block.terminator {
                Terminator::Goto(target) => self.link(current, first[target.index()]),
                Terminator::Branch { then, otherwise, .. } => {
                    self.push(current, Step::Test { context, block: block_id });
                    self.link(current, first[then.index()]);
                    self.link(current, first[otherwise.index()]);
                }
                Terminator::Switch { targets, .. } => {
                    self.push(current, Step::Test { context, block: block_id });
                    for target in targets {
                        self.link(current, first[target.index()]);
                    }
                }
                Terminator::Return(_) => match leave {
                    Some(continuation) => {
                        self.push(
                            current,
                            Step::Leave {
                                callee: context,
                                block: block_id,
                                caller: continuation.caller,
                                at: continuation.at,
                            },
                        );
                        self.link(current, continuation.block);
                    }
                    None => self.push(current, Step::Return { block: block_id }),
                },
                Terminator::Exit => self.push(current, Step::Exit { context, block: block_id }),
                Terminator::Unreachable => {}
            }
        }
        first.first().copied().unwrap_or_else(|| self.new_block())
    }

    /// Folds `callee`, called at the end of `current`; returns the block where the caller goes on.
    fn fold(
        &mut self,
        caller: ContextId,
        at: StatementRef,
        callee: FunctionId,
        depth: u32,
        current: usize,
        callback: bool,
    ) -> usize {
        let context = ContextId::new(self.graph.contexts.len());
        self.graph.contexts.push(Context { caller: Some((caller, at)), function: callee });
        let step = if callback {
            Step::EnterCallback { caller, at, callee: context }
        } else {
            Step::Enter { caller, at, callee: context }
        };
        self.push(current, step);
        let after = self.new_block();
        let entry = self.body(context, depth + 1, Some(Continuation { block: after, caller, at }));
        self.link(current, entry);
        after
    }

    fn folds(&self, context: ContextId, callee: FunctionId, depth: u32) -> bool {
        let function = self.program.function(callee);
        let host = match function.kind {
            FunctionKind::Main
            | FunctionKind::Host
            | FunctionKind::Constructor
            | FunctionKind::Destructor => true,
            FunctionKind::Kernel | FunctionKind::Device => false,
        };
        if !host || function.opaque.is_some() || function.blocks.is_empty() || depth >= MAX_DEPTH {
            return false;
        }
        let mut up = Some(context);
        while let Some(id) = up {
            let ancestor = &self.graph.contexts[id.index()];
            if ancestor.function == callee {
                return false;
            }
            up = ancestor.caller.map(|(caller, _)| caller);
        }
        if self.steps < MAX_STEPS / 4 {
            return true;
        }
        let size: usize = function.blocks.iter().map(|b| b.statements.len() + 1).sum();
        self.steps + size < MAX_STEPS && (self.relevant.contains(&callee) || size < SMALL_CALLEE)
    }
}
