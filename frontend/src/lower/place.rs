//! Expressions as places.

use clang_sys as clang;
use echo_dataflow::program::{
    Expr, Place, PlaceBase, Projection, SourceRef, Storage, TypeKind, VariableId,
};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::expr::{last_expression, same_start, strip, unknown_offset};

impl Body<'_, '_> {
    /// The storage an lvalue names; a prvalue is put in a temporary.
    pub(super) fn place(&mut self, cursor: Cursor) -> Place {
        self.deeper(Place::deref(Expr::Unknown), |body| body.place_here(cursor))
    }

    fn place_here(&mut self, cursor: Cursor) -> Place {
        match cursor.kind() {
            clang::CXCursor_UnexposedExpr | clang::CXCursor_InitListExpr
                if is_initializer_list(cursor.ty())
                    && unwrapped(cursor).kind() == clang::CXCursor_InitListExpr =>
            {
                self.element_list(cursor.ty(), unwrapped(cursor));
                let id = self.unit_type(cursor.ty());
                Place::variable(self.local_temporary(id))
            }
            clang::CXCursor_InitListExpr => match cursor.children().as_slice() {
                // `T &r{x}` is `T &r = x`.
                [only] if only.ty().is_similar(cursor.ty()) && self.names_object(*only) => {
                    self.place(*only)
                }
                _ => self.materialize(cursor),
            },
            clang::CXCursor_ParenExpr => match cursor.children().as_slice() {
                [inner] => self.place(*inner),
                _ => self.unknown_place(cursor),
            },
            clang::CXCursor_DeclRefExpr => {
                let Some(target) = cursor.referenced() else { return self.unresolved() };
                match target.kind() {
                    clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl => {
                        self.variable_place(target)
                    }
                    kind if super::is_function(kind) => self.materialize(cursor),
                    clang::CXCursor_EnumConstantDecl | clang::CXCursor_NonTypeTemplateParameter => {
                        self.materialize(cursor)
                    }
                    _ => {
                        self.opaque_statement(cursor, "a name of unknown kind");
                        Place::deref(Expr::Unknown)
                    }
                }
            }
            clang::CXCursor_MemberRefExpr => self.member_place(cursor),
            clang::CXCursor_ArraySubscriptExpr => self.subscript_place(cursor),
            clang::CXCursor_UnaryOperator => {
                match (cursor.unary_operator(), cursor.children().as_slice()) {
                    (clang::CXUnaryOperator_Deref, [operand]) => {
                        Place::deref(self.rvalue(*operand))
                    }
                    (clang::CXUnaryOperator_PreInc | clang::CXUnaryOperator_PreDec, [operand]) => {
                        self.discard(cursor);
                        self.place(*operand)
                    }
                    (
                        clang::CXUnaryOperator_Extension
                        | clang::CXUnaryOperator_Real
                        | clang::CXUnaryOperator_Imag,
                        [operand],
                    ) => self.place(*operand),
                    _ => self.materialize(cursor),
                }
            }
            clang::CXCursor_BinaryOperator => {
                match (cursor.binary_operator(), cursor.children().as_slice()) {
                    (clang::CXBinaryOperator_Assign, [left, right]) => {
                        self.assignment(cursor, *left, *right)
                    }
                    (clang::CXBinaryOperator_Comma, [left, right]) => {
                        self.discard(*left);
                        self.place(*right)
                    }
                    _ => self.materialize(cursor),
                }
            }
            clang::CXCursor_CompoundAssignOperator => self.compound_assignment(cursor),
            clang::CXCursor_ConditionalOperator => self.conditional_place(cursor),
            clang::CXCursor_UnexposedExpr => {
                let children: Vec<Cursor> =
                    cursor.children().into_iter().filter(|c| c.is_expression()).collect();
                match children.as_slice() {
                    [inner] => self.converted_place(cursor, *inner),
                    // `a ?: b` names one of the two.
                    [_, _, ..] => self.unknown_place(cursor),
                    [] => self.materialize(cursor),
                }
            }
            clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr => match last_expression(cursor) {
                Some(inner) => {
                    self.bounds(cursor, Some(inner));
                    self.converted_place(cursor, inner)
                }
                None => self.materialize(cursor),
            },
            clang::CXCursor_StringLiteral => Place::deref(Expr::Literal),
            clang::CXCursor_CallExpr => self.call_place(cursor),
            _ => self.materialize(cursor),
        }
    }

    fn unresolved(&mut self) -> Place {
        self.give_up("it holds a name that did not resolve");
        Place::deref(Expr::Unknown)
    }

    fn unknown_place(&mut self, cursor: Cursor) -> Place {
        self.opaque_statement(cursor, "an expression of unknown form");
        Place::deref(Expr::Unknown)
    }

    /// The place of a variable; a reference is what it refers to.
    pub(super) fn variable_place(&mut self, declaration: Cursor) -> Place {
        let id = self.unit.variable(declaration);
        let ty = self.unit.program.variable(id).ty;
        if super::is_reference(declaration.ty()) {
            Place::deref(Expr::variable(id, ty))
        } else {
            Place::variable(id)
        }
    }

    /// An lvalue seen as another type: the same storage, unless the conversion makes a new value.
    fn converted_place(&mut self, cursor: Cursor, inner: Cursor) -> Place {
        let (from, to) = (inner.ty().canonical(), cursor.ty().canonical());
        let from_id = self.unit_type(from);
        let to_id = self.unit_type(to);
        let record =
            |body: &Self, id| matches!(body.unit.program.ty(id).kind, TypeKind::Record { .. });
        if (from_id == to_id && !self.makes_value(cursor, to_id)) || super::is_reference(to) {
            return self.place(inner);
        }
        if record(self, from_id) && record(self, to_id) {
            let place = self.place(inner);
            if same_start(from, to) {
                return place;
            }
            return Place::deref(unknown_offset(Expr::AddressOf(Box::new(place))));
        }
        if !matches!(
            self.unit.program.ty(to_id).kind,
            TypeKind::Pointer { .. } | TypeKind::Integer { .. } | TypeKind::Float
        ) {
            return self.place(inner);
        }
        // `(T &)x` has the type `T`; a conversion of values makes a temporary. An object of a pointer type is also one of
        // the pointer type with other qualifiers.
        let requalified = cursor.kind() == clang::CXCursor_UnexposedExpr
            && from.kind() == clang::CXType_Pointer
            && to.kind() == clang::CXType_Pointer
            && self.names_object(inner);
        if requalified || self.is_cast_of_object(cursor) {
            return self.place(inner);
        }
        self.materialize(cursor)
    }

    /// Whether a cast to the type that its operand has makes a number or pointer of its own.
    fn makes_value(&mut self, cast: Cursor, ty: echo_dataflow::program::TypeId) -> bool {
        cast.kind() != clang::CXCursor_UnexposedExpr
            && !self.is_cast_of_object(cast)
            && matches!(
                self.unit.program.ty(ty).kind,
                TypeKind::Pointer { .. } | TypeKind::Integer { .. } | TypeKind::Float
            )
    }

    fn member_place(&mut self, cursor: Cursor) -> Place {
        let Some(field) = cursor.referenced() else { return self.unresolved() };
        match field.kind() {
            clang::CXCursor_VarDecl => {
                self.discard_object(cursor);
                return self.variable_place(field);
            }
            clang::CXCursor_FieldDecl => {}
            _ => return self.materialize(cursor),
        }
        let base = cursor.children().into_iter().find(|c| c.is_expression());
        let mut place = match base {
            Some(base) => {
                let id = self.unit_type(base.ty());
                if let TypeKind::Pointer { .. } = self.unit.program.ty(id).kind {
                    Place::deref(self.rvalue(base))
                } else {
                    self.place(base)
                }
            }
            None => match self.implicit_object(field) {
                Some(object) => object,
                None => return self.unknown_place(cursor),
            },
        };
        let offset = field.offset_in_named_class();
        place.path.push(Projection::Field { name: field.name(), offset });
        if super::is_reference(field.ty()) {
            let ty = self.unit_type(field.ty());
            return Place::deref(Expr::Load { place: Box::new(place), ty });
        }
        place
    }

    /// The object that `member` is named of where none is written: what `this` points to, or a base of it.
    pub(super) fn implicit_object(&self, member: Cursor) -> Option<Place> {
        let this = self.this?;
        let pointer = Expr::variable(this, self.unit.program.variable(this).ty);
        let class = std::iter::successors(member.semantic_parent(), |class| {
            class.is_anonymous_record().then(|| class.semantic_parent()).flatten()
        });
        let at_start = match (self.unit.this_classes.get(&this), class.last()) {
            (Some(own), Some(class)) => starts_with(*own, class.ty()),
            (_, _) => false,
        };
        Some(Place::deref(if at_start { pointer } else { unknown_offset(pointer) }))
    }

    /// `object.f` of a static member: the object is computed, and not used.
    pub(super) fn discard_object(&mut self, member: Cursor) {
        let mut at = member;
        while matches!(at.kind(), clang::CXCursor_ParenExpr | clang::CXCursor_UnexposedExpr)
            && let Some(inner) = last_expression(at)
        {
            at = inner;
        }
        if at.kind() == clang::CXCursor_MemberRefExpr
            && let Some(object) = at.children().into_iter().find(|c| c.is_expression())
            && !matches!(
                strip(object).kind(),
                clang::CXCursor_DeclRefExpr | clang::CXCursor_CXXThisExpr
            )
        {
            self.discard(object);
        }
    }

    fn subscript_place(&mut self, cursor: Cursor) -> Place {
        let children = cursor.children();
        let [base, index] = children.as_slice() else { return self.unknown_place(cursor) };
        let (base, index) =
            if super::expr::is_integer(base.ty()) { (*index, *base) } else { (*base, *index) };
        let element = self.unit_type(cursor.ty());
        let element_bytes = self.unit.program.ty(element).bytes;
        let is_vector =
            matches!(base.ty().canonical().kind(), clang::CXType_Vector | clang::CXType_ExtVector);
        let inner = if is_vector { Some(base) } else { decayed_array(base) };
        if let Some(array) = inner
            && strip(array).kind() != clang::CXCursor_StringLiteral
        {
            let mut place = self.place(array);
            let index = Box::new(self.rvalue(index));
            place.path.push(Projection::Index { index, element_bytes });
            return place;
        }
        let pointer = self.rvalue(base);
        let elements = self.rvalue(index);
        Place::deref(Expr::PointerAdd {
            pointer: Box::new(pointer),
            elements: Box::new(elements),
            element_bytes,
        })
    }

    /// A prvalue in a temporary of its own.
    pub(super) fn materialize(&mut self, cursor: Cursor) -> Place {
        let ty = cursor.ty();
        let id = self.unit_type(ty);
        let variable = self.local_temporary(id);
        let source = self.unit.source(cursor);
        self.check_temporary(ty, cursor);
        self.initialize(&Place::variable(variable), ty, cursor, source);
        Place::variable(variable)
    }

    /// A nameless local: unlike a temporary it has an address.
    pub(super) fn local_temporary(&mut self, ty: echo_dataflow::program::TypeId) -> VariableId {
        let id = self.unit.temporary(ty);
        self.unit.program.variables[id.index()].storage = Storage::Temporary;
        id
    }

    /// Makes a place whose evaluation later gives the same storage: pointers and indices in it are kept.
    pub(super) fn stable(&mut self, place: Place, source: SourceRef) -> Place {
        let base = match place.base {
            PlaceBase::Deref(pointer) if !is_plain(&pointer) => {
                let void = self.unit.void_type();
                let ty = self.unit.pointer_to(void);
                PlaceBase::Deref(Box::new(self.keep(ty, *pointer, source)))
            }
            base => base,
        };
        Place { base, path: place.path }
    }

    /// Initialises a declared variable.
    pub(super) fn initialize_variable(
        &mut self,
        declaration: Cursor,
        variable: VariableId,
        initializer: Cursor,
        source: SourceRef,
    ) {
        let ty = declaration.ty();
        self.begin_initializer(initializer, source.span);
        if super::is_reference(ty) {
            let place = self.place(initializer);
            let id = self.unit.program.variable(variable).ty;
            self.assign(Place::variable(variable), id, Expr::AddressOf(Box::new(place)), source);
            return;
        }
        self.initialize(&Place::variable(variable), ty, initializer, source);
    }

    /// `place` of type `ty` gets its first value.
    pub(super) fn initialize(
        &mut self,
        place: &Place,
        ty: Ty,
        initializer: Cursor,
        source: SourceRef,
    ) {
        let id = self.unit_type(ty);
        match self.unit.program.ty(id).kind.clone() {
            TypeKind::Record { .. } => self.initialize_record(place, ty, initializer, source),
            TypeKind::Array { .. } => self.initialize_array(place, ty, initializer, source),
            TypeKind::Void => self.discard(initializer),
            TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let is_object = initializer.ty().canonical().kind() == clang::CXType_Record;
                let value = match initializer.kind() {
                    clang::CXCursor_CallExpr | clang::CXCursor_LambdaExpr if !is_object => {
                        self.rvalue(initializer)
                    }
                    _ => self.convert(initializer, ty),
                };
                self.assign(place.clone(), id, value, source);
            }
        }
    }

    pub(super) fn initialize_record(
        &mut self,
        place: &Place,
        ty: Ty,
        initializer: Cursor,
        source: SourceRef,
    ) {
        let inner = strip(initializer);
        match inner.kind() {
            clang::CXCursor_CallExpr if super::is_reference(super::call::result_of(inner)) => {
                self.initialize_copy(place, ty, inner, source);
            }
            clang::CXCursor_CallExpr => self.construct_by_call(place, ty, inner, source),
            clang::CXCursor_InitListExpr => self.initialize_fields(place, ty, inner, source),
            clang::CXCursor_LambdaExpr => {
                self.rvalue(inner);
            }
            clang::CXCursor_CompoundLiteralExpr => match last_expression(inner) {
                Some(list) => self.initialize_record(place, ty, list, source),
                None => self.opaque_statement(initializer, "a compound literal of unknown form"),
            },
            clang::CXCursor_UnexposedExpr | clang::CXCursor_CXXFunctionalCastExpr
                if last_expression(inner).is_some_and(|c| c.ty().is_same_value(ty)) =>
            {
                if let Some(last) = last_expression(inner) {
                    self.initialize_record(place, ty, last, source);
                }
            }
            clang::CXCursor_UnexposedExpr | clang::CXCursor_CXXFunctionalCastExpr
                if !inner.children().iter().any(|c| c.is_expression()) =>
            {
                // `T()`: value-initialised; fields hold zero, which is no pointer to anything.
            }
            clang::CXCursor_DeclRefExpr
            | clang::CXCursor_MemberRefExpr
            | clang::CXCursor_ArraySubscriptExpr
            | clang::CXCursor_UnaryOperator
            | clang::CXCursor_ConditionalOperator
            | clang::CXCursor_BinaryOperator => self.initialize_copy(place, ty, inner, source),
            _ => {
                for child in inner.children() {
                    if child.is_expression() {
                        self.discard(child);
                    }
                }
                self.opaque_statement(initializer, "an initialisation of unknown form");
            }
        }
    }
}

/// What is in nodes that clang does not expose.
fn unwrapped(cursor: Cursor) -> Cursor {
    let mut at = cursor;
    while at.kind() == clang::CXCursor_UnexposedExpr
        && let Some(inner) = last_expression(at)
    {
        at = inner;
    }
    at
}

pub(super) fn is_initializer_list(ty: Ty) -> bool {
    let ty = ty.canonical();
    ty.kind() == clang::CXType_Record && ty.name().contains("std::initializer_list<")
}

/// The array that `base` decays from.
fn decayed_array(base: Cursor) -> Option<Cursor> {
    let mut at = base;
    loop {
        let kind = at.ty().canonical().kind();
        if matches!(
            kind,
            clang::CXType_ConstantArray
                | clang::CXType_IncompleteArray
                | clang::CXType_VariableArray
        ) {
            return Some(at);
        }
        match at.kind() {
            clang::CXCursor_ParenExpr | clang::CXCursor_UnexposedExpr => at = last_expression(at)?,
            _ => return None,
        }
    }
}

/// Whether an object of class `own` starts with one of class `class`: itself, or a base.
fn starts_with(own: Ty, class: Ty) -> bool {
    let mut at = own;
    // Nobody derives deeper.
    for _ in 0..64 {
        if at.is_same_value(class) {
            return true;
        }
        let first = super::class::class(at).and_then(|c| c.bases().next().map(Cursor::ty));
        match first {
            Some(base) if same_start(at, base) => at = base,
            Some(_) | None => return false,
        }
    }
    false
}

fn is_plain(pointer: &Expr) -> bool {
    match pointer {
        Expr::Load { place, .. } => {
            matches!(place.base, PlaceBase::Variable(_)) && place.path.is_empty()
        }
        Expr::Integer(_)
        | Expr::Null
        | Expr::Literal
        | Expr::AddressOf(_)
        | Expr::Arithmetic { .. }
        | Expr::PointerAdd { .. }
        | Expr::PointerDifference { .. }
        | Expr::Compare { .. }
        | Expr::Cast { .. }
        | Expr::Function(_)
        | Expr::Closure(_)
        | Expr::Computed(_)
        | Expr::Unknown => false,
    }
}
