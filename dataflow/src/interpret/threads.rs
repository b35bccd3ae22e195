//! Whether another host thread may use CUDA.

use std::collections::BTreeSet;

use crate::effect::EffectModels;
use crate::host_use::host_use;
use crate::program::{FunctionId, Program};

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
        let found = host_use(models, program.function(id));
        if !found.keeps_to_host || !found.unknown.is_empty() {
            return true;
        }
        work.extend(found.calls);
    }
    false
}
