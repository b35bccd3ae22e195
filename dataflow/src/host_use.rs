//! Whether code keeps to the host: neither uses CUDA nor runs anything that may.

use crate::effect::{EffectModel, EffectModels, Execution};
use crate::program::{Callee, Function, FunctionId, FunctionKind, StatementKind};

/// What one function says of this by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostUse {
    /// Nothing in it uses CUDA, is unknown, or is called through a pointer.
    pub keeps_to_host: bool,
    /// Functions of this program that it calls, or gives to a library that may call them.
    pub calls: Vec<FunctionId>,
    /// USRs of functions without a body here of which nothing is known.
    pub unknown: Vec<String>,
    /// USRs of all functions without a body here that it calls.
    pub external: Vec<String>,
}

/// The host use of `function`. What runs later, on another thread or under a handle, is its caller's business.
#[must_use]
pub fn host_use(models: &EffectModels, function: &Function) -> HostUse {
    let mut found = HostUse {
        keeps_to_host: function.opaque.is_none()
            && !function.blocks.is_empty()
            && !matches!(function.kind, FunctionKind::Kernel | FunctionKind::Device),
        calls: Vec::new(),
        unknown: Vec::new(),
        external: Vec::new(),
    };
    for statement in function.blocks.iter().flat_map(|block| &block.statements) {
        match &statement.kind {
            StatementKind::Call(call) => match &call.callee {
                Callee::Function(callee) => found.calls.push(*callee),
                Callee::External { name, usr, may_use_cuda, callbacks, .. } => {
                    found.external.push(usr.to_string());
                    match models.get(name) {
                        Some(model) => found.keeps_to_host &= is_plain(model),
                        None if *may_use_cuda && !models.is_host_only(usr) => {
                            found.unknown.push(usr.to_string());
                        }
                        None => {}
                    }
                    found.calls.extend(callbacks);
                }
                Callee::Indirect(_) => found.keeps_to_host = false,
            },
            StatementKind::Cuda { .. }
            | StatementKind::Launch(_)
            | StatementKind::Opaque { .. } => found.keeps_to_host = false,
            StatementKind::Declare(_)
            | StatementKind::Assign { .. }
            | StatementKind::CopyAggregate { .. }
            | StatementKind::Evaluate(_)
            | StatementKind::HostAllocate(_)
            | StatementKind::HostRelease(_) => {}
        }
    }
    found
}

/// Runs on the host, here and now, and leaves the process and its devices as they are.
fn is_plain(model: &EffectModel) -> bool {
    model.execution == Execution::Host
        && model.sets_stream.is_none()
        && !model.process_control
        && model.thread.is_none()
}
