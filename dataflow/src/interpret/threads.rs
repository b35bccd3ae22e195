//! Whether another host thread may use CUDA.

use std::collections::BTreeSet;

use crate::effect::{EffectModels, Execution};
use crate::program::{Callee, FunctionId, Program, StatementKind};

use super::value::Value;

/// Whether a thread started with these arguments may call CUDA: unless each of them is either a known function, none of
/// which reaches CUDA or code that is not described, or no function at all.
pub(crate) fn may_use_cuda(program: &Program, models: &EffectModels, arguments: &[Value]) -> bool {
    let mut work: Vec<FunctionId> = Vec::new();
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
        let function = program.function(id);
        if function.opaque.is_some() || function.blocks.is_empty() {
            return true;
        }
        for statement in function.blocks.iter().flat_map(|block| &block.statements) {
            match &statement.kind {
                StatementKind::Call(call) => match &call.callee {
                    Callee::Function(callee) => work.push(*callee),
                    Callee::External { name, system, callbacks, .. } => {
                        let on_host = match models.get(name) {
                            Some(model) => model.execution == Execution::Host,
                            None => *system,
                        };
                        if !on_host {
                            return true;
                        }
                        work.extend(callbacks);
                    }
                    Callee::Indirect(_) => return true,
                },
                StatementKind::Cuda { .. }
                | StatementKind::Launch(_)
                | StatementKind::Opaque { .. } => return true,
                StatementKind::Declare(_)
                | StatementKind::Assign { .. }
                | StatementKind::CopyAggregate { .. }
                | StatementKind::Evaluate(_)
                | StatementKind::HostAllocate(_)
                | StatementKind::HostRelease(_) => {}
            }
        }
    }
    false
}
