//! Construction and destruction of class objects.

use clang_sys as clang;
use echo_dataflow::program::{
    Argument, Call, Callee, Expr, Place, Projection, SourceRef, StatementKind,
};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::class::{Class, class, field_initializer};
use super::host_library::is_host_library;
use super::types::is_trivial;

impl Body<'_, '_> {
    /// Runs the destructor of the object at `place`.
    pub(super) fn destroy(&mut self, place: &Place, ty: Ty, source: SourceRef, depth: u32) {
        let ty = ty.canonical();
        if is_trivial(self.unit, ty) {
            return;
        }
        if depth > 8 {
            let why = "the destruction of a deeply nested object".to_owned();
            self.push(StatementKind::Opaque { why }, source, None);
            return;
        }
        match ty.kind() {
            clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray => {
                let mut element = place.clone();
                element.path.push(Projection::Index {
                    index: Box::new(Expr::Unknown),
                    element_bytes: None,
                });
                self.destroy(&element, ty.element(), source, depth + 1);
            }
            clang::CXType_Record => {
                let Some(class) = class(ty) else { return };
                if class.declaration.in_system_header()
                    && let Some(code) = self.unit.code_of_destruction(ty)
                {
                    let why = format!("the destruction of an object of the library runs `{code}`");
                    self.push(StatementKind::Opaque { why }, source, None);
                    return;
                }
                match class.destructor() {
                    // A library class releases its own memory only; what it was given escaped when it was given.
                    Some(destructor) if destructor.in_system_header() => {}
                    Some(destructor) => {
                        if super::capture::is_lambda_type(ty) && class.from_template {
                            // It may call the lambda, with all that it has captured.
                            let why = "a lambda is destroyed by a function without a body";
                            self.push(StatementKind::Opaque { why: why.to_owned() }, source, None);
                        }
                        self.run_destructor(place, destructor, source);
                    }
                    None => self.destroy_fields(place, &class, source, depth),
                }
            }
            _ => {}
        }
    }

    /// A nameless object of the program's that is destroyed somewhere after this: where is not followed.
    pub(super) fn check_temporary(&mut self, ty: Ty, cursor: Cursor) {
        // A default argument of the library's has no place, and belongs to the call of the library.
        if cursor.name_expansion().file != 0 && self.destruction_runs_code(ty, 0) {
            self.opaque_statement(cursor, "a temporary whose destructor runs code of the program");
        }
    }

    /// Whether destroying a value of `ty` may run code that the program wrote.
    pub(super) fn destruction_runs_code(&mut self, ty: Ty, depth: u32) -> bool {
        let ty = ty.canonical();
        if super::is_reference(ty) || is_trivial(self.unit, ty) {
            return false;
        }
        if depth > 8 {
            return true;
        }
        match ty.kind() {
            clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray => self.destruction_runs_code(ty.element(), depth + 1),
            clang::CXType_Record => {
                let Some(class) = class(ty) else { return true };
                match class.destructor() {
                    _ if class.declaration.in_system_header() => {
                        self.unit.code_of_destruction(ty).is_some()
                    }
                    Some(destructor) => !is_empty(destructor),
                    None => {
                        let bases: Vec<Cursor> = class.bases().collect();
                        class
                            .fields
                            .iter()
                            .chain(&bases)
                            .any(|part| self.destruction_runs_code(part.ty(), depth + 1))
                    }
                }
            }
            // What is not trivial and neither of these is not understood.
            _ => true,
        }
    }

    /// An exception of the program's own that carries pointers, or whose destructor runs code: what is caught is not
    /// followed back to what was thrown.
    pub(super) fn check_thrown(&mut self, thrown: Cursor) {
        if !self.unit.catches {
            return;
        }
        let ty = thrown.ty();
        let is_text = super::expr::strip(thrown).kind() == clang::CXCursor_StringLiteral;
        if !is_text && (self.carries_pointers(ty, 0) || self.destruction_runs_code(ty, 0)) {
            self.opaque_statement(thrown, "an exception that carries pointers");
        }
    }

    fn carries_pointers(&mut self, ty: Ty, depth: u32) -> bool {
        if super::is_reference(ty) {
            return true;
        }
        let ty = ty.canonical();
        match ty.kind() {
            clang::CXType_Pointer => {
                let to = ty.pointee().canonical();
                !matches!(to.kind(), clang::CXType_Char_S | clang::CXType_Char_U)
            }
            clang::CXType_ConstantArray | clang::CXType_IncompleteArray => {
                depth > 8 || self.carries_pointers(ty.element(), depth + 1)
            }
            clang::CXType_Record => {
                let Some(class) = class(ty) else { return true };
                if class.declaration.in_system_header() {
                    // The library's exceptions hold texts and numbers.
                    return !ty.name().starts_with("std::");
                }
                let bases: Vec<Cursor> = class.bases().collect();
                depth > 8
                    || class
                        .fields
                        .iter()
                        .chain(&bases)
                        .any(|part| self.carries_pointers(part.ty(), depth + 1))
            }
            _ => !super::types::is_number(ty),
        }
    }

    fn run_destructor(&mut self, place: &Place, destructor: Cursor, source: SourceRef) {
        let void = self.unit.void_type();
        let this = self.unit.pointer_to(void);
        let callee = match self.unit.function_target(destructor) {
            Some(id) if !destructor.is_virtual() => Callee::Function(id),
            Some(_) | None => Callee::External {
                name: self.unit.name(&super::qualified_name(destructor)),
                usr: self.unit.name(&destructor.usr()),
                system: false,
                may_use_cuda: true,
                callbacks: Vec::new(),
                noreturn: false,
            },
        };
        let object = Argument { value: Expr::AddressOf(Box::new(place.clone())), ty: this, source };
        let call = Call { callee, arguments: vec![object], result: None, returns: void };
        self.push(StatementKind::Call(Box::new(call)), source, None);
    }

    fn destroy_fields(&mut self, place: &Place, class: &Class, source: SourceRef, depth: u32) {
        if class.declaration.in_system_header() {
            return;
        }
        for field in class.fields.iter().rev() {
            self.destroy(&member(place, *field), field.ty(), source, depth + 1);
        }
        for base in class.bases().rev() {
            self.destroy(place, base.ty(), source, depth + 1);
        }
    }

    /// After a destructor's own body: the members.
    pub(super) fn destroy_members(&mut self, destructor: Cursor) {
        let (Some(this), Some(parent)) = (self.this, destructor.semantic_parent()) else { return };
        let source = self.unit.source(destructor);
        let place = Place::deref(Expr::variable(this, self.unit.program.variable(this).ty));
        match class(parent.ty()) {
            Some(class) => self.destroy_fields(&place, &class, source, 0),
            None => self.give_up("it destroys a class whose definition is not seen"),
        }
    }

    /// Before a constructor's own body: bases and members.
    pub(super) fn constructor_initializers(&mut self, constructor: Cursor, children: &[Cursor]) {
        let (Some(this), Some(parent)) = (self.this, constructor.semantic_parent()) else { return };
        let Some(class) = class(parent.ty()) else {
            self.give_up("it constructs a class whose definition is not seen");
            return;
        };
        let object = Place::deref(Expr::variable(this, self.unit.program.variable(this).ty));
        let mut written: Vec<(Option<String>, Cursor)> = Vec::new();
        let mut pending: Option<Option<String>> = None;
        for child in children {
            match child.kind() {
                clang::CXCursor_MemberRef => pending = Some(Some(child.name())),
                clang::CXCursor_TypeRef
                | clang::CXCursor_TemplateRef
                | clang::CXCursor_NamespaceRef => {
                    pending = Some(None);
                }
                _ if child.is_expression() => {
                    if let Some(name) = pending.take() {
                        written.push((name, *child));
                    }
                }
                _ => pending = None,
            }
        }
        // Also one that is only made by constructors with parameters, which this one may inherit.
        if class.bases().any(|base| {
            !is_trivial(self.unit, base.ty()) || super::types::has_constructors(base.ty())
        }) {
            self.give_up("it constructs a base class");
            return;
        }
        for field in &class.fields {
            let place = member(&object, *field);
            let given = written.iter().position(|(name, _)| name.as_deref() == Some(&field.name()));
            let given = given.map(|index| written.remove(index).1);
            match (given, field_initializer(*field)) {
                (Some(value), _) => self.initialize_member(&place, *field, value),
                // Here `this` is the object itself.
                (None, Some(value)) if !holds_lambda(value) => {
                    self.initialize_member(&place, *field, value)
                }
                (None, Some(value)) => {
                    self.opaque_statement(value, "a member's default that holds a lambda")
                }
                (None, None) if !is_trivial(self.unit, field.ty()) => {
                    let source = self.unit.source(*field);
                    self.default_construct(&place, field.ty(), source);
                }
                (None, None) => self.check_hidden_default(*field),
            }
        }
        // A delegating constructor, a base with arguments, a member of an anonymous union.
        if !written.is_empty() {
            self.give_up("it initialises something that is not a member of its own");
        }
        let hidden =
            |m: &Cursor| m.kind() == clang::CXCursor_FieldDecl && field_initializer(*m).is_some();
        if class.from_template && class.members.iter().any(hidden) {
            self.give_up("a template's default member initialisers are not seen");
        }
    }

    /// A member that a list of initialisers does not name.
    pub(super) fn initialize_unnamed(&mut self, object: &Place, field: Cursor, source: SourceRef) {
        let place = member(object, field);
        if let Some(value) = field_initializer(field) {
            self.initialize_by_default(object, field, value);
        } else if !is_trivial(self.unit, field.ty()) {
            self.default_construct(&place, field.ty(), source);
        } else {
            self.check_hidden_default(field);
        }
    }

    /// A member of `object` gets the value that is written at its declaration, where `this` is that object.
    fn initialize_by_default(&mut self, object: &Place, field: Cursor, value: Cursor) {
        let place = member(object, field);
        if !names_this(value) {
            self.initialize_member(&place, field, value);
            return;
        }
        let class = field.semantic_parent().filter(|class| !class.is_anonymous_record());
        let Some(class) = class.filter(|_| !holds_lambda(value)) else {
            self.opaque_statement(
                value,
                "a member's default that holds a lambda, or is in a `union`",
            );
            return;
        };
        let source = self.unit.source(value);
        let record = self.unit_type(class.ty());
        let ty = self.unit.pointer_to(record);
        let this = self.unit.temporary(ty);
        self.unit.this_classes.insert(this, class.ty());
        self.assign(Place::variable(this), ty, Expr::AddressOf(Box::new(object.clone())), source);
        let outer = self.this.replace(this);
        self.initialize_member(&place, field, value);
        self.this = outer;
    }

    fn check_hidden_default(&mut self, field: Cursor) {
        if self.unit.hides_default(field) {
            self.opaque_statement(
                field,
                "the default of a bit field, which libclang does not show",
            );
        }
    }

    fn initialize_member(&mut self, place: &Place, field: Cursor, value: Cursor) {
        let source = self.unit.source(value);
        if super::is_reference(field.ty()) {
            let referred = self.place(value);
            let id = self.unit_type(field.ty());
            self.assign(place.clone(), id, Expr::AddressOf(Box::new(referred)), source);
        } else {
            self.initialize(place, field.ty(), value, source);
        }
    }

    /// `T x;` of a class with code in its default construction.
    pub(super) fn default_construct(&mut self, place: &Place, ty: Ty, source: SourceRef) {
        let ty = ty.canonical();
        if super::is_array(ty) {
            self.default_construct_elements(place, ty, source);
            return;
        }
        let Some(class) = class(ty) else {
            self.give_up("it constructs a class whose definition is not seen");
            return;
        };
        if class.declaration.in_system_header() {
            if let Some(code) = self.unit.code_within(ty) {
                let why = format!("the construction of an object of the library may run `{code}`");
                self.push(StatementKind::Opaque { why }, source, None);
            }
            return;
        }
        if let Some(constructor) = class.default_constructor() {
            self.construct(place, constructor, Vec::new(), source, None);
            return;
        }
        for field in &class.fields {
            let inner = member(place, *field);
            if let Some(value) = field_initializer(*field) {
                self.initialize_by_default(place, *field, value);
            } else if !is_trivial(self.unit, field.ty()) {
                self.default_construct(&inner, field.ty(), source);
            } else {
                self.check_hidden_default(*field);
            }
        }
        for base in class.bases() {
            if !is_trivial(self.unit, base.ty()) {
                self.default_construct(place, base.ty(), source);
            }
        }
    }

    /// The elements of an array that its list of initialisers does not give.
    pub(super) fn default_construct_elements(&mut self, place: &Place, ty: Ty, source: SourceRef) {
        let mut element = ty.canonical();
        let mut place = place.clone();
        while super::is_array(element) {
            let index = Box::new(Expr::Unknown);
            place.path.push(Projection::Index { index, element_bytes: None });
            element = element.element().canonical();
        }
        self.default_construct(&place, element, source);
    }

    /// Calls `constructor` on `place`.
    pub(super) fn construct(
        &mut self,
        place: &Place,
        constructor: Cursor,
        mut arguments: Vec<Argument>,
        source: SourceRef,
        syntax: Option<echo_dataflow::program::CallSyntax>,
    ) {
        let void = self.unit.void_type();
        let this = self.unit.pointer_to(void);
        arguments.insert(
            0,
            Argument { value: Expr::AddressOf(Box::new(place.clone())), ty: this, source },
        );
        let callee = match self.unit.function_target(constructor) {
            Some(id) => Callee::Function(id),
            None => Callee::External {
                name: self.unit.name(&super::qualified_name(constructor)),
                usr: self.unit.name(&constructor.usr()),
                system: constructor.in_system_header(),
                may_use_cuda: !is_host_library(constructor),
                callbacks: callbacks(&arguments),
                noreturn: false,
            },
        };
        let call = Call { callee, arguments, result: None, returns: void };
        self.push(StatementKind::Call(Box::new(call)), source, syntax);
        self.may_throw(source);
    }
}

/// Functions among the arguments that the callee may call.
pub(super) fn callbacks(arguments: &[Argument]) -> Vec<echo_dataflow::program::FunctionId> {
    let mut found = Vec::new();
    for argument in arguments {
        collect(&argument.value, &mut found);
    }
    found.sort_unstable();
    found.dedup();
    found
}

fn collect(value: &Expr, found: &mut Vec<echo_dataflow::program::FunctionId>) {
    match value {
        Expr::Function(id) => found.push(*id),
        Expr::Closure(ids) => found.extend(ids),
        Expr::Cast { value, .. } => collect(value, found),
        Expr::Integer(_)
        | Expr::Null
        | Expr::Literal
        | Expr::Load { .. }
        | Expr::AddressOf(_)
        | Expr::Arithmetic { .. }
        | Expr::PointerAdd { .. }
        | Expr::PointerDifference { .. }
        | Expr::Compare { .. }
        | Expr::Computed(_)
        | Expr::Unknown => {}
    }
}

/// The place of a field of the object at `place`.
fn member(place: &Place, field: Cursor) -> Place {
    let mut inner = place.clone();
    inner.path.push(Projection::Field { name: field.name(), offset: field.field_offset() });
    inner
}

/// Its body belongs to one place, and a default runs in many.
fn holds_lambda(value: Cursor) -> bool {
    value.kind() == clang::CXCursor_LambdaExpr || value.children().into_iter().any(holds_lambda)
}

/// Whether evaluating it may use `this`.
fn names_this(value: Cursor) -> bool {
    matches!(
        value.kind(),
        clang::CXCursor_CXXThisExpr | clang::CXCursor_MemberRefExpr | clang::CXCursor_LambdaExpr
    ) || value.children().into_iter().any(names_this)
}

/// Its body has no statements.
fn is_empty(destructor: Cursor) -> bool {
    let Some(definition) = destructor.definition() else { return false };
    let mut parts = definition.children().into_iter();
    parts
        .find(|c| c.kind() == clang::CXCursor_CompoundStmt)
        .is_some_and(|body| body.children().is_empty())
        && !destructor.is_virtual()
}
