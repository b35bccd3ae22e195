//! Whether evaluating a piece of text does anything.

use std::collections::HashMap;

use echo_dataflow::program::{
    Callee, CudaOperation, FileId, FunctionId, PlaceBase, Program, Span, StatementKind,
    StatementRef, Storage,
};

/// The statements with effects of the functions that a plan touches, by place.
pub(crate) struct Effects {
    by_function: HashMap<FunctionId, Vec<(FileId, u32, u32, StatementRef)>>,
}

/// Library functions that only compute. Anything else that is called counts as an effect.
const PURE: [&str; 14] = [
    "std::min", "std::max", "min", "max", "abs", "std::abs", "ceil", "floor", "sqrt", "pow",
    "strlen", "size", "length", "data",
];

impl Effects {
    /// Of the functions that hold `statements`.
    pub(crate) fn of(program: &Program, statements: impl Iterator<Item = StatementRef>) -> Self {
        let mut by_function = HashMap::new();
        for at in statements {
            by_function.entry(at.function).or_insert_with(|| collect(program, at.function));
        }
        Self { by_function }
    }

    /// Whether something other than the statement `except` happens in `span`.
    pub(crate) fn within(&self, except: StatementRef, span: Span) -> bool {
        let Some(all) = self.by_function.get(&except.function) else { return true };
        let first =
            all.partition_point(|&(file, start, _, _)| (file, start) < (span.file, span.start));
        all[first..]
            .iter()
            .take_while(|&&(file, start, _, _)| file == span.file && start < span.end)
            .any(|&(_, _, end, at)| end <= span.end && at != except)
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
                    block: echo_dataflow::program::BlockId::new(block),
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
                !(*system && PURE.iter().any(|pure| pure == name || *pure == last))
            }
            Callee::Function(function) => !only_computes(program, *function, 3),
            Callee::Indirect(_) => true,
        },
        StatementKind::Cuda { operation, .. } => {
            !matches!(operation, CudaOperation::Neutral { writes } if writes.is_empty())
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
