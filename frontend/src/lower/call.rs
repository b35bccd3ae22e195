//! Calls, launches, `new` and `delete`.

use clang_sys as clang;
use echo_dataflow::program::{
    Argument, Call, Callee, Expr, FunctionId, Place, SourceRef, StatementKind, Terminator, TypeId,
    TypeKind,
};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::capture::{is_lambda_class, is_lambda_type};
use super::cleanup::callbacks;
use super::expr::{last_expression, strip};
use super::host_library::is_host_library;
use super::launch::is_launch_configuration;
use super::plain_code::innermost;
use super::range_code::copies_by_code;
use super::types::is_trivial;
use super::{Unit, is_function, qualified_name};

/// Functions that never return.
const NORETURN: [&str; 10] = [
    "exit",
    "_exit",
    "_Exit",
    "abort",
    "quick_exit",
    "std::exit",
    "std::abort",
    "std::terminate",
    "__assert_fail",
    "longjmp",
];

/// Functions that return where another of them was called.
const CONTEXTS: [&str; 4] = ["getcontext", "setcontext", "makecontext", "swapcontext"];

/// Built-in functions that do not evaluate all of their arguments.
const UNEVALUATED: [&str; 5] = [
    "__builtin_assume",
    "__builtin_classify_type",
    "__builtin_constant_p",
    "__builtin_dynamic_object_size",
    "__builtin_object_size",
];

/// A function of the built-in Thrust, whose bodies say what the algorithms do with memory.
fn has_stand_in_body(target: Cursor) -> bool {
    crate::clang::file_name(target.name_location().file) == crate::headers::THRUST
}

impl Unit<'_> {
    /// The function a reference means, if it has a body in the unit's own files.
    pub(super) fn function_target(&mut self, target: Cursor) -> Option<FunctionId> {
        // The body of a template's member is not that of any instantiation.
        if (target.in_system_header() && !has_stand_in_body(target))
            || super::is_dependent_context(target)
        {
            return None;
        }
        if let Some(&id) = self.functions.get(&target.canonical().key()) {
            return Some(id);
        }
        let definition = if target.is_definition() { Some(target) } else { target.definition() };
        let definition = definition
            .filter(|d| is_function(d.kind()) && d.kind() != clang::CXCursor_FunctionTemplate)?;
        let has_body = definition
            .children()
            .iter()
            .any(|c| matches!(c.kind(), clang::CXCursor_CompoundStmt | clang::CXCursor_CXXTryStmt));
        has_body.then(|| self.function(definition))
    }
}

/// The declared result type of the callee of `call`: a call's own type has lost its reference.
pub(super) fn result_of(call: Cursor) -> Ty {
    match call.referenced().filter(|target| is_function(target.kind())) {
        Some(target) if target.kind() == clang::CXCursor_Constructor => call.ty(),
        Some(target) => target.result_type(),
        None => {
            let callee = call.children().first().map(|callee| callee.ty());
            callee.and_then(Ty::returned).unwrap_or_else(|| call.ty())
        }
    }
}

impl Body<'_, '_> {
    /// Lowers a call; its value, if `wanted`.
    pub(super) fn call(&mut self, cursor: Cursor, wanted: bool) -> Option<Expr> {
        let ty = cursor.ty();
        if super::is_reference(result_of(cursor)) {
            if let Some(value) = self.number_of_library(cursor) {
                return Some(value);
            }
            let place = self.call_place(cursor);
            return wanted.then(|| self.load_place(place, ty));
        }
        let id = self.unit_type(ty);
        match self.unit.program.ty(id).kind {
            TypeKind::Record { .. } | TypeKind::Array { .. } => {
                let place = self.call_place(cursor);
                wanted.then(|| self.load_place(place, ty))
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let is_void = matches!(self.unit.program.ty(id).kind, TypeKind::Void);
                let result = (wanted && !is_void).then(|| self.unit.temporary(id));
                let special = self.call_into(cursor, result.map(Place::variable), id);
                match special {
                    Some(value) => Some(value),
                    None => result.map(|r| Expr::variable(r, id)),
                }
            }
        }
    }

    /// The place a call yields: of the reference or the object it returns.
    pub(super) fn call_place(&mut self, cursor: Cursor) -> Place {
        let returns = result_of(cursor);
        if super::is_reference(returns) {
            let id = self.unit_type(returns);
            if let Some(place) = self
                .identity_call(cursor)
                .or_else(|| self.bitwise_assignment(cursor))
                .or_else(|| self.chosen_place(cursor))
            {
                return place;
            }
            let temporary = self.unit.temporary(id);
            if let Some(value) = self.call_into(cursor, Some(Place::variable(temporary)), id) {
                let source = self.unit.source(cursor);
                let inner = self.unit_type(cursor.ty());
                let kept = self.unit.temporary(inner);
                self.assign(Place::variable(kept), inner, value, source);
                return Place::variable(kept);
            }
            return Place::deref(Expr::variable(temporary, id));
        }
        let id = self.unit_type(cursor.ty());
        let temporary = self.local_temporary(id);
        let place = Place::variable(temporary);
        let source = self.unit.source(cursor);
        match self.unit.program.ty(id).kind {
            TypeKind::Record { .. } => {
                self.check_temporary(cursor.ty(), cursor);
                self.construct_by_call(&place, cursor.ty(), cursor, source);
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                if let Some(value) = self.call_into(cursor, Some(place.clone()), id) {
                    self.assign(place.clone(), id, value, source);
                }
            }
        }
        place
    }

    /// A record at `place` gets its value from a call: a constructor, or a function that returns one.
    pub(super) fn construct_by_call(
        &mut self,
        place: &Place,
        ty: Ty,
        cursor: Cursor,
        source: SourceRef,
    ) {
        if self.unit.program.files.is_empty() {
            let _ = self.unit.source(cursor);
        }
        let target = cursor.referenced();
        match target {
            Some(constructor) if constructor.kind() == clang::CXCursor_Constructor => {
                let written = cursor.arguments();
                let user_provided =
                    !constructor.is_defaulted() && self.unit.function_target(constructor).is_some();
                if constructor.is_copy_constructor() && !user_provided {
                    match written.first() {
                        Some(from) => self.initialize_copy(place, ty, *from, source),
                        None => self.opaque_statement(cursor, "a copy of unknown form"),
                    }
                    return;
                }
                if user_provided || constructor.in_system_header() {
                    if !user_provided {
                        self.check_library_call(cursor, constructor, &written);
                    }
                    if !user_provided && written.is_empty() {
                        return;
                    }
                    self.check_kept_lambdas(constructor, &written);
                    let arguments = self.lower_arguments(constructor, &written);
                    let syntax = self.call_syntax(cursor, &written, None);
                    self.lambda_kept(cursor, constructor, &written);
                    self.construct(place, constructor, arguments, source, Some(syntax));
                    return;
                }
                if !constructor.is_defaulted()
                    && constructor.definition().is_none()
                    && has_user_constructor(constructor)
                {
                    let arguments = self.lower_arguments(constructor, &written);
                    self.lambda_kept(cursor, constructor, &written);
                    self.construct(place, constructor, arguments, source, None);
                    return;
                }
                for argument in &written {
                    self.discard(*argument);
                }
                if !written.is_empty() && !constructor.is_copy_constructor() {
                    self.opaque_statement(cursor, "a constructor of a base class is inherited");
                }
                if !is_trivial(self.unit, ty) {
                    self.default_construct(place, ty, source);
                }
            }
            Some(_) | None => {
                if self.is_construction_wrapper(cursor, ty) {
                    if let Some(inner) = last_expression(cursor) {
                        self.initialize(place, ty, inner, source);
                    }
                    return;
                }
                let id = self.unit_type(cursor.ty());
                self.call_into(cursor, Some(place.clone()), id);
            }
        }
    }

    /// A `CallExpr` node without a callee around another node of the same type.
    fn is_construction_wrapper(&self, cursor: Cursor, ty: Ty) -> bool {
        cursor.referenced().is_none()
            && cursor.children().len() == 1
            && last_expression(cursor).is_some_and(|c| c.ty().is_same_value(ty))
    }

    pub(super) fn initialize_copy(
        &mut self,
        place: &Place,
        ty: Ty,
        from: Cursor,
        source: SourceRef,
    ) {
        let inner = strip(from);
        if inner.kind() == clang::CXCursor_CallExpr && !super::is_reference(result_of(inner)) {
            self.construct_by_call(place, ty, inner, source);
            return;
        }
        self.check_copy(ty, from);
        let from = self.place(from);
        let id = self.unit_type(ty);
        let from = Box::new(from);
        self.push(StatementKind::CopyAggregate { to: place.clone(), from, ty: id }, source, None);
    }

    /// The arguments of a call of `target`, converted to its parameters.
    pub(super) fn lower_arguments(&mut self, target: Cursor, written: &[Cursor]) -> Vec<Argument> {
        let parameters = target.arguments();
        self.unsequenced(written);
        written
            .iter()
            .enumerate()
            .map(|(index, argument)| {
                let parameter = parameters.get(index).map(|p| p.ty());
                // A default argument has no place in the call. Those of the system's functions are constants, or theirs.
                let is_default = argument.name_expansion().file == 0 && !target.in_system_header();
                let value = if is_default { default_argument(target, index) } else { None };
                if is_default && value.is_none() {
                    self.opaque_statement(target, "a default argument that is not seen");
                }
                self.lower_argument(value.unwrap_or(*argument), parameter)
            })
            .collect()
    }

    /// The arguments of a call through `callee`, which names no function: its type tells what is taken by reference.
    pub(super) fn lower_unnamed_arguments(
        &mut self,
        callee: Cursor,
        written: &[Cursor],
    ) -> Vec<Argument> {
        self.unsequenced(written);
        let parameters = callee.ty().parameters();
        if parameters.is_none() {
            self.opaque_statement(callee, "a call through something whose parameters are not seen");
        }
        let lower = |(index, argument): (usize, &Cursor)| {
            let parameter = parameters.as_ref().and_then(|all| all.get(index)).copied();
            self.lower_argument(*argument, parameter)
        };
        written.iter().enumerate().map(lower).collect()
    }

    pub(super) fn lower_argument(&mut self, argument: Cursor, parameter: Option<Ty>) -> Argument {
        let source = self.unit.source(argument);
        match parameter {
            Some(ty) if super::is_reference(ty) => {
                let place = self.place(argument);
                let ty = self.unit_type(ty);
                Argument { value: Expr::AddressOf(Box::new(place)), ty, source }
            }
            Some(_) | None => {
                let ty = self.unit_type(argument.ty());
                let value = match self.unit.program.ty(ty).kind {
                    TypeKind::Record { .. } => {
                        self.check_temporary(argument.ty(), argument);
                        let place = self.argument_object(argument);
                        Expr::Load { place: Box::new(place), ty }
                    }
                    TypeKind::Void
                    | TypeKind::Integer { .. }
                    | TypeKind::Float
                    | TypeKind::Pointer { .. }
                    | TypeKind::Array { .. }
                    | TypeKind::Function
                    | TypeKind::Unknown => self.rvalue(argument),
                };
                Argument { value, ty, source }
            }
        }
    }

    /// A class passed by value: the object it is copied from, where the copy runs no code.
    fn argument_object(&mut self, argument: Cursor) -> Place {
        let inner = strip(argument);
        if inner.kind() == clang::CXCursor_CallExpr
            && let Some(constructor) = inner.referenced()
            && constructor.kind() == clang::CXCursor_Constructor
            && constructor.is_copy_constructor()
            && self.unit.function_target(constructor).is_none()
            && let [from] = inner.arguments().as_slice()
        {
            self.check_copy(argument.ty(), argument);
            return self.place(*from);
        }
        self.place(argument)
    }

    /// An implicit copy of a class copies its parts, some of them perhaps by code of the program.
    fn check_copy(&mut self, ty: Ty, at: Cursor) {
        if copies_by_code(ty, 0) || self.unit.copy_in_library(ty, 0) {
            self.opaque_statement(
                at,
                "a copy of an object whose parts are copied by code of the program",
            );
        }
    }

    /// Lowers a call whose value goes to `result`; returns the value instead if it is known without a call.
    fn call_into(
        &mut self,
        cursor: Cursor,
        result: Option<Place>,
        returns: TypeId,
    ) -> Option<Expr> {
        let children = cursor.children();
        if let Some(configuration) = children.get(1).filter(|c| is_launch_configuration(**c)) {
            self.launch(cursor, children[0], *configuration);
            return None;
        }
        let source = self.unit.source(cursor);
        let written = cursor.arguments();
        let target = cursor.referenced();
        let Some(target) = target.filter(|t| is_function(t.kind())) else {
            return self.indirect_call(cursor, &children, &written, result, returns, source);
        };
        if matches!(target.kind(), clang::CXCursor_FunctionTemplate) {
            self.give_up("it calls a template that was not instantiated");
            return None;
        }
        let name = qualified_name(target);
        let system = target.in_system_header();
        if name.contains("setjmp") {
            self.give_up("it calls setjmp, which returns twice");
        }
        if CONTEXTS.contains(&name.as_str()) {
            self.give_up(&format!("it calls {name}, which may return elsewhere"));
        }
        if UNEVALUATED.contains(&name.as_str()) && written.iter().any(|a| self.has_effects(*a)) {
            self.opaque_statement(cursor, "an argument that may not be evaluated");
            return Some(Expr::Unknown);
        }
        if let Some(value) = self.library_value(cursor, &name, system, &written) {
            return Some(value);
        }
        if self.builtin(cursor, target, &name, &written, result.as_ref(), source) {
            return None;
        }
        self.check_kept_lambdas(target, &written);
        let mut arguments = Vec::new();
        let is_method = target.kind() == clang::CXCursor_CXXMethod
            || target.kind() == clang::CXCursor_ConversionFunction
            || target.kind() == clang::CXCursor_Destructor;
        let is_operator = name.contains("operator") && target.kind() == clang::CXCursor_CXXMethod;
        // `a(b)` shows its object among the arguments, `a.operator()(b)` does not.
        let has_object = is_operator
            && written.len() > target.arguments().len()
            && !children.first().is_some_and(|callee| {
                let callee = innermost(*callee);
                callee.kind() == clang::CXCursor_MemberRefExpr
                    && callee.referenced().is_some_and(|named| named.key() == target.key())
            });
        let callee_lambda =
            target.name() == "operator()" && target.semantic_parent().is_some_and(is_lambda_class);
        let mut values: &[Cursor] = &written;
        if is_method && !target.is_static_method() {
            let explicit_object = has_object;
            let object = if explicit_object {
                values = &written[1..];
                Some(self.place(written[0]))
            } else {
                self.member_object(children.first().copied())
            };
            let Some(object) = object else {
                self.opaque_statement(cursor, "a member call of unknown form");
                return None;
            };
            if !callee_lambda {
                let void = self.unit.void_type();
                let this = if target.is_const_method() {
                    self.unit.pointer_to_const(void)
                } else {
                    self.unit.pointer_to(void)
                };
                arguments.push(Argument {
                    value: Expr::AddressOf(Box::new(object)),
                    ty: this,
                    source,
                });
            }
        }
        if is_method
            && target.is_static_method()
            && let Some(callee) = children.first()
        {
            if has_object && !target.is_variadic() {
                self.discard(written[0]);
                values = &written[1..];
            } else {
                self.discard_object(*callee);
            }
        }
        let own = self.lower_arguments(target, values);
        arguments.extend(own);
        let body = if cursor.is_dynamic_call() { None } else { self.unit.function_target(target) };
        let noreturn = NORETURN.contains(&name.as_str());
        let callee = match body {
            Some(id) => Callee::Function(id),
            None if cursor.is_dynamic_call() => Callee::Indirect(Expr::Unknown),
            None => Callee::External {
                callbacks: self.callbacks(&arguments, &written),
                name: self.unit.name(&name),
                usr: self.unit.name(&target.usr()),
                system,
                may_use_cuda: !is_host_library(target),
                noreturn,
            },
        };
        if let Callee::External { system: true, .. } = &callee {
            self.check_library_call(cursor, target, &written);
        }
        if let Callee::External { callbacks, .. } = &callee
            && callbacks.is_empty()
            && written.iter().any(|a| is_lambda_type(a.ty()))
        {
            // It may call the lambda, with all that it has captured.
            self.opaque_statement(cursor, "a lambda is passed to a function without a body");
        }
        let callee_cursor = children.first().copied().filter(|c| c.name_expansion().file != 0);
        let syntax = self.call_syntax(cursor, &written, callee_cursor);
        self.push(
            StatementKind::Call(Box::new(Call { callee, arguments, result, returns })),
            source,
            Some(syntax),
        );
        if noreturn {
            self.terminate_dead(Terminator::Exit);
        } else {
            self.may_throw(source);
        }
        None
    }

    /// Functions among the arguments that the callee may call: by name, as lambdas, or as variables that hold lambdas.
    pub(super) fn callbacks(&self, arguments: &[Argument], written: &[Cursor]) -> Vec<FunctionId> {
        let mut found = callbacks(arguments);
        let classes = written.iter().filter(|a| is_lambda_type(a.ty()));
        found.extend(classes.filter_map(|argument| {
            let class = argument.ty().canonical().declaration()?;
            self.unit.lambdas.get(&class.canonical().key()).copied()
        }));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The object of `object.method` or `pointer->method`.
    fn member_object(&mut self, callee: Option<Cursor>) -> Option<Place> {
        let mut at = callee?;
        while at.kind() != clang::CXCursor_MemberRefExpr {
            match at.kind() {
                clang::CXCursor_ParenExpr | clang::CXCursor_UnexposedExpr => {
                    at = last_expression(at)?
                }
                _ => return Some(self.place(at)),
            }
        }
        match at.children().into_iter().find(|c| c.is_expression()) {
            Some(base) => {
                let id = self.unit_type(base.ty());
                if let TypeKind::Pointer { .. } = self.unit.program.ty(id).kind {
                    Some(Place::deref(self.rvalue(base)))
                } else {
                    Some(self.place(base))
                }
            }
            None => self.implicit_object(at.referenced()?),
        }
    }

    fn indirect_call(
        &mut self,
        cursor: Cursor,
        children: &[Cursor],
        written: &[Cursor],
        result: Option<Place>,
        returns: TypeId,
        source: SourceRef,
    ) -> Option<Expr> {
        let Some(&callee) = children.first() else {
            // A value-initialised object, or a node that adds nothing.
            return Some(Expr::Unknown);
        };
        if written.is_empty()
            && children.len() == 1
            && callee.is_expression()
            && callee.ty().is_same_value(cursor.ty())
        {
            return Some(self.rvalue(callee));
        }
        let unresolved = strip(callee);
        if unresolved.kind() == clang::CXCursor_OverloadedDeclRef
            || (unresolved.kind() == clang::CXCursor_DeclRefExpr
                && unresolved.referenced().is_none())
        {
            self.give_up("it calls a function that did not resolve");
            return None;
        }
        let value = self.rvalue(callee);
        let arguments = self.lower_unnamed_arguments(callee, written);
        let syntax = self.call_syntax(cursor, written, None);
        let callee = match value {
            Expr::Function(id) => Callee::Function(id),
            value => Callee::Indirect(value),
        };
        self.push(
            StatementKind::Call(Box::new(Call { callee, arguments, result, returns })),
            source,
            Some(syntax),
        );
        self.may_throw(source);
        None
    }
}

fn has_user_constructor(constructor: Cursor) -> bool {
    !constructor.is_defaulted()
        && constructor.expanded_range().0.file != 0
        && constructor
            .semantic_parent()
            .is_some_and(|class| class.name_location() != constructor.name_location())
}

/// What a parameter is when the call does not give it: as written where the function was first declared with it.
fn default_argument(function: Cursor, index: usize) -> Option<Cursor> {
    let first = function.canonical();
    let template = function.template();
    let declarations = [Some(function), Some(first), function.definition(), template];
    declarations.into_iter().flatten().find_map(|declaration| {
        let parameter = match declaration.kind() {
            clang::CXCursor_FunctionTemplate => {
                let mut parts = declaration.children().into_iter();
                parts.by_ref().filter(|c| c.kind() == clang::CXCursor_ParmDecl).nth(index)?
            }
            _ => *declaration.arguments().get(index)?,
        };
        super::class::default_argument(parameter)
    })
}
