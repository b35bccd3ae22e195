//! What functions may do that run on another host thread, or later.

use std::collections::BTreeSet;

use crate::effect::EffectModels;
use crate::host_use::host_use;
use crate::program::{
    Expr, FunctionId, Place, PlaceBase, Program, Projection, StatementKind, Storage, Terminator,
    VariableId,
};

use super::value::Value;

/// Whether a thread started with these arguments may call CUDA: unless each of them is either a known function, none of
/// which reaches CUDA or code that is not described, or no function at all.
pub(crate) fn may_use_cuda(
    program: &Program,
    models: &EffectModels,
    callbacks: &[FunctionId],
    arguments: &[Value],
) -> bool {
    let mut work: Vec<FunctionId> = callbacks.to_vec();
    for argument in arguments {
        match argument {
            Value::Function(functions) => work.extend(functions),
            Value::Pointer(pointer) if !pointer.unknown => {}
            Value::Integer(_) | Value::Nothing => {}
            Value::Pointer(_) | Value::Unknown(_) | Value::Any => return true,
        }
    }
    // A thread without a known function runs something else.
    if work.is_empty() {
        return true;
    }
    let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let found = host_use(models, program.function(id));
        if !found.keeps_to_host || !found.unknown.is_empty() {
            return true;
        }
        work.extend(found.calls);
    }
    false
}

/// The variables that `functions`, with all that they call, name besides their own, provided that they keep to the host,
/// run nothing unknown, and neither change those variables nor take their addresses. `owners`: per variable, the function
/// that declares it.
pub(crate) fn named(
    program: &Program,
    models: &EffectModels,
    owners: &[Option<FunctionId>],
    functions: &[FunctionId],
) -> Option<BTreeSet<VariableId>> {
    let mut work: Vec<FunctionId> = functions.to_vec();
    let mut seen: BTreeSet<FunctionId> = BTreeSet::new();
    let mut all = BTreeSet::new();
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        let function = program.function(id);
        let found = host_use(models, function);
        if !found.keeps_to_host || !found.unknown.is_empty() {
            return None;
        }
        work.extend(found.calls);
        let mut names = Names { program, owners, function: id, named: BTreeSet::new() };
        let tame = function.blocks.iter().all(|block| {
            block.statements.iter().all(|s| names.statement(&s.kind))
                && names.terminator(&block.terminator)
        });
        if !tame {
            return None;
        }
        all.extend(names.named);
    }
    Some(all)
}

/// The variables that one function names besides its own. Every method is false if it may change one of them.
struct Names<'p> {
    program: &'p Program,
    owners: &'p [Option<FunctionId>],
    function: FunctionId,
    named: BTreeSet<VariableId>,
}

impl Names<'_> {
    fn is_own(&self, variable: VariableId) -> bool {
        self.program.variable(variable).storage == Storage::Temporary
            || self.owners.get(variable.index()).copied().flatten() == Some(self.function)
    }

    fn statement(&mut self, kind: &StatementKind) -> bool {
        match kind {
            StatementKind::Declare(_) => true,
            StatementKind::Assign { place, value, .. } => self.target(place) && self.value(value),
            StatementKind::CopyAggregate { to, from, .. } => self.target(to) && self.place(from),
            StatementKind::Evaluate(value) => self.value(value),
            StatementKind::HostAllocate(allocation) => {
                self.target(&allocation.result) && self.value(&allocation.bytes)
            }
            StatementKind::HostRelease(release) => self.value(&release.pointer),
            StatementKind::Call(call) => {
                call.result.as_ref().is_none_or(|result| self.target(result))
                    && call.arguments.iter().all(|argument| self.value(&argument.value))
            }
            StatementKind::Cuda { .. }
            | StatementKind::Launch(_)
            | StatementKind::Opaque { .. } => false,
        }
    }

    fn terminator(&mut self, terminator: &Terminator) -> bool {
        match terminator {
            Terminator::Branch { condition: value, .. }
            | Terminator::Switch { value, .. }
            | Terminator::Return(Some(value)) => self.value(value),
            Terminator::Goto(_)
            | Terminator::Return(None)
            | Terminator::Exit
            | Terminator::Unreachable => true,
        }
    }

    /// A place that is written, or whose address is taken.
    fn target(&mut self, place: &Place) -> bool {
        let own = match &place.base {
            PlaceBase::Variable(variable) => self.is_own(*variable),
            PlaceBase::Deref(_) => true,
        };
        own && self.place(place)
    }

    fn place(&mut self, place: &Place) -> bool {
        let base = match &place.base {
            PlaceBase::Variable(variable) => {
                if !self.is_own(*variable) {
                    self.named.insert(*variable);
                }
                true
            }
            PlaceBase::Deref(pointer) => self.value(pointer),
        };
        base && place.path.iter().all(|step| match step {
            Projection::Field { .. } => true,
            Projection::Index { index, .. } => self.value(index),
        })
    }

    fn value(&mut self, value: &Expr) -> bool {
        match value {
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Unknown => true,
            Expr::Load { place, .. } => self.place(place),
            Expr::AddressOf(place) => self.target(place),
            Expr::Arithmetic { left, right, .. }
            | Expr::PointerDifference { left, right }
            | Expr::Compare { left, right, .. } => self.value(left) && self.value(right),
            Expr::PointerAdd { pointer, elements, .. } => {
                self.value(pointer) && self.value(elements)
            }
            Expr::Cast { value, .. } => self.value(value),
            Expr::Computed(operands) => operands.iter().all(|operand| self.value(operand)),
        }
    }
}
