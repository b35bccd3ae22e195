//! Kernel launches.

use clang_sys as clang;
use echo_dataflow::program::{Callee, Expr, Launch, PlaceBase, StatementKind, TypeKind};

use crate::clang::Cursor;

use super::body::Body;
use super::expr::strip;
use super::{is_function, qualified_name};

impl Body<'_, '_> {
    pub(super) fn launch(&mut self, cursor: Cursor, callee: Cursor, configuration: Cursor) {
        let source = self.unit.source(cursor);
        let values = configuration.arguments();
        let written = cursor.arguments();
        let operands: Vec<Cursor> = values.iter().chain(&written).copied().collect();
        self.unsequenced(&operands);
        let stream = values.get(3).copied().filter(|s| s.expanded_range().0.file != 0);
        let configuration: Vec<Expr> = values
            .iter()
            .take(3)
            .filter(|v| v.expanded_range().0.file != 0)
            .map(|v| self.configuration_value(*v))
            .collect();
        let stream = stream.map(|s| self.rvalue(s));
        let target = cursor.referenced().filter(|t| is_function(t.kind()));
        let (kernel, arguments) = match target {
            Some(target) if target.kind() != clang::CXCursor_FunctionTemplate => {
                let arguments = self.lower_arguments(target, &written);
                let kernel = match self.unit.function_target(target) {
                    Some(id) => Callee::Function(id),
                    None => Callee::External {
                        name: self.unit.name(&qualified_name(target)),
                        usr: self.unit.name(&target.usr()),
                        system: false,
                        may_use_cuda: true,
                        callbacks: Vec::new(),
                        noreturn: false,
                    },
                };
                (kernel, arguments)
            }
            Some(_) => {
                self.give_up("it launches a template that was not instantiated");
                return;
            }
            None => {
                let unresolved = strip(callee);
                if unresolved.kind() == clang::CXCursor_OverloadedDeclRef
                    || unresolved.referenced().is_none()
                {
                    self.give_up("it launches a kernel that did not resolve");
                    return;
                }
                let value = self.rvalue(callee);
                let arguments = self.lower_unnamed_arguments(callee, &written);
                (Callee::Indirect(value), arguments)
            }
        };
        let syntax = self.call_syntax(cursor, &written, None);
        self.push(
            StatementKind::Launch(Box::new(Launch {
                kernel,
                arguments,
                stream,
                configuration,
                extended: false,
            })),
            source,
            Some(syntax),
        );
    }

    /// Grid or block dimensions: numbers, whatever class carries them.
    pub(super) fn configuration_value(&mut self, cursor: Cursor) -> Expr {
        let ty = self.unit_type(cursor.ty());
        match self.unit.program.ty(ty).kind {
            TypeKind::Record { .. } => {
                let place = self.place(cursor);
                Expr::Computed(match place.base {
                    PlaceBase::Variable(_) => Vec::new(),
                    PlaceBase::Deref(pointer) => vec![*pointer],
                })
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => self.rvalue(cursor),
        }
    }
}

/// `<<<...>>>` shows as a call of one of these.
pub(super) fn is_launch_configuration(cursor: Cursor) -> bool {
    cursor.kind() == clang::CXCursor_CallExpr
        && matches!(cursor.name().as_str(), "cudaConfigureCall" | "__cudaPushCallConfiguration")
}
