//! Scopes, and the destructors that run at their ends.

use echo_dataflow::program::{
    Argument, Call, Callee, Expr, Place, PlaceBase, Projection, Span, StatementKind, Storage,
    TypeKind,
};

use super::body::Body;
use super::record::{Member, innermost_element};
use super::session::Special;
use crate::clang::{Type, TypeShape};

/// A region of code at whose end objects are destroyed.
#[derive(Debug, Clone)]
pub(crate) struct Scope<'tu> {
    /// Objects to destroy, in order of construction.
    pub(crate) cleanups: Vec<Cleanup<'tu>>,
    /// Where names declared here can be used.
    pub(crate) span: Span,
    /// The scope of a full expression: its objects are temporaries.
    pub(crate) expression: bool,
    /// Distinct for each scope of a function.
    pub(crate) identity: u32,
}

/// An object that is destroyed when its scope ends.
#[derive(Debug, Clone)]
pub(crate) struct Cleanup<'tu> {
    /// The object.
    pub(crate) place: Place,
    pub(crate) ty: Type<'tu>,
}

impl<'tu> Body<'_, 'tu> {
    /// The region names declared now live in.
    pub(crate) fn scope_span(&self) -> Span {
        self.scopes.iter().rev().find(|s| !s.expression).map_or(self.source.span, |s| s.span)
    }

    pub(crate) fn push_scope(&mut self, span: Span) {
        self.push(span, false);
    }

    pub(crate) fn push_expression_scope(&mut self, span: Span) {
        self.push(span, true);
    }

    fn push(&mut self, span: Span, expression: bool) {
        self.scopes_made += 1;
        let identity = self.scopes_made;
        self.scopes.push(Scope { cleanups: Vec::new(), span, expression, identity });
    }

    /// Ends the innermost scope, destroying its objects if control comes here.
    pub(crate) fn pop_scope(&mut self) {
        let Some(scope) = self.scopes.pop() else { return };
        if self.is_open() {
            self.destroy_all(&scope.cleanups);
        }
    }

    /// Runs `inner` as a full expression: its temporaries are destroyed at the end.
    pub(crate) fn full_expression<T>(&mut self, inner: impl FnOnce(&mut Self) -> T) -> T {
        let span = self.scope_span();
        self.push(span, true);
        let conditional = std::mem::replace(&mut self.conditional, 0);
        let result = inner(self);
        self.conditional = conditional;
        self.pop_scope();
        result
    }

    /// Destroys the objects of the scopes above the lowest `keep`, for a jump out of them; they stay open.
    pub(crate) fn leave_scopes(&mut self, keep: usize) {
        let scopes: Vec<Vec<Cleanup<'tu>>> = self
            .scopes
            .get(keep.min(self.scopes.len())..)
            .unwrap_or_default()
            .iter()
            .map(|s| s.cleanups.clone())
            .collect();
        for cleanups in scopes.iter().rev() {
            self.destroy_all(cleanups);
        }
    }

    /// Destroys objects in reverse order of construction.
    pub(crate) fn destroy_all(&mut self, cleanups: &[Cleanup<'tu>]) {
        for cleanup in cleanups.iter().rev() {
            self.destroy(&cleanup.place, cleanup.ty);
        }
    }

    /// The object in `place` is destroyed when the innermost scope ends (the innermost block with
    /// `extended`: a temporary bound to a reference).
    pub(crate) fn destroy_later(&mut self, place: Place, ty: Type<'tu>, extended: bool) {
        if !self.needs_destruction(ty) {
            return;
        }
        if !extended && self.conditional > 0 && self.runs_own_code(ty) {
            self.emit(
                StatementKind::Opaque {
                    why: "a temporary with a destructor in a conditional expression".to_owned(),
                },
                None,
            );
        }
        let scope = self.scopes.iter_mut().rev().find(|s| !extended || !s.expression);
        if let Some(scope) = scope {
            scope.cleanups.push(Cleanup { place, ty });
        }
    }

    /// Whether the end of an object of this type runs code.
    pub(crate) fn needs_destruction(&mut self, ty: Type<'tu>) -> bool {
        let ty = innermost_element(ty);
        match ty.shape() {
            TypeShape::Record => match self.session.record(ty) {
                Some(record) => !matches!(record.member(Special::Destructor), Member::Trivial),
                None => true,
            },
            _ => false,
        }
    }

    fn runs_own_code(&mut self, ty: Type<'tu>) -> bool {
        self.session.record(innermost_element(ty)).is_none_or(|record| !record.system)
    }

    /// Calls the destructor of the object in `place`.
    pub(crate) fn destroy(&mut self, place: &Place, ty: Type<'tu>) {
        if !self.needs_destruction(ty) {
            return;
        }
        if matches!(ty.shape(), TypeShape::ConstantArray | TypeShape::OtherArray) {
            let element = innermost_element(ty);
            let element_place = self.some_element(place, element);
            self.repeat_any(|body| body.destroy(&element_place, element));
            return;
        }
        let Some(record) = self.session.record(ty) else {
            self.emit_opaque("the destructor of an incomplete class");
            return;
        };
        let callee = match record.member(Special::Destructor) {
            Member::Trivial => return,
            Member::User(cursor) => self.session.member_callee(cursor),
            Member::System => self.session.system_member(&record, "~"),
            Member::Implicit => self.session.implicit_callee(&record, Special::Destructor),
            Member::Unknown => {
                self.emit_opaque(format!("the destructor of `{}`", record.ty.spelling()));
                return;
            }
        };
        self.call_member(callee, place, record.ty, Vec::new());
    }

    /// An element, whichever, of the array in `place`.
    pub(crate) fn some_element(&mut self, place: &Place, element: Type<'tu>) -> Place {
        let mut place = place.clone();
        place.path.push(Projection::Index {
            index: Box::new(Expr::Unknown),
            element_bytes: element.size(),
        });
        place
    }

    /// Runs `inner` any number of times.
    pub(crate) fn repeat_any(&mut self, inner: impl FnOnce(&mut Self)) {
        let (head, step, after) = (self.new_block(), self.new_block(), self.new_block());
        self.fall_into(head);
        self.terminate(echo_dataflow::program::Terminator::Switch {
            value: Expr::Computed(Vec::new()),
            targets: vec![step, after],
        });
        self.switch_to(step);
        inner(self);
        self.goto(head);
        self.switch_to(after);
    }

    pub(crate) fn emit_opaque(&mut self, why: impl Into<String>) {
        self.emit(StatementKind::Opaque { why: why.into() }, None);
    }

    /// Calls a member function on the object in `place`, without a result.
    pub(crate) fn call_member(
        &mut self,
        callee: Callee,
        place: &Place,
        ty: Type<'tu>,
        mut arguments: Vec<Argument>,
    ) {
        let record = self.ty(ty);
        let pointer = self.session.pointer_to(record);
        let this = Argument { value: address_of(place.clone()), ty: pointer, source: self.source };
        arguments.insert(0, this);
        let returns = self.session.void_type();
        let may_throw = self.callee_may_throw(&callee);
        let call = Call { callee, arguments, result: None, returns };
        self.emit(StatementKind::Call(call), None);
        self.exceptional_edge(may_throw);
    }

    /// Whether `ty` is a class or array type by its program type.
    pub(crate) fn is_record_type(&self, ty: echo_dataflow::program::TypeId) -> bool {
        matches!(self.session.program.types[ty.index()].kind, TypeKind::Record { .. })
    }

    /// Whether `place` is a temporary value, which has no address.
    pub(crate) fn is_temporary(&self, place: &Place) -> bool {
        match &place.base {
            PlaceBase::Variable(v) => {
                self.session.program.variables[v.index()].storage == Storage::Temporary
            }
            PlaceBase::Deref(_) => false,
        }
    }
}

/// `&place`, simplified for `&*p`.
pub(crate) fn address_of(place: Place) -> Expr {
    match place {
        Place { base: PlaceBase::Deref(pointer), path } if path.is_empty() => pointer,
        place => Expr::AddressOf(Box::new(place)),
    }
}
