//! Facts of the functions and files that a plan touches, gathered once: whether evaluating a piece of text does anything,
//! where control comes from, what a file already says.

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap};

use echo_dataflow::program::{
    BlockId, Callee, CudaOperation, FileId, Function, FunctionId, PlaceBase, Program, Span,
    StatementKind, StatementRef, Storage, Terminator,
};

use crate::quoted::quoting;

/// Facts of what a plan touches.
pub(crate) struct Effects {
    functions: HashMap<FunctionId, Facts>,
    files: HashMap<FileId, Vocabulary>,
    /// See [`quoting`], once somebody asked.
    quoting: OnceCell<BTreeSet<String>>,
}

struct Facts {
    /// The statements with effects, by place.
    effects: Vec<(FileId, u32, u32, StatementRef)>,
    /// Per block: the blocks that control comes from.
    predecessors: Vec<Vec<BlockId>>,
}

/// What a file's text says.
#[derive(Clone, Copy, Default)]
pub(crate) struct Vocabulary {
    /// Its null pointers are `NULL`, none `nullptr`.
    pub(crate) says_null: bool,
    /// It uses or includes functions that are declared with `memset`.
    pub(crate) says_memset: bool,
    /// It includes the header that declares `aligned_alloc`.
    pub(crate) says_stdlib: bool,
}

/// Library functions that only compute. Anything else that is called counts as an effect.
const PURE: [&str; 14] = [
    "std::min", "std::max", "min", "max", "abs", "std::abs", "ceil", "floor", "sqrt", "pow",
    "strlen", "size", "length", "data",
];

impl Effects {
    /// Of the functions that hold `statements`, and of their files.
    pub(crate) fn of(program: &Program, statements: impl Iterator<Item = StatementRef>) -> Self {
        let (mut functions, mut files) = (HashMap::new(), HashMap::new());
        for at in statements {
            functions.entry(at.function).or_insert_with(|| Facts {
                effects: collect(program, at.function),
                predecessors: predecessors(program.function(at.function)),
            });
            if let Some(syntax) = &program.statement(at).syntax {
                let file = syntax.call.file;
                files.entry(file).or_insert_with(|| Vocabulary::of(&program.file(file).text));
            }
        }
        Self { functions, files, quoting: OnceCell::new() }
    }

    /// Whether something other than the statement `except` happens in `span`.
    pub(crate) fn within(&self, except: StatementRef, span: Span) -> bool {
        let Some(facts) = self.functions.get(&except.function) else { return true };
        let all = &facts.effects;
        let first =
            all.partition_point(|&(file, start, _, _)| (file, start) < (span.file, span.start));
        all[first..]
            .iter()
            .take_while(|&&(file, start, _, _)| file == span.file && start < span.end)
            .any(|&(_, _, end, at)| end <= span.end && at != except)
    }

    /// The blocks from which control comes to a block of a touched function.
    pub(crate) fn predecessors(&self, function: FunctionId, block: BlockId) -> &[BlockId] {
        let facts = self.functions.get(&function);
        facts.and_then(|facts| facts.predecessors.get(block.index())).map_or(&[], Vec::as_slice)
    }

    /// Whether the macro `name` makes text of its arguments.
    pub(crate) fn quotes(&self, program: &Program, name: &str) -> bool {
        self.quoting.get_or_init(|| quoting(program)).contains(name)
    }

    /// What a touched file says.
    pub(crate) fn vocabulary(&self, file: FileId) -> Vocabulary {
        self.files.get(&file).copied().unwrap_or_default()
    }
}

impl Vocabulary {
    fn of(text: &[u8]) -> Self {
        let says = |word: &str| text.windows(word.len()).any(|w| w == word.as_bytes());
        Self {
            says_null: says("NULL") && !says("nullptr"),
            says_memset: ["memset(", "memcpy(", "<string.h>", "<cstring>"].into_iter().any(says),
            says_stdlib: says("<stdlib.h>") || says("<cstdlib>"),
        }
    }
}

fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut predecessors = vec![Vec::new(); function.blocks.len()];
    for (index, block) in function.blocks.iter().enumerate() {
        for to in successors(&block.terminator) {
            predecessors[to.index()].push(BlockId::new(index));
        }
    }
    predecessors
}

/// Where control may go.
pub(crate) fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(next) => vec![*next],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { targets, .. } => targets.clone(),
        Terminator::Return(_) | Terminator::Exit | Terminator::Unreachable => Vec::new(),
    }
}

fn collect(program: &Program, function: FunctionId) -> Vec<(FileId, u32, u32, StatementRef)> {
    let mut found = Vec::new();
    for (block, body) in program.function(function).blocks.iter().enumerate() {
        for (index, statement) in body.statements.iter().enumerate() {
            if has_effect(program, &statement.kind) {
                let span = statement.source.span;
                let at = StatementRef {
                    function,
                    block: BlockId::new(block),
                    index: u32::try_from(index).unwrap_or(u32::MAX),
                };
                found.push((span.file, span.start, span.end, at));
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether a statement does more than compute values that only the lowering sees.
pub(crate) fn has_effect(program: &Program, kind: &StatementKind) -> bool {
    match kind {
        StatementKind::Declare(_) | StatementKind::Evaluate(_) => false,
        StatementKind::Assign { place, .. } | StatementKind::CopyAggregate { to: place, .. } => {
            match &place.base {
                PlaceBase::Variable(variable) => {
                    program.variable(*variable).storage != Storage::Temporary
                }
                PlaceBase::Deref(_) => true,
            }
        }
        StatementKind::Call(call) => match &call.callee {
            Callee::External { name, system, .. } => {
                let last = name.rsplit("::").next().unwrap_or(name);
                !(*system && PURE.iter().any(|pure| **pure == **name || *pure == last))
            }
            Callee::Function(function) => !only_computes(program, *function, 3),
            Callee::Indirect(_) => true,
        },
        StatementKind::Cuda { operation, .. } => {
            !matches!(&**operation, CudaOperation::Neutral { writes } if writes.is_empty())
        }
        StatementKind::HostAllocate(_)
        | StatementKind::HostRelease(_)
        | StatementKind::Launch(_)
        | StatementKind::Opaque { .. } => true,
    }
}

/// A function of the program that reads memory and computes, and does nothing else.
fn only_computes(program: &Program, function: FunctionId, depth: u32) -> bool {
    let function = program.function(function);
    if function.opaque.is_some() || depth == 0 {
        return false;
    }
    function.blocks.iter().flat_map(|block| &block.statements).all(|statement| {
        match &statement.kind {
            StatementKind::Assign { place, .. }
            | StatementKind::CopyAggregate { to: place, .. } => match &place.base {
                PlaceBase::Variable(variable) => match program.variable(*variable).storage {
                    Storage::Local | Storage::Parameter | Storage::Temporary => true,
                    Storage::Global
                    | Storage::InternalGlobal
                    | Storage::StaticLocal
                    | Storage::Device
                    | Storage::Managed => false,
                },
                PlaceBase::Deref(_) => false,
            },
            StatementKind::Call(call) => match &call.callee {
                Callee::Function(inner) => only_computes(program, *inner, depth - 1),
                Callee::External { .. } | Callee::Indirect(_) => {
                    !has_effect(program, &statement.kind)
                }
            },
            StatementKind::Declare(_)
            | StatementKind::Evaluate(_)
            | StatementKind::Cuda { .. }
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_)
            | StatementKind::Launch(_)
            | StatementKind::Opaque { .. } => !has_effect(program, &statement.kind),
        }
    })
}
