//! Initialisation of objects in their places.

use echo_dataflow::program::{Expr, Place, Projection, StatementKind, TypeId, TypeKind};

use super::body::Body;
use super::record::FieldDefault;
use super::session::Special;
use crate::clang::{Cursor, Kind, Type, TypeShape};

/// Arrays up to this length are filled element by element.
const SPELLED_OUT: u64 = 16;

impl<'tu> Body<'_, 'tu> {
    /// Initialises the object in `place`; without a `value` it is left as it is.
    pub(crate) fn initialize(&mut self, place: &Place, ty: Type<'tu>, value: Option<Cursor<'tu>>) {
        let Some(value) = value else { return };
        if value.is_dependent() {
            self.fail("an initialiser that did not compile");
            return;
        }
        let id = self.ty(ty);
        match self.session.program.types[id.index()].kind {
            TypeKind::Record { .. } => self.initialize_record(place, ty, value),
            TypeKind::Array { .. } => self.initialize_array(place, ty, value),
            TypeKind::Unknown => {
                self.fail("an initialiser of unknown type");
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function => {
                let value = self.value(value);
                if self.is_open() {
                    self.assign(place.clone(), id, value, None);
                }
            }
        }
    }

    fn initialize_record(&mut self, place: &Place, ty: Type<'tu>, value: Cursor<'tu>) {
        let id = self.ty(ty);
        match value.kind() {
            Kind::ParenExpr
            | Kind::UnexposedExpr
            | Kind::CXXFunctionalCastExpr
            | Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
                if let [inner] = *Self::operands(value)
                    && inner.is_expression()
                    && self.same_type(inner.ty(), ty)
                    && !self.is_lvalue(inner) =>
            {
                self.note_wrapper(value);
                self.initialize_record(place, ty, inner);
            }
            Kind::CallExpr if !self.call_returns_reference(value) => {
                self.call(value, Some(place), false);
            }
            Kind::InitListExpr | Kind::CXXParenListInitExpr => {
                self.initialize_list(place, ty, value);
            }
            Kind::LambdaExpr => {
                let closure = self.lambda(value);
                self.assign(place.clone(), id, closure, None);
            }
            Kind::ConditionalOperator if !self.is_lvalue(value) => {
                let operand = self.conditional_operator(value);
                let from = self.operand_place(operand, value);
                self.copy(place, from, id);
            }
            _ => {
                let from = self.place_as(value, ty);
                self.copy(place, from, id);
            }
        }
    }

    fn copy(&mut self, to: &Place, from: Place, ty: TypeId) {
        if *to != from {
            self.emit(StatementKind::CopyAggregate { to: to.clone(), from, ty }, None);
        }
    }

    pub(crate) fn same_type(&mut self, left: Type<'tu>, right: Type<'tu>) -> bool {
        left.canonical().unqualified().key() == right.canonical().unqualified().key()
    }

    fn initialize_array(&mut self, place: &Place, ty: Type<'tu>, value: Cursor<'tu>) {
        let id = self.ty(ty);
        match value.kind() {
            Kind::InitListExpr | Kind::CXXParenListInitExpr => {
                self.initialize_list(place, ty, value);
            }
            Kind::StringLiteral => self.copy(place, Place::deref(Expr::Literal), id),
            Kind::ParenExpr | Kind::UnexposedExpr if let [inner] = *value.children() => {
                self.initialize_array(place, ty, inner);
            }
            Kind::CallExpr => {
                // One constructor, run for each element.
                let element = super::record::innermost_element(ty);
                let some = self.some_element(place, element);
                let trivial = self.session.record(element).is_some_and(|r| {
                    matches!(r.member(Special::DefaultConstructor), super::record::Member::Trivial)
                });
                if !trivial {
                    self.repeat_any(|body| body.construct_element(&some, element, value));
                }
            }
            _ => {
                self.opaque("an array initialiser of unknown kind", value);
            }
        }
    }

    /// Runs the constructor that `value` calls on one element of an array.
    pub(crate) fn construct_element(&mut self, element: &Place, ty: Type<'tu>, value: Cursor<'tu>) {
        match value.kind() {
            Kind::CallExpr => {
                if let Some(constructor) =
                    value.referenced().filter(|d| d.kind() == Kind::Constructor)
                {
                    self.construct(element, ty, constructor, value);
                    return;
                }
                self.opaque("an array initialiser of unknown kind", value);
            }
            Kind::UnexposedExpr | Kind::ParenExpr if let [inner] = *value.children() => {
                self.construct_element(element, ty, inner);
            }
            _ => {
                self.opaque("an array initialiser of unknown kind", value);
            }
        }
    }

    /// `{a, b, ...}`
    fn initialize_list(&mut self, place: &Place, ty: Type<'tu>, list: Cursor<'tu>) {
        let mut values: std::collections::VecDeque<Cursor<'tu>> =
            list.children().into_iter().filter(|c| c.is_expression()).collect();
        // `S s = {other}` of the same class, and a string in braces.
        if let (1, Some(&only)) = (values.len(), values.front()) {
            let string = super::call::innermost(only).kind() == Kind::StringLiteral
                && ty.shape() != TypeShape::Record;
            if string || ty.shape() == TypeShape::Record && self.same_type(only.ty(), ty) {
                self.initialize(place, ty, Some(only));
                return;
            }
        }
        self.fill(place, ty, &mut values);
        if !values.is_empty() {
            self.opaque("a braced initialiser of unknown shape", list);
        }
    }

    /// Initialises an aggregate from as many of the values as it takes; the rest of it is value-initialised.
    fn fill(
        &mut self,
        place: &Place,
        ty: Type<'tu>,
        values: &mut std::collections::VecDeque<Cursor<'tu>>,
    ) {
        match ty.shape() {
            TypeShape::Record => self.fill_record(place, ty, values),
            TypeShape::ConstantArray | TypeShape::OtherArray => self.fill_array(place, ty, values),
            _ => {
                let value = values.pop_front();
                self.fill_scalar(place, ty, value);
            }
        }
    }

    fn fill_scalar(&mut self, place: &Place, ty: Type<'tu>, value: Option<Cursor<'tu>>) {
        match value {
            Some(value) => self.initialize(place, ty, Some(value)),
            None => {
                let id = self.ty(ty);
                let zero = self.zero(id);
                self.assign(place.clone(), id, zero, None);
            }
        }
    }

    /// One part of an aggregate, from the next value; braces may be left out round a part's own values.
    fn fill_part(
        &mut self,
        place: &Place,
        ty: Type<'tu>,
        values: &mut std::collections::VecDeque<Cursor<'tu>>,
    ) {
        let id = self.ty(ty);
        let aggregate = self.session.is_aggregate(id);
        match values.front().copied() {
            Some(next) if is_designator(next) => {
                // Designators may come in any order and nest: too rare to follow.
                values.pop_front();
                self.opaque("a designated initialiser of an array", next);
            }
            Some(next)
                if aggregate
                    && next.kind() != Kind::InitListExpr
                    && !self.same_type(next.ty(), ty)
                    && super::call::innermost(next).kind() != Kind::StringLiteral
                    && next.ty().shape() != TypeShape::Record =>
            {
                self.fill(place, ty, values);
            }
            Some(next) => {
                values.pop_front();
                self.initialize(place, ty, Some(next));
            }
            None => self.value_initialize(place, ty),
        }
    }

    fn fill_record(
        &mut self,
        place: &Place,
        ty: Type<'tu>,
        values: &mut std::collections::VecDeque<Cursor<'tu>>,
    ) {
        let Some(record) = self.session.record(ty) else {
            self.emit_opaque("an initialiser of an incomplete class");
            return;
        };
        if record.union {
            if let Some(value) = values.pop_front() {
                self.emit_opaque("an initialiser of a union");
                let _ = value;
            }
            return;
        }
        for base in &record.bases {
            let part = self.base_part(place, base.ty, base.offset);
            self.fill_part(&part, base.ty, values);
        }
        let designated = values.front().is_some_and(|v| is_designator(*v));
        for field in &record.fields {
            let declared = field.cursor;
            let ty = declared.ty();
            let part = self.field(place.clone(), record.ty, declared);
            let value = if designated {
                take_designated(values, declared)
            } else if values.is_empty() {
                None
            } else {
                self.fill_part(&part, ty, values);
                continue;
            };
            match (value, field.default) {
                (Some(value), _) => self.initialize(&part, ty, Some(value)),
                (None, FieldDefault::Expression(value)) => {
                    self.initialize(&part, ty, Some(value));
                }
                (None, FieldDefault::Unseen) => {
                    self.emit_opaque("a default member initialiser that is not in the tree");
                }
                (None, FieldDefault::Absent) => self.value_initialize(&part, ty),
            }
        }
    }

    fn fill_array(
        &mut self,
        place: &Place,
        ty: Type<'tu>,
        values: &mut std::collections::VecDeque<Cursor<'tu>>,
    ) {
        let Some(element) = ty.canonical().element() else { return };
        let count = ty.canonical().count().unwrap_or(values.len() as u64);
        if count > SPELLED_OUT && (values.len() as u64) < count {
            let id = self.ty(ty);
            self.copy(place, Place::deref(Expr::Literal), id);
        }
        let mut index: u64 = 0;
        while index < count && (!values.is_empty() || count <= SPELLED_OUT) {
            let mut part = place.clone();
            part.path.push(Projection::Index {
                index: Box::new(Expr::Integer(i128::from(index))),
                element_bytes: element.size(),
            });
            self.fill_part(&part, element, values);
            index += 1;
        }
        if index < count && self.needs_construction(element) {
            self.emit_opaque("constructors of the rest of an array");
        }
    }

    fn needs_construction(&mut self, ty: Type<'tu>) -> bool {
        let element = super::record::innermost_element(ty);
        self.session.record(element).is_some_and(|r| !r.is_trivial())
    }

    /// `T()`: zero, or the default constructor.
    pub(crate) fn value_initialize(&mut self, place: &Place, ty: Type<'tu>) {
        let id = self.ty(ty);
        match self.session.program.types[id.index()].kind {
            TypeKind::Record { .. } => {
                let trivial = self.session.record(ty).is_some_and(|r| r.is_trivial());
                if trivial {
                    self.copy(place, Place::deref(Expr::Literal), id);
                } else {
                    self.default_construct(place, ty);
                }
            }
            TypeKind::Array { .. } => {
                if self.needs_construction(ty) {
                    self.emit_opaque("constructors of an array");
                } else {
                    self.copy(place, Place::deref(Expr::Literal), id);
                }
            }
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Function
            | TypeKind::Unknown => {
                let zero = self.zero(id);
                self.assign(place.clone(), id, zero, None);
            }
        }
    }

    /// The base class part of an object.
    pub(crate) fn base_part(
        &mut self,
        place: &Place,
        base: Type<'tu>,
        offset: Option<u64>,
    ) -> Place {
        let mut part = place.clone();
        if offset != Some(0) {
            let name = base.declaration().map_or_else(|| base.spelling(), Cursor::spelling);
            part.path.push(Projection::Field { name, offset });
        }
        part
    }
}

/// `.field = value`: an expression without a kind that starts with a reference to the field.
fn is_designator(value: Cursor<'_>) -> bool {
    value.kind() == Kind::UnexposedExpr
        && value.children().first().is_some_and(|c| c.kind() == Kind::MemberRef)
}

fn take_designated<'tu>(
    values: &mut std::collections::VecDeque<Cursor<'tu>>,
    field: Cursor<'tu>,
) -> Option<Cursor<'tu>> {
    let position = values.iter().position(|v| {
        let children = v.children();
        children.len() == 2
            && children[0]
                .referenced()
                .is_some_and(|d| d.canonical().key() == field.canonical().key())
    })?;
    values.remove(position)?.children().get(1).copied()
}
