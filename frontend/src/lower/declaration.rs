//! Local declarations.

use echo_dataflow::program::{Expr, StatementKind, Storage, Terminator};

use super::body::Body;
use super::destructor::address_of;
use crate::clang::{Cursor, Kind};

impl<'tu> Body<'_, 'tu> {
    pub(crate) fn declarations(&mut self, cursor: Cursor<'tu>) {
        let children = cursor.children();
        let variables = children.iter().filter(|c| c.kind() == Kind::VarDecl).count();
        let declarators = u32::try_from(variables).unwrap_or(u32::MAX);
        for child in children {
            match child.kind() {
                Kind::VarDecl => self.declare(child, declarators),
                // Types, aliases and function prototypes run no code.
                Kind::StructDecl
                | Kind::ClassDecl
                | Kind::UnionDecl
                | Kind::EnumDecl
                | Kind::TypedefDecl
                | Kind::TypeAliasDecl
                | Kind::TypeAliasTemplateDecl
                | Kind::UsingDirective
                | Kind::UsingDeclaration
                | Kind::NamespaceAlias
                | Kind::StaticAssert
                | Kind::FunctionDecl => {}
                Kind::UnexposedDecl => self.unexposed_declaration(child),
                _ => {
                    self.fail("a declaration of unknown kind");
                }
            }
        }
    }

    /// Structured bindings and what else libclang has no kind for.
    fn unexposed_declaration(&mut self, cursor: Cursor<'tu>) {
        if cursor.spelling().is_empty() && cursor.children().is_empty() {
            // `;` or `__extension__`.
            return;
        }
        // The names are not resolved to the parts of what they bind.
        let pieces: Vec<_> =
            cursor.children().iter().copied().filter(|c| c.kind() == Kind::UnexposedDecl).collect();
        for piece in pieces {
            self.unknown_names.insert(piece.canonical().key());
        }
        self.opaque("a structured binding", cursor);
    }

    /// `T x = ...;`, one of `declarators` of its declaration.
    pub(crate) fn declare(&mut self, declared: Cursor<'tu>, declarators: u32) {
        self.declare_from(declared, declared.initializer(), declarators, false);
    }

    /// Declares a variable with this initialiser. `quiet`: the initialiser is not written as one.
    pub(crate) fn declare_from(
        &mut self,
        declared: Cursor<'tu>,
        value: Option<Cursor<'tu>>,
        declarators: u32,
        quiet: bool,
    ) {
        if declared.is_invalid() {
            self.fail(format!("the declaration of `{}` has errors", declared.spelling()));
            return;
        }
        let span = self.scope_span();
        let variable = self.session.variable(declared, Some(span));
        let place = echo_dataflow::program::Place::variable(variable);
        let storage = self.session.program.variables[variable.index()].storage;
        match storage {
            Storage::StaticLocal => {
                self.static_local(declared, &place, value);
                return;
            }
            Storage::Global | Storage::InternalGlobal | Storage::Managed | Storage::Device => {
                // `extern` in a function, `__shared__`: no initialisation here.
                if storage == Storage::Device && !declared.has_global_storage() {
                    self.emit(StatementKind::Declare(variable), None);
                }
                return;
            }
            Storage::Local | Storage::Parameter | Storage::Temporary => {}
        }
        let source = self.session.spans.source(declared);
        self.emit(StatementKind::Declare(variable), source);
        self.variable_array_bounds(declared, value);
        if let Some(value) = value
            && !quiet
        {
            self.note_initializer(declared, value, declarators);
        }
        self.full_expression(|body| body.initialize_variable(declared, &place, value));
        if !declared.ty().is_reference() {
            self.destroy_later(place, declared.ty(), false);
        }
    }

    /// A reference holds the address of what it is bound to.
    pub(crate) fn initialize_variable(
        &mut self,
        declared: Cursor<'tu>,
        place: &echo_dataflow::program::Place,
        value: Option<Cursor<'tu>>,
    ) {
        let ty = declared.ty();
        if ty.is_reference() {
            let id = self.ty(ty);
            let target = match value {
                Some(value) => {
                    let extends = std::mem::replace(&mut self.extends, true);
                    let bound = self.place(value);
                    self.extends = extends;
                    address_of(bound)
                }
                None => Expr::Unknown,
            };
            self.assign(place.clone(), id, target, None);
        } else {
            self.initialize(place, ty, value);
        }
    }

    /// Expressions in the bounds of a variable-length array are evaluated where it is declared.
    fn variable_array_bounds(&mut self, declared: Cursor<'tu>, value: Option<Cursor<'tu>>) {
        let id = self.ty(declared.ty());
        let mut at = id;
        let mut variable_bound = false;
        while let echo_dataflow::program::TypeKind::Array { of, count } =
            self.session.program.types[at.index()].kind
        {
            variable_bound |= count.is_none();
            at = of;
        }
        if !variable_bound {
            return;
        }
        for child in declared.children() {
            if child.is_expression() && value.is_none_or(|v| v.key() != child.key()) {
                self.full_expression(|body| body.effect(child));
            }
        }
    }

    /// `static T x = ...;`: initialised when control first comes here.
    fn static_local(
        &mut self,
        declared: Cursor<'tu>,
        place: &echo_dataflow::program::Place,
        value: Option<Cursor<'tu>>,
    ) {
        let Some(value) = value else {
            return;
        };
        let (first, after) = (self.new_block(), self.new_block());
        self.terminate(Terminator::Switch {
            value: Expr::Computed(Vec::new()),
            targets: vec![first, after],
        });
        self.switch_to(first);
        self.in_header(|body| {
            body.full_expression(|body| body.initialize_variable(declared, place, Some(value)));
        });
        self.fall_into(after);
    }
}
