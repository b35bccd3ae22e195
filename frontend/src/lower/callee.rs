//! Who is called: functions of the program, external functions, and names.

use std::rc::Rc;

use echo_dataflow::program::{Callee, Expr, Function, FunctionId, FunctionKind, Place, PlaceBase};

use super::record::{Record, special_of};
use super::session::{Session, Special, Work};
use super::spans::Ownership;
use crate::clang::{Cursor, Kind, TypeShape};

impl<'tu> Session<'tu> {
    /// The callee of a direct call of `declared`.
    pub(crate) fn callee(&mut self, declared: Cursor<'tu>) -> Callee {
        match self.own_function(declared) {
            Some(id) => Callee::Function(id),
            None => self.external(declared),
        }
    }

    /// The function of the program that `declared` is, if its body is in this unit.
    pub(crate) fn own_function(&mut self, declared: Cursor<'tu>) -> Option<FunctionId> {
        let canonical = declared.canonical().key();
        if let Some(&id) = self.functions.get(&canonical) {
            return Some(id);
        }
        let definition = declared.definition()?;
        if let Some(body) = function_body(definition)
            && let Some(&id) = self.functions.get(&body.key())
        {
            // A lambda, which was met as an expression.
            self.functions.insert(canonical, id);
            return Some(id);
        }
        if self.spans.ownership(definition.location()) == Ownership::System {
            return None;
        }
        if function_body(definition).is_none() {
            let special = special_of(definition)?;
            let record = self.record(definition.semantic_parent()?.ty())?;
            return Some(self.implicit_function(&record, special));
        }
        if let Some(lambda) = self.generic_lambda(definition) {
            self.functions.insert(canonical, lambda);
            return Some(lambda);
        }
        let id = self.new_function(definition);
        self.functions.insert(canonical, id);
        self.queue.push_back((id, Work::Function(definition)));
        Some(id)
    }

    /// A slot for a function whose body is lowered later.
    pub(crate) fn new_function(&mut self, definition: Cursor<'tu>) -> FunctionId {
        let id = FunctionId::new(self.program.functions.len());
        let source = self.source_or_main(definition);
        let ty = definition.ty();
        let returns = self.ty(ty.result());
        if ty.is_noexcept() || definition.kind() == Kind::Destructor {
            self.never_throws.insert(id);
        }
        let internal = !definition.has_external_linkage();
        self.program.functions.push(Function {
            usr: definition.usr(),
            name: qualified_name(definition),
            kind: function_kind(definition),
            parameters: Vec::new(),
            returns,
            internal_linkage: internal,
            address_taken: definition.is_virtual(),
            variadic: ty.is_variadic(),
            blocks: Vec::new(),
            opaque: Some("not lowered".to_owned()),
            source,
            definition: source.span,
        });
        id
    }

    /// A special member that the compiler writes.
    pub(crate) fn implicit_function(
        &mut self,
        record: &Rc<Record<'tu>>,
        special: Special,
    ) -> FunctionId {
        let key = (record.declaration.canonical().key(), special);
        if let Some(&id) = self.implicit.get(&key) {
            return id;
        }
        let id = FunctionId::new(self.program.functions.len());
        let source = self.source_or_main(record.declaration);
        let void = self.void_type();
        let name = plain_name(record.declaration);
        let (kind, member) = match special {
            Special::Destructor => (FunctionKind::Destructor, format!("~{name}")),
            Special::CopyAssignment | Special::MoveAssignment => {
                (FunctionKind::Host, "operator=".to_owned())
            }
            Special::DefaultConstructor | Special::CopyConstructor | Special::MoveConstructor => {
                (FunctionKind::Constructor, name)
            }
        };
        self.program.functions.push(Function {
            usr: format!("{}@implicit {special:?}", record.declaration.usr()),
            name: format!("{}::{member}", qualified_name(record.declaration)),
            kind,
            parameters: Vec::new(),
            returns: void,
            internal_linkage: true,
            address_taken: false,
            variadic: false,
            blocks: Vec::new(),
            opaque: Some("not lowered".to_owned()),
            source,
            definition: source.span,
        });
        if special == Special::Destructor {
            self.never_throws.insert(id);
        }
        self.implicit.insert(key, id);
        self.queue.push_back((id, Work::Implicit(record.declaration, special)));
        id
    }

    pub(crate) fn implicit_callee(&mut self, record: &Rc<Record<'tu>>, special: Special) -> Callee {
        Callee::Function(self.implicit_function(record, special))
    }

    /// A constructor or destructor that the user wrote.
    pub(crate) fn member_callee(&mut self, member: Cursor<'tu>) -> Callee {
        self.callee(member)
    }

    /// A function without a body here.
    pub(crate) fn external(&mut self, declared: Cursor<'tu>) -> Callee {
        let name = qualified_name(declared);
        let system = self.spans.ownership(declared.canonical().location()) == Ownership::System;
        let noreturn = is_noreturn(&name, declared);
        Callee::External { name, usr: declared.usr(), system, callbacks: Vec::new(), noreturn }
    }

    /// A member of a class of a system header, by name (`~` for its destructor).
    pub(crate) fn system_member(&mut self, record: &Rc<Record<'tu>>, member: &str) -> Callee {
        let class = qualified_name(record.declaration);
        let member = if member == "~" {
            format!("~{}", plain_name(record.declaration))
        } else {
            member.to_owned()
        };
        let callbacks = self.callables_of(record.ty);
        let name = format!("{class}::{member}");
        if erases_types(&name) {
            return Callee::Indirect(Expr::Unknown);
        }
        Callee::External {
            usr: format!("{}@{member}", record.declaration.usr()),
            name,
            system: true,
            callbacks,
            noreturn: false,
        }
    }

    /// A function used as a value.
    pub(crate) fn function_value(&mut self, declared: Cursor<'tu>) -> Expr {
        match self.own_function(declared) {
            Some(id) => {
                self.program.functions[id.index()].address_taken = true;
                Expr::Function(id)
            }
            // Library code that does not know the program's memory.
            None if self.spans.ownership(declared.canonical().location()) == Ownership::System => {
                Expr::Literal
            }
            None => Expr::Unknown,
        }
    }

    /// `threadIdx` and its kin: numbers that no memory holds.
    pub(crate) fn is_built_in_index(&mut self, declared: Cursor<'tu>) -> bool {
        declared.kind() == Kind::VarDecl
            && matches!(
                declared.spelling().as_str(),
                "threadIdx" | "blockIdx" | "blockDim" | "gridDim" | "warpSize"
            )
            && self.spans.ownership(declared.location()) == Ownership::System
    }

    /// Whether `place` is a part of one of [`Self::is_built_in_index`].
    pub(crate) fn is_built_in_place(&self, place: &Place) -> bool {
        match &place.base {
            PlaceBase::Variable(v) => {
                let variable = &self.program.variables[v.index()];
                variable.declaration.is_none()
                    && matches!(
                        variable.name.as_str(),
                        "threadIdx" | "blockIdx" | "blockDim" | "gridDim"
                    )
            }
            PlaceBase::Deref(_) => false,
        }
    }

    /// Where `cursor` is written, or the start of the main file for implicit code.
    pub(crate) fn source_or_main(
        &mut self,
        cursor: Cursor<'tu>,
    ) -> echo_dataflow::program::SourceRef {
        self.spans.source(cursor).unwrap_or(echo_dataflow::program::SourceRef {
            span: echo_dataflow::program::Span {
                file: echo_dataflow::program::FileId(0),
                start: 0,
                end: 0,
            },
            spelling: echo_dataflow::program::Spelling::MacroBody,
        })
    }
}

/// The `{}` of a function definition (or its `try`).
pub(crate) fn function_body(definition: Cursor<'_>) -> Option<Cursor<'_>> {
    definition
        .children()
        .iter()
        .rev()
        .copied()
        .find(|c| matches!(c.kind(), Kind::CompoundStmt | Kind::CXXTryStmt))
}

fn function_kind(definition: Cursor<'_>) -> FunctionKind {
    match definition.kind() {
        Kind::Constructor => return FunctionKind::Constructor,
        Kind::Destructor => return FunctionKind::Destructor,
        _ => {}
    }
    let (mut host, mut device) = (false, false);
    for child in definition.children() {
        match child.kind() {
            Kind::CUDAGlobalAttr => return FunctionKind::Kernel,
            Kind::CUDADeviceAttr => device = true,
            Kind::CUDAHostAttr => host = true,
            _ => {}
        }
    }
    let at_top = definition
        .semantic_parent()
        .is_none_or(|p| !matches!(p.kind(), Kind::Namespace | Kind::StructDecl | Kind::ClassDecl));
    if device && !host {
        FunctionKind::Device
    } else if definition.kind() == Kind::FunctionDecl && at_top && definition.spelling() == "main" {
        FunctionKind::Main
    } else {
        FunctionKind::Host
    }
}

/// Name with its scopes, without template arguments and inline namespaces: `std::vector::push_back`.
pub(crate) fn qualified_name(declared: Cursor<'_>) -> String {
    let mut parts = vec![plain_name(declared)];
    let mut parent = declared.semantic_parent();
    while let Some(scope) = parent {
        match scope.kind() {
            Kind::Namespace if scope.is_inline_namespace() => {}
            Kind::Namespace
            | Kind::StructDecl
            | Kind::ClassDecl
            | Kind::UnionDecl
            | Kind::EnumDecl
            | Kind::ClassTemplate
            | Kind::ClassTemplatePartialSpecialization => {
                let name = plain_name(scope);
                if !name.is_empty() {
                    parts.push(name);
                }
            }
            _ => break,
        }
        parent = scope.semantic_parent();
    }
    parts.reverse();
    parts.join("::")
}

/// Name without scopes and template arguments.
pub(crate) fn plain_name(declared: Cursor<'_>) -> String {
    let name = declared.spelling();
    if name.starts_with("operator") || name.starts_with('(') {
        return name;
    }
    match name.find('<') {
        Some(at) => name[..at].to_owned(),
        None => name,
    }
}

fn is_noreturn(name: &str, declared: Cursor<'_>) -> bool {
    matches!(
        name,
        "exit"
            | "_exit"
            | "_Exit"
            | "abort"
            | "quick_exit"
            | "std::exit"
            | "std::abort"
            | "std::terminate"
            | "std::_Exit"
            | "std::quick_exit"
            | "__assert_fail"
            | "__assert"
            | "__builtin_trap"
            | "__builtin_abort"
            | "__builtin_unreachable"
            | "longjmp"
            | "pthread_exit"
    ) || declared.ty().spelling().contains("noreturn")
}

/// Library classes that hold callables behind a type that does not show them.
pub(crate) fn erases_types(name: &str) -> bool {
    const CLASSES: [&str; 8] = [
        "std::function::",
        "std::any::",
        "std::packaged_task::",
        "std::future::",
        "std::shared_future::",
        "std::_Function_base::",
        "std::move_only_function::",
        "std::reference_wrapper::operator()",
    ];
    let releases_shared = ["std::shared_ptr::", "std::__shared_ptr::", "std::__shared_count::"]
        .iter()
        .filter_map(|class| name.strip_prefix(class))
        .any(|m| m.starts_with('~') || m == "reset" || m == "operator=");
    releases_shared || CLASSES.iter().any(|class| name.starts_with(class))
}

/// Whether a type is a pointer to a function or a function.
pub(crate) fn is_function_type(ty: crate::clang::Type<'_>) -> bool {
    let pointee = ty.canonical().pointee();
    ty.shape() == TypeShape::Function || pointee.is_some_and(|p| p.shape() == TypeShape::Function)
}
