//! Lists of initialisers: `{ a, b }`.
//!
//! libclang shows them as they are written, without the conversions, constructors and defaults that they run.

use clang_sys as clang;
use echo_dataflow::program::{Expr, Place, Projection, SourceRef, StatementKind, TypeKind};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::expr::{last_expression, strip};
use super::place::is_initializer_list;
use super::types::is_number;

impl Body<'_, '_> {
    pub(super) fn initialize_fields(
        &mut self,
        place: &Place,
        ty: Ty,
        list: Cursor,
        source: SourceRef,
    ) {
        let values: Vec<Cursor> = list.children();
        if is_initializer_list(ty) {
            self.element_list(ty, list);
            return;
        }
        let (fields, has_bases) = aggregate(ty);
        if values.iter().any(|value| is_designated(*value)) {
            self.designated_fields(place, &fields, &values, list, source);
            return;
        }
        if let ([only], true) = (values.as_slice(), values.len() == 1)
            && only.ty().is_same_value(ty)
        {
            self.initialize_record(place, ty, *only, source);
            return;
        }
        let simple = !has_bases
            && values.iter().all(|v| v.is_expression() && v.kind() != clang::CXCursor_MemberRef)
            && values.len() <= fields.len()
            && !fields
                .iter()
                .zip(&values)
                .any(|(field, value)| leaves_out_braces(field.ty(), *value));
        if !simple {
            self.unclear_fields(place, ty, list, source);
            return;
        }
        for (field, value) in fields.iter().zip(&values) {
            let inner = field_of(place, *field);
            if super::is_reference(field.ty()) {
                let referred = self.place(*value);
                let id = self.unit_type(field.ty());
                self.assign(inner, id, Expr::AddressOf(Box::new(referred)), source);
            } else {
                self.initialize_item(&inner, field.ty(), *value, source);
            }
        }
        // Of a union one member lives: that with a value, or else that with a default.
        let unnamed = if is_union(ty) { &[] } else { &fields[values.len()..] };
        for field in unnamed {
            self.initialize_unnamed(place, *field, source);
        }
        if is_union(ty) && values.is_empty() {
            for field in fields.iter().filter(|f| super::class::field_initializer(**f).is_some()) {
                self.initialize_unnamed(place, *field, source);
            }
        }
    }

    /// A list whose values stand for bases, or for the parts of fields: some field gets each of them.
    fn unclear_fields(&mut self, place: &Place, ty: Ty, list: Cursor, source: SourceRef) {
        let mut converts = !super::types::is_plain_aggregate(ty, 0);
        for value in list.children().into_iter().filter(|value| value.is_expression()) {
            let id = self.unit_type(value.ty());
            converts |= matches!(self.unit.program.ty(id).kind, TypeKind::Record { .. });
            let mut inner = place.clone();
            inner.path.push(Projection::Field { name: String::new(), offset: None });
            let value = self.rvalue(value);
            self.assign(inner, id, value, source);
        }
        if converts {
            self.opaque_statement(list, "a list of initialisers that may run constructors");
        }
    }

    /// An element of a list of initialisers. libclang shows it as it is written, without what converts it.
    pub(super) fn initialize_item(
        &mut self,
        place: &Place,
        ty: Ty,
        value: Cursor,
        source: SourceRef,
    ) {
        let inner = strip(value);
        if inner.kind() == clang::CXCursor_LambdaExpr && super::lambda::is_device_lambda(inner) {
            self.check_copies(inner);
        }
        let id = self.unit_type(ty);
        let converted = match self.unit.program.ty(id).kind {
            TypeKind::Record { .. } => match inner.kind() {
                clang::CXCursor_InitListExpr => super::types::has_constructors(ty),
                _ => !inner.ty().is_same_value(ty),
            },
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => false,
        };
        if !converted {
            self.initialize(place, ty, value, source);
            return;
        }
        if is_plain_value(inner) && super::types::is_of_library(ty) {
            // A number, or a text.
            self.discard_list(value);
            return;
        }
        if inner.kind() == clang::CXCursor_InitListExpr {
            self.discard_list(inner);
        } else {
            self.discard(inner);
        }
        self.opaque_statement(value, "a conversion in a list of initialisers");
    }

    /// The elements of a `std::initializer_list` are in an array that has no name: who reads it is not followed.
    pub(super) fn element_list(&mut self, ty: Ty, list: Cursor) {
        let elements: Vec<Cursor> =
            list.children().into_iter().filter(|c| c.is_expression()).collect();
        let numbers = ty.canonical().template_arguments().into_iter().all(is_number);
        if numbers && elements.iter().all(|element| is_number(element.ty())) {
            self.discard_list(list);
            return;
        }
        for element in elements {
            let place = self.materialize(element);
            let source = self.unit.source(element);
            let address = Expr::AddressOf(Box::new(place));
            self.push(StatementKind::Evaluate(address), source, None);
        }
        self.opaque_statement(list, "the elements of a `std::initializer_list`");
    }

    /// `{ .a = x, .b = y }`.
    fn designated_fields(
        &mut self,
        place: &Place,
        fields: &[Cursor],
        values: &[Cursor],
        list: Cursor,
        source: SourceRef,
    ) {
        let mut named = Vec::new();
        for value in values {
            let parts = value.children();
            named.extend(
                parts.iter().filter(|p| p.kind() == clang::CXCursor_MemberRef).map(|p| p.name()),
            );
            let field = match parts.as_slice() {
                [designator, _] if designator.kind() == clang::CXCursor_MemberRef => {
                    let name = designator.name();
                    fields.iter().copied().find(|field| field.name() == name)
                }
                _ => None,
            };
            match (field, parts.last()) {
                (Some(field), Some(initializer)) if !super::is_reference(field.ty()) => {
                    let mut inner = place.clone();
                    let offset = field.field_offset();
                    inner.path.push(Projection::Field { name: field.name(), offset });
                    self.initialize_item(&inner, field.ty(), *initializer, source);
                }
                _ => {
                    for part in parts.iter().filter(|part| part.is_expression()) {
                        if part.kind() != clang::CXCursor_MemberRef {
                            self.discard(*part);
                        }
                    }
                    self.opaque_statement(list, "designated initialisers of unknown form");
                }
            }
        }
        if fields
            .first()
            .and_then(|f| f.semantic_parent())
            .is_some_and(|class| is_union(class.ty()))
        {
            return;
        }
        for field in fields.iter().filter(|field| !named.contains(&field.name())) {
            self.initialize_unnamed(place, *field, source);
        }
    }

    pub(super) fn initialize_array(
        &mut self,
        place: &Place,
        ty: Ty,
        initializer: Cursor,
        source: SourceRef,
    ) {
        let inner = strip(initializer);
        let element = ty.canonical().element();
        match inner.kind() {
            clang::CXCursor_InitListExpr => {
                if inner.children().iter().any(|value| is_designated(*value)) {
                    for value in inner.children() {
                        self.discard_list(value);
                    }
                    self.opaque_statement(inner, "designated elements of an array");
                    return;
                }
                let element_id = self.unit_type(element);
                let element_bytes = self.unit.program.ty(element_id).bytes;
                let values: Vec<Cursor> =
                    inner.children().into_iter().filter(|c| c.is_expression()).collect();
                let mut values = values.as_slice();
                let given = self.initialize_elements(place, ty, &mut values, source);
                if Some(given) != ty.canonical().array_count()
                    && !super::types::is_trivial(self.unit, element)
                {
                    let mut rest = place.clone();
                    let index = Box::new(Expr::Unknown);
                    rest.path.push(Projection::Index { index, element_bytes });
                    self.default_construct_elements(&rest, element, source);
                }
            }
            clang::CXCursor_StringLiteral => {}
            _ => {
                if inner.kind() == clang::CXCursor_CallExpr {
                    // Constructors of the elements.
                    let mut slot = place.clone();
                    slot.path.push(Projection::Index {
                        index: Box::new(Expr::Unknown),
                        element_bytes: None,
                    });
                    self.construct_by_call(&slot, element, inner, source);
                } else if let Some(last) = last_expression(inner) {
                    self.initialize_array(place, ty, last, source);
                }
            }
        }
    }
}

impl Body<'_, '_> {
    /// The elements of an array take what they need of `values`, with or without braces of their own; how many do.
    fn initialize_elements(
        &mut self,
        place: &Place,
        ty: Ty,
        values: &mut &[Cursor],
        source: SourceRef,
    ) -> u64 {
        let element = ty.canonical().element();
        let element_id = self.unit_type(element);
        let element_bytes = self.unit.program.ty(element_id).bytes;
        let count = ty.canonical().array_count();
        let mut given = 0;
        while let [value, rest @ ..] = *values
            && count.is_none_or(|count| given < count)
        {
            let mut slot = place.clone();
            let index = Box::new(Expr::Integer(i128::from(given)));
            slot.path.push(Projection::Index { index, element_bytes });
            if leaves_out_braces(element, *value) {
                self.initialize_elements(&slot, element, values, source);
            } else {
                *values = rest;
                self.initialize_item(&slot, element, *value, source);
            }
            given += 1;
        }
        given
    }

    /// Some element of the array at `place` is, or gets for its first part, `value`.
    pub(super) fn initialize_some_element(
        &mut self,
        place: &Place,
        ty: Ty,
        value: Cursor,
        source: SourceRef,
    ) {
        if !leaves_out_braces(ty, value) {
            self.initialize_item(place, ty, value, source);
            return;
        }
        let element = ty.canonical().element();
        let element_id = self.unit_type(element);
        let element_bytes = self.unit.program.ty(element_id).bytes;
        let mut slot = place.clone();
        slot.path.push(Projection::Index { index: Box::new(Expr::Unknown), element_bytes });
        self.initialize_some_element(&slot, element, value, source);
    }
}

/// Whether `value`, in a list, is for the first part of an array: `{ a, b, c, d }` may stand for `{ { a, b }, { c, d } }`.
fn leaves_out_braces(ty: Ty, value: Cursor) -> bool {
    super::is_array(ty)
        && !matches!(
            strip(value).kind(),
            clang::CXCursor_InitListExpr
                | clang::CXCursor_StringLiteral
                | clang::CXCursor_CompoundLiteralExpr
        )
}

/// The members that a list of initialisers stands for, and whether there are bases before them.
fn aggregate(ty: Ty) -> (Vec<Cursor>, bool) {
    let Some(class) = super::class::class(ty) else { return (Vec::new(), true) };
    let has_bases = class.bases().next().is_some();
    // Bit fields without a name are not members.
    let fields = class.fields.into_iter().filter(|f| !(f.is_bit_field() && f.name().is_empty()));
    (fields.collect(), has_bases)
}

fn field_of(place: &Place, field: Cursor) -> Place {
    let mut inner = place.clone();
    inner.path.push(Projection::Field { name: field.name(), offset: field.field_offset() });
    inner
}

/// A number or a text, or a list of them.
fn is_plain_value(value: Cursor) -> bool {
    let value = strip(value);
    match value.kind() {
        clang::CXCursor_InitListExpr => value.children().into_iter().all(is_plain_value),
        clang::CXCursor_StringLiteral => true,
        _ => is_number(value.ty()),
    }
}

fn is_union(ty: Ty) -> bool {
    ty.canonical().declaration().is_some_and(|class| class.kind() == clang::CXCursor_UnionDecl)
}

/// `.field = value` or `[index] = value`: clang does not expose it, but the field it names, or two expressions.
fn is_designated(value: Cursor) -> bool {
    value.kind() == clang::CXCursor_UnexposedExpr
        && (value.children().len() > 1
            || value.children().iter().any(|c| c.kind() == clang::CXCursor_MemberRef))
}
