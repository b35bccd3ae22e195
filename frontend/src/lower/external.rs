//! What external functions may call back.

use std::collections::HashSet;

use echo_dataflow::program::{Argument, Callee, Expr, FunctionId};

use super::callee::{erases_types, is_function_type};
use super::record::special_of;
use super::session::Session;
use crate::clang::{Cursor, Kind, Type, TypeKey, TypeShape};

impl<'tu> Session<'tu> {
    /// Completes the callee of a call of `declared` with the functions it may call back: those passed to it, and
    /// the members of the program's classes among its types.
    pub(crate) fn with_callbacks(
        &mut self,
        callee: Callee,
        declared: Cursor<'tu>,
        arguments: &[Argument],
        types: &[Type<'tu>],
    ) -> Callee {
        let Callee::External { name, usr, system, mut callbacks, noreturn } = callee else {
            return callee;
        };
        for argument in arguments {
            collect_functions(&argument.value, &mut callbacks);
        }
        let mut seen = HashSet::new();
        let class = declared
            .semantic_parent()
            .filter(|p| matches!(p.kind(), Kind::StructDecl | Kind::ClassDecl));
        let class = class.map(Cursor::ty);
        let mut calls_unknown = erases_types(&name);
        for ty in types.iter().copied().chain(class) {
            calls_unknown |= self.collect_callables(ty, &mut callbacks, &mut seen);
        }
        if calls_unknown && class.is_some() {
            return Callee::Indirect(Expr::Unknown);
        }
        callbacks.sort_unstable();
        callbacks.dedup();
        for id in &callbacks {
            self.program.functions[id.index()].address_taken = true;
        }
        Callee::External { name, usr, system, callbacks, noreturn }
    }

    /// Functions that library code may call on objects of this type.
    pub(crate) fn callables_of(&mut self, ty: Type<'tu>) -> Vec<FunctionId> {
        let mut callbacks = Vec::new();
        self.collect_callables(ty, &mut callbacks, &mut HashSet::new());
        callbacks
    }

    /// Adds the functions that library code may call on objects of type `ty`; returns whether such an object may
    /// hold a function that does not show.
    fn collect_callables(
        &mut self,
        ty: Type<'tu>,
        callbacks: &mut Vec<FunctionId>,
        seen: &mut HashSet<TypeKey>,
    ) -> bool {
        let mut ty = ty.canonical();
        for _ in 0..4 {
            match (ty.shape(), ty.pointee(), ty.element()) {
                (
                    TypeShape::Pointer | TypeShape::LValueReference | TypeShape::RValueReference,
                    Some(inner),
                    _,
                )
                | (TypeShape::ConstantArray | TypeShape::OtherArray, _, Some(inner)) => {
                    ty = inner.canonical();
                }
                _ => break,
            }
        }
        let ty = ty.unqualified();
        if ty.shape() != TypeShape::Record || !seen.insert(ty.key()) || seen.len() > 64 {
            return false;
        }
        let Some(declaration) = ty.declaration() else { return false };
        let definition = declaration.definition().unwrap_or(declaration);
        if let Some(&id) = self.closures.get(&definition.canonical().key()) {
            callbacks.push(id);
            return false;
        }
        let mut hidden = false;
        for argument in ty.template_arguments() {
            hidden |= is_function_type(argument);
            hidden |= self.collect_callables(argument, callbacks, seen);
        }
        let Some(record) = self.record(ty) else { return hidden };
        if record.system {
            return hidden;
        }
        let members =
            ty.methods().unwrap_or_else(|| definition.children().iter().copied().collect());
        for member in members {
            let called = match member.kind() {
                Kind::CXXMethod => member.spelling().starts_with("operator") || member.is_virtual(),
                Kind::ConversionFunction => true,
                Kind::Constructor | Kind::Destructor => special_of(member).is_some(),
                _ => false,
            };
            if called
                && !member.is_defaulted()
                && let Some(id) = self.own_function(member)
            {
                callbacks.push(id);
            }
        }
        hidden
    }
}

fn collect_functions(value: &Expr, callbacks: &mut Vec<FunctionId>) {
    match value {
        Expr::Function(id) => callbacks.push(*id),
        Expr::Closure(ids) => callbacks.extend(ids),
        Expr::Cast { value, .. } => collect_functions(value, callbacks),
        Expr::Computed(operands) => {
            for operand in operands {
                collect_functions(operand, callbacks);
            }
        }
        Expr::Integer(_)
        | Expr::Null
        | Expr::Literal
        | Expr::Load { .. }
        | Expr::AddressOf(_)
        | Expr::Arithmetic { .. }
        | Expr::PointerAdd { .. }
        | Expr::PointerDifference { .. }
        | Expr::Compare { .. }
        | Expr::Unknown => {}
    }
}
