//! Lambdas: their bodies as functions, and what those of the device take along.

use std::collections::BTreeSet;

use clang_sys as clang;
use echo_dataflow::program::{
    Argument, Call, Callee, Expr, FunctionId, Place, StatementKind, TypeKind, VariableId,
};

use crate::clang::Cursor;

use super::Unit;
use super::body::Body;
use super::capture::variables_in;

impl Body<'_, '_> {
    /// A lambda as a value.
    pub(super) fn lambda_value(&mut self, cursor: Cursor) -> Expr {
        let ty = cursor.ty();
        if let (Some(this), Some(class)) = (self.this, ty.declaration()) {
            self.unit.lambda_this.insert(class.canonical().key(), this);
        }
        if is_device_lambda(cursor) {
            self.check_own_copies(cursor);
        } else {
            self.check_copies(cursor);
        }
        let id = self.unit.lambda(cursor);
        if let Some(class) = ty.declaration() {
            self.unit.lambdas.insert(class.canonical().key(), id);
        }
        if is_device_lambda(cursor) {
            self.given_to_device(cursor);
        }
        Expr::Closure(vec![id])
    }

    /// A lambda of the device takes along what it captures, and is not followed to the kernel that runs it.
    fn given_to_device(&mut self, cursor: Cursor) {
        let source = self.unit.source(cursor);
        let mut captures = self.unit.captures(cursor);
        captures.extend(self.this);
        let arguments: Vec<Argument> = captures
            .into_iter()
            .filter_map(|variable| {
                let ty = self.unit.program.variable(variable).ty;
                let value = match self.unit.program.ty(ty).kind {
                    TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Void => return None,
                    TypeKind::Array { .. } => Expr::AddressOf(Box::new(Place::variable(variable))),
                    TypeKind::Pointer { .. }
                    | TypeKind::Record { .. }
                    | TypeKind::Function
                    | TypeKind::Unknown => Expr::variable(variable, ty),
                };
                Some(Argument { value, ty, source })
            })
            .collect();
        if !arguments.is_empty() {
            let callee = Callee::External {
                name: "a lambda of the device".into(),
                usr: "".into(),
                system: true,
                may_use_cuda: false,
                callbacks: Vec::new(),
                noreturn: false,
            };
            let returns = self.unit.void_type();
            let call = Call { callee, arguments, result: None, returns };
            self.push(StatementKind::Call(Box::new(call)), source, None);
        }
    }
}

impl Unit<'_> {
    /// The body of a lambda as a function.
    pub(super) fn lambda(&mut self, cursor: Cursor) -> FunctionId {
        let key = cursor.statement_key();
        if let Some(&id) = self.functions.get(&key) {
            return id;
        }
        let id = FunctionId::new(self.program.functions.len());
        self.functions.insert(key, id);
        let returns = self.void_type();
        let source = self.source(cursor);
        self.program.functions.push(echo_dataflow::program::Function {
            usr: format!("lambda@{}:{}", source.span.file.0, source.span.start),
            name: "a lambda".to_owned(),
            kind: if is_device_lambda(cursor)
                && !has_attribute(cursor, clang::CXCursor_CUDAHostAttr)
            {
                echo_dataflow::program::FunctionKind::Device
            } else {
                echo_dataflow::program::FunctionKind::Host
            },
            parameters: Vec::new(),
            returns,
            internal_linkage: true,
            address_taken: false,
            variadic: false,
            blocks: Vec::new(),
            opaque: None,
            source,
            definition: source.span,
        });
        self.pending.push_back((id, cursor));
        id
    }

    /// The variables of the functions around `lambda` that it names.
    fn captures(&mut self, lambda: Cursor) -> Vec<VariableId> {
        let (start, end) = lambda.expanded_range();
        let mut named = Vec::new();
        variables_in(lambda, &mut named);
        let mut found = BTreeSet::new();
        for variable in named {
            let at = variable.name_location();
            if at.file == start.file && (start.offset..end.offset).contains(&at.offset) {
                continue;
            }
            found.insert(self.variable(variable));
        }
        found.into_iter().collect()
    }
}

/// A lambda that is marked `__device__`, perhaps `__host__` too.
pub(super) fn is_device_lambda(cursor: Cursor) -> bool {
    has_attribute(cursor, clang::CXCursor_CUDADeviceAttr)
}

/// Whether the call operator of a lambda has the attribute: the lambda itself does not show it.
fn has_attribute(lambda: Cursor, attribute: clang::CXCursorKind) -> bool {
    let Some(class) = lambda.ty().declaration() else { return true };
    class.children().into_iter().any(|member| {
        member.name() == "operator()" && member.children().iter().any(|c| c.kind() == attribute)
    })
}
