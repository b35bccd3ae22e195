//! Places: what an lvalue denotes.

use echo_dataflow::program::{Expr, Place, Projection};

use super::body::Body;
use super::cast::Step;
use super::lexer;
use super::operator::{element_bytes, pointer_add};
use crate::clang::{BinaryOperator, Cursor, Kind, Type, TypeShape, UnaryOperator};

impl<'tu> Body<'_, 'tu> {
    pub(super) fn locate(&mut self, cursor: Cursor<'tu>) -> Place {
        let extended = std::mem::replace(&mut self.extends, false);
        match cursor.kind() {
            Kind::DeclRefExpr => self.named_place(cursor),
            Kind::MemberRefExpr => self.member_place(cursor),
            Kind::ArraySubscriptExpr => self.element_place(cursor),
            Kind::ParenExpr => match *cursor.children() {
                [inner] => {
                    self.extends = extended;
                    self.place(inner)
                }
                _ => Place::deref(self.opaque("a parenthesis of unknown shape", cursor)),
            },
            Kind::UnexposedExpr if !cursor.is_dependent() => match *cursor.children() {
                [inner] if inner.is_expression() && self.keeps_place(inner, cursor.ty()) => {
                    self.extends = extended;
                    self.place_as(inner, cursor.ty())
                }
                _ => self.materialize(cursor, extended),
            },
            Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
            | Kind::CXXConstCastExpr
            | Kind::CXXFunctionalCastExpr
                if !cursor.is_dependent() =>
            {
                self.note_wrapper(cursor);
                match *Self::operands(cursor) {
                    [inner] if self.casts_to_reference(cursor) => {
                        self.extends = extended;
                        self.place_as(inner, cursor.ty())
                    }
                    [inner]
                        if cursor.ty().shape() == TypeShape::Record
                            && self.keeps_place(inner, cursor.ty()) =>
                    {
                        self.extends = extended;
                        self.place_as(inner, cursor.ty())
                    }
                    _ => self.materialize(cursor, extended),
                }
            }
            Kind::UnaryOperator => match cursor.unary_operator() {
                UnaryOperator::Deref => match *cursor.children() {
                    [pointer] => {
                        let pointer = self.value(pointer);
                        dereference(pointer)
                    }
                    _ => Place::deref(self.opaque("an operator of unknown shape", cursor)),
                },
                UnaryOperator::PreInc | UnaryOperator::PreDec => self.step(cursor),
                UnaryOperator::Extension => match *cursor.children() {
                    [inner] => self.place(inner),
                    _ => Place::deref(self.opaque("an operator of unknown shape", cursor)),
                },
                _ => self.materialize(cursor, extended),
            },
            Kind::BinaryOperator => match (cursor.binary_operator(), &cursor.children()[..]) {
                (BinaryOperator::Assign, &[target, value]) => {
                    self.assignment(cursor, target, value)
                }
                (BinaryOperator::Comma, &[left, right]) => {
                    self.effect(left);
                    self.extends = extended;
                    self.place(right)
                }
                (BinaryOperator::PtrMemD | BinaryOperator::PtrMemI, &[left, right]) => {
                    self.effect(left);
                    self.effect(right);
                    Place::deref(Expr::Unknown)
                }
                _ => self.materialize(cursor, extended),
            },
            Kind::CompoundAssignOperator => self.compound_assignment(cursor),
            Kind::ConditionalOperator => {
                let operand = self.conditional_operator(cursor);
                self.operand_place(operand, cursor)
            }
            Kind::CallExpr => {
                let operand = self.call(cursor, None, extended);
                self.operand_place(operand, cursor)
            }
            Kind::StringLiteral => Place::deref(Expr::Literal),
            _ => self.materialize(cursor, extended),
        }
    }

    /// The place of `inner`, seen as an object of type `to` (a base class of its own, or itself).
    pub(crate) fn place_as(&mut self, inner: Cursor<'tu>, to: Type<'tu>) -> Place {
        let place = self.place(inner);
        match self.session.base_step(inner.ty(), to) {
            Step::Same | Step::At(0) => place,
            Step::At(offset) if offset > 0 => {
                let mut place = place;
                place.path.push(Projection::Field {
                    name: plain_class_name(to),
                    offset: u64::try_from(offset).ok(),
                });
                place
            }
            Step::At(offset) => Place::deref(Expr::PointerAdd {
                pointer: Box::new(super::destructor::address_of(place)),
                elements: Box::new(Expr::Integer(offset)),
                element_bytes: Some(1),
            }),
            Step::Unknown => Place::deref(Expr::Unknown),
        }
    }

    /// Whether an implicit conversion of `inner` to `to` leaves the object where it is.
    fn keeps_place(&mut self, inner: Cursor<'tu>, to: Type<'tu>) -> bool {
        let (from, to) = (inner.ty().canonical().unqualified(), to.canonical().unqualified());
        if from.shape() == TypeShape::Record && to.shape() == TypeShape::Record {
            return true;
        }
        let (from_id, to_id) = (self.ty(from), self.ty(to));
        from_id == to_id && (self.is_lvalue(inner) || self.session.is_aggregate(from_id))
    }

    /// Whether an expression denotes an object that exists apart from it.
    pub(crate) fn is_lvalue(&mut self, cursor: Cursor<'tu>) -> bool {
        match cursor.kind() {
            Kind::DeclRefExpr => cursor.referenced().is_some_and(|d| {
                matches!(d.kind(), Kind::VarDecl | Kind::ParmDecl | Kind::UnexposedDecl)
            }),
            Kind::MemberRefExpr => cursor
                .referenced()
                .is_some_and(|d| matches!(d.kind(), Kind::FieldDecl | Kind::VarDecl)),
            Kind::ArraySubscriptExpr | Kind::StringLiteral | Kind::CompoundAssignOperator => true,
            Kind::UnaryOperator => matches!(
                cursor.unary_operator(),
                UnaryOperator::Deref | UnaryOperator::PreInc | UnaryOperator::PreDec
            ),
            Kind::BinaryOperator => match (cursor.binary_operator(), &cursor.children()[..]) {
                (BinaryOperator::Assign | BinaryOperator::PtrMemD | BinaryOperator::PtrMemI, _) => {
                    true
                }
                (BinaryOperator::Comma, &[_, right]) => self.is_lvalue(right),
                _ => false,
            },
            Kind::ParenExpr => match *cursor.children() {
                [inner] => self.is_lvalue(inner),
                _ => false,
            },
            Kind::ConditionalOperator => match *cursor.children() {
                [_, yes, no] => self.is_lvalue(yes) && self.is_lvalue(no),
                _ => false,
            },
            // A conversion that changes nothing but `const`: a load has lost it.
            Kind::UnexposedExpr => match *cursor.children() {
                [inner] if inner.is_expression() => {
                    let (from, to) = (inner.ty().canonical(), cursor.ty().canonical());
                    let adds_const = from.key() != to.key()
                        && from.unqualified().key() == to.unqualified().key()
                        && to.is_const();
                    let array = matches!(to.shape(), TypeShape::ConstantArray);
                    (adds_const || array || to.shape() == TypeShape::Record)
                        && self.is_lvalue(inner)
                }
                _ => false,
            },
            Kind::CallExpr => self.call_returns_reference(cursor),
            Kind::CStyleCastExpr
            | Kind::CXXStaticCastExpr
            | Kind::CXXReinterpretCastExpr
            | Kind::CXXConstCastExpr => self.casts_to_reference(cursor),
            _ => false,
        }
    }

    fn named_place(&mut self, cursor: Cursor<'tu>) -> Place {
        let Some(declared) = cursor.referenced() else {
            return match cursor.children().iter().find(|c| c.is_expression()) {
                Some(child) => self.place(*child),
                None => {
                    self.fail("a name that did not resolve");
                    Place::deref(Expr::Unknown)
                }
            };
        };
        match declared.kind() {
            Kind::VarDecl | Kind::ParmDecl => self.variable_place(declared),
            Kind::UnexposedDecl => Place::deref(Expr::Unknown),
            Kind::NonTypeTemplateParameter => {
                match cursor.children().iter().find(|c| c.is_expression()) {
                    Some(child) => self.place(*child),
                    None => Place::deref(Expr::Unknown),
                }
            }
            Kind::FieldDecl => self.field_of_this(declared),
            Kind::EnumConstantDecl => self.materialize(cursor, false),
            Kind::FunctionDecl | Kind::CXXMethod => {
                Place::deref(self.session.function_value(declared))
            }
            _ => {
                let why = self.opaque("a name of unknown kind", cursor);
                Place::deref(why)
            }
        }
    }

    /// The place of a variable; a reference is a pointer that is followed.
    pub(crate) fn variable_place(&mut self, declared: Cursor<'tu>) -> Place {
        if declared.is_invalid() {
            self.fail(format!("the declaration of `{}` has errors", declared.spelling()));
        }
        let key = declared.canonical().key();
        let variable = match self.captures.get(&key) {
            Some(copy) => *copy,
            None => {
                let span = self.scope_span();
                let local = !declared.has_global_storage();
                self.session.variable(declared, local.then_some(span))
            }
        };
        if declared.ty().is_reference() {
            let ty = self.session.program.variables[variable.index()].ty;
            return Place::deref(Expr::variable(variable, ty));
        }
        Place::variable(variable)
    }

    fn member_place(&mut self, cursor: Cursor<'tu>) -> Place {
        let Some(declared) = cursor.referenced() else {
            self.fail("a member that did not resolve");
            return Place::deref(Expr::Unknown);
        };
        match declared.kind() {
            Kind::VarDecl => {
                if let Some(base) = cursor.children().iter().find(|c| c.is_expression()) {
                    self.effect(*base);
                }
                return self.variable_place(declared);
            }
            Kind::FieldDecl => {}
            _ => {
                let value = self.value(cursor);
                return Place::deref(value);
            }
        }
        let base = cursor.children().iter().copied().find(|c| c.is_expression());
        let Some(base) = base else { return self.field_of_this(declared) };
        if base.ty().shape() == TypeShape::Pointer {
            let class = base.ty().canonical().pointee().unwrap_or(base.ty());
            let pointer = self.value(base);
            let place = dereference(pointer);
            return self.field(place, class, declared);
        }
        let place = self.place(base);
        self.field(place, base.ty(), declared)
    }

    fn field_of_this(&mut self, declared: Cursor<'tu>) -> Place {
        let Some(this) = self.this else {
            self.fail("a member without an object");
            return Place::deref(Expr::Unknown);
        };
        let ty = self.session.program.variables[this.index()].ty;
        let place = Place::deref(Expr::variable(this, ty));
        match declared.semantic_parent() {
            Some(class) => {
                let class = self.this_class.unwrap_or_else(|| class.ty());
                self.field(place, class, declared)
            }
            None => Place::deref(Expr::Unknown),
        }
    }

    /// `place.field`, for an object of type `class`.
    pub(crate) fn field(
        &mut self,
        mut place: Place,
        class: Type<'tu>,
        declared: Cursor<'tu>,
    ) -> Place {
        let name = declared.spelling();
        let offset = self.session.field_offset(class, declared, &name);
        place.path.push(Projection::Field { name, offset });
        if declared.ty().is_reference() {
            let ty = self.ty(declared.ty());
            return Place::deref(Expr::Load { place: Box::new(place), ty });
        }
        place
    }

    fn element_place(&mut self, cursor: Cursor<'tu>) -> Place {
        let [first, second] = *cursor.children() else {
            return Place::deref(self.opaque("a subscript of unknown shape", cursor));
        };
        let swapped =
            first.ty().shape() != TypeShape::Pointer && second.ty().shape() == TypeShape::Pointer;
        let (base, index) = if swapped { (second, first) } else { (first, second) };
        if base.ty().shape() != TypeShape::Pointer {
            // A subscript of a vector type.
            let place = self.place(base);
            self.effect(index);
            return place;
        }
        let pointer_type = self.ty(base.ty());
        let pointer = self.value(base);
        let mark = self.mark();
        let index = self.value(index);
        let pointer = self.settle(mark, pointer, pointer_type);
        match pointer {
            // An element of an array that is itself a place.
            Expr::AddressOf(mut array) => {
                array.path.push(Projection::Index {
                    index: Box::new(index),
                    element_bytes: element_bytes(base.ty()),
                });
                *array
            }
            pointer => dereference(pointer_add(
                pointer,
                echo_dataflow::program::Arithmetic::Add,
                index,
                base.ty(),
            )),
        }
    }

    /// Whether an explicit cast names a reference type; the expression's own type never is one.
    pub(crate) fn casts_to_reference(&mut self, cursor: Cursor<'tu>) -> bool {
        if cursor.kind() == Kind::CXXFunctionalCastExpr {
            return false;
        }
        let start = cursor.extent().0.spelling();
        let Some(file) = start.file else { return false };
        let text = file.contents(self.session.unit);
        let (open, close) = match cursor.kind() {
            Kind::CStyleCastExpr => (b'(', b')'),
            _ => (b'<', b'>'),
        };
        let mut pieces = lexer::pieces(text, start.offset as usize);
        let mut depth = 0_u32;
        let mut last = 0;
        for piece in pieces.by_ref().take(200) {
            let byte = text[piece.start];
            if byte == open {
                depth += 1;
            } else if byte == close {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return last == b'&';
                }
                last = byte;
            } else {
                last = byte;
            }
        }
        false
    }
}

/// `*pointer`, simplified for `*&place`.
pub(crate) fn dereference(pointer: Expr) -> Place {
    match pointer {
        Expr::AddressOf(place) => *place,
        pointer => Place::deref(pointer),
    }
}

/// The last part of a class's name.
fn plain_class_name(ty: Type<'_>) -> String {
    ty.declaration().map_or_else(|| ty.spelling(), Cursor::spelling)
}

impl<'tu> super::session::Session<'tu> {
    /// Byte offset of a field in an object of type `class` (or of a class derived from the field's).
    pub(crate) fn field_offset(
        &mut self,
        class: Type<'tu>,
        declared: Cursor<'tu>,
        name: &str,
    ) -> Option<u64> {
        let class = class.canonical().unqualified();
        let key = (class.key(), declared.key());
        if let Some(known) = self.offsets.get(&key) {
            return *known;
        }
        let mut owner = declared.semantic_parent();
        while let Some(record) = owner.filter(|o| o.is_anonymous_record()) {
            owner = record.semantic_parent();
        }
        let offset = owner.and_then(|owner| {
            let owner = owner.ty().canonical().unqualified();
            let inside = owner.offset_of(name)?;
            match self.base_step(class, owner) {
                Step::Same => Some(inside),
                Step::At(base) => Some(u64::try_from(base).ok()? + inside),
                Step::Unknown => None,
            }
        });
        self.offsets.insert(key, offset);
        offset
    }
}
