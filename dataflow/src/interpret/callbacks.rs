//! Functions that a call without a body may run: those that its arguments lead to, and those that run later.

use std::collections::BTreeSet;

use crate::program::{Call, Expr, FunctionId, FunctionKind, TypeKind, VariableId};

use super::machine::Machine;
use super::value::{Pointer, Value};

impl Machine<'_> {
    /// Functions of the host that the arguments of an external call hold or lead to, beside `callbacks`. One that is not
    /// known may do anything.
    pub(super) fn functions_in_arguments(
        &mut self,
        call: &Call,
        name: &str,
        callbacks: &[FunctionId],
    ) -> Vec<FunctionId> {
        // The reads are events of the call itself.
        let drafts = self.drafts.take();
        let mut found = BTreeSet::new();
        let mut unknown = false;
        for argument in &call.arguments {
            let is_function = match self.program.ty(argument.ty).kind {
                TypeKind::Pointer { to } => {
                    let to = self.program.ty(to);
                    // `void (*)()` may have lost its parameters.
                    matches!(to.kind, TypeKind::Function) || to.spelling.contains('(')
                }
                TypeKind::Function => true,
                TypeKind::Void
                | TypeKind::Integer { .. }
                | TypeKind::Float
                | TypeKind::Record { .. }
                | TypeKind::Array { .. }
                | TypeKind::Unknown => false,
            };
            // A class passed by value holds what the object that it is copied from holds.
            let value = if let Expr::Load { place, .. } = &argument.value
                && self.is_aggregate(argument.ty)
            {
                Value::Pointer(self.address(place))
            } else {
                self.eval(&argument.value)
            };
            match value {
                Value::Function(functions) => found.extend(functions),
                Value::Pointer(pointer) => {
                    unknown |= is_function && pointer.unknown;
                    for (region, _) in self.closure(&pointer).regions {
                        for (_, value) in self.state.cells_of(region) {
                            if let Value::Function(functions) = value {
                                found.extend(functions);
                            }
                        }
                    }
                }
                Value::Unknown(_) | Value::Any => unknown |= is_function,
                Value::Nothing | Value::Integer(_) => {}
            }
        }
        self.drafts = drafts;
        if unknown {
            self.opaque(&format!("`{name}` is given a function that is not known"));
        }
        found
            .into_iter()
            .filter(|f| !callbacks.contains(f))
            .filter(|&function| self.is_of_host(function))
            .collect()
    }

    fn is_of_host(&self, function: FunctionId) -> bool {
        match self.program.function(function).kind {
            FunctionKind::Main
            | FunctionKind::Host
            | FunctionKind::Constructor
            | FunctionKind::Destructor => true,
            FunctionKind::Kernel | FunctionKind::Device => false,
        }
    }

    /// Whether `value` is, or leads to, functions that run on the host.
    pub(super) fn leads_to_host_code(&self, value: &Value) -> bool {
        let of_host = |value: &Value| match value {
            Value::Function(functions) => functions.iter().any(|&f| self.is_of_host(f)),
            Value::Nothing
            | Value::Integer(_)
            | Value::Pointer(_)
            | Value::Unknown(_)
            | Value::Any => false,
        };
        let behind = |pointer: &Pointer| {
            self.closure(pointer)
                .regions
                .iter()
                .any(|(region, _)| self.state.cells_of(*region).any(|(_, held)| of_host(held)))
        };
        of_host(value) || matches!(value, Value::Pointer(pointer) if behind(pointer))
    }

    /// Functions that name `variables` without changing them may run at any time from here, as `by` decides.
    pub(super) fn runs_later(&mut self, variables: &BTreeSet<VariableId>, by: &str) {
        let mut held = Pointer::null();
        for &variable in variables {
            let region = self.variable_region(variable);
            // What is stored there later escapes then.
            self.state.watched.insert(region);
            held = held.join(&self.pointers_in(&Pointer::to(region, None), None));
        }
        self.escape(&held, &format!("within reach of a function that `{by}` may run at any time"));
        for (region, _) in self.closure(&held).regions {
            self.weaken(region, None, &Value::Any);
        }
    }
}
