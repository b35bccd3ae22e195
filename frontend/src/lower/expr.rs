//! Expressions as values.

use clang_sys as clang;
use echo_dataflow::program::{Comparison, Expr, Place, TypeId, TypeKind};

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::conversion::is_bit_field;

impl Body<'_, '_> {
    /// Runs an expression for its effects and reads.
    pub(super) fn discard(&mut self, cursor: Cursor) {
        let inner = strip(cursor);
        if inner.kind() == clang::CXCursor_CallExpr {
            self.call(inner, false);
            return;
        }
        if is_void(inner.ty()) && inner.kind() == clang::CXCursor_ConditionalOperator {
            self.conditional_effects(inner);
            return;
        }
        // The value of an assignment is not read unless somebody uses it.
        match (inner.kind(), inner.children().as_slice()) {
            (clang::CXCursor_BinaryOperator, [left, right])
                if inner.binary_operator() == clang::CXBinaryOperator_Assign =>
            {
                self.assignment(inner, *left, *right);
                return;
            }
            (clang::CXCursor_BinaryOperator, [left, right])
                if inner.binary_operator() == clang::CXBinaryOperator_Comma =>
            {
                self.discard(*left);
                self.discard(*right);
                return;
            }
            (clang::CXCursor_CompoundAssignOperator, _) => {
                self.compound_assignment(inner);
                return;
            }
            (clang::CXCursor_UnaryOperator, [operand])
                if matches!(
                    inner.unary_operator(),
                    clang::CXUnaryOperator_PreInc
                        | clang::CXUnaryOperator_PreDec
                        | clang::CXUnaryOperator_PostInc
                        | clang::CXUnaryOperator_PostDec
                ) =>
            {
                self.increment(inner, *operand);
                return;
            }
            _ => {}
        }
        let value = self.rvalue(cursor);
        let source = self.unit.source(cursor);
        match value {
            Expr::Integer(_)
            | Expr::Null
            | Expr::Literal
            | Expr::Function(_)
            | Expr::Closure(_)
            | Expr::Unknown => {}
            Expr::Load { .. }
            | Expr::AddressOf(_)
            | Expr::Arithmetic { .. }
            | Expr::PointerAdd { .. }
            | Expr::PointerDifference { .. }
            | Expr::Compare { .. }
            | Expr::Cast { .. }
            | Expr::Computed(_) => {
                self.push(echo_dataflow::program::StatementKind::Evaluate(value), source, None);
            }
        }
    }

    /// The value of an expression; effects inside become statements before it.
    pub(super) fn rvalue(&mut self, cursor: Cursor) -> Expr {
        self.deeper(Expr::Unknown, |body| body.rvalue_here(cursor))
    }

    fn rvalue_here(&mut self, cursor: Cursor) -> Expr {
        let ty = cursor.ty();
        if self.is_recovery(cursor) {
            let line = cursor.name_expansion().line;
            self.give_up(&format!("it holds an expression that did not resolve (line {line})"));
            return Expr::Unknown;
        }
        match cursor.kind() {
            clang::CXCursor_IntegerLiteral
            | clang::CXCursor_CharacterLiteral
            | clang::CXCursor_CXXBoolLiteralExpr => {
                cursor.evaluate_integer().map_or(Expr::Unknown, Expr::Integer)
            }
            clang::CXCursor_FloatingLiteral
            | clang::CXCursor_ImaginaryLiteral
            | clang::CXCursor_FixedPointLiteral => Expr::Computed(Vec::new()),
            clang::CXCursor_StringLiteral => Expr::Literal,
            clang::CXCursor_CXXNullPtrLiteralExpr | clang::CXCursor_GNUNullExpr => Expr::Null,
            clang::CXCursor_UnaryExpr | clang::CXCursor_SizeOfPackExpr => {
                match cursor.evaluate_integer() {
                    Some(value) => Expr::Integer(value),
                    None => {
                        // The size of an array of variable length: its operand runs.
                        self.bounds(cursor, None);
                        Expr::Computed(Vec::new())
                    }
                }
            }
            clang::CXCursor_CXXThisExpr => match self.this {
                Some(this) => Expr::variable(this, self.unit.program.variable(this).ty),
                None => Expr::Unknown,
            },
            clang::CXCursor_ParenExpr => match cursor.children().as_slice() {
                [inner] => self.rvalue(*inner),
                _ => self.unsupported(cursor, "parentheses of unknown form"),
            },
            clang::CXCursor_DeclRefExpr => self.name_value(cursor),
            clang::CXCursor_MemberRefExpr if cursor.is_index_property() => Expr::Unknown,
            clang::CXCursor_MemberRefExpr => self.member_value(cursor),
            clang::CXCursor_ArraySubscriptExpr => self.load(cursor),
            clang::CXCursor_UnaryOperator => self.unary(cursor),
            clang::CXCursor_BinaryOperator => self.binary(cursor),
            clang::CXCursor_CompoundAssignOperator => {
                let place = self.compound_assignment(cursor);
                self.load_place(place, ty)
            }
            clang::CXCursor_ConditionalOperator => self.conditional(cursor),
            clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr
            | clang::CXCursor_CXXDynamicCastExpr => match last_expression(cursor) {
                Some(inner) if cursor.kind() == clang::CXCursor_CXXDynamicCastExpr => {
                    self.bounds(cursor, Some(inner));
                    let pointer = self.rvalue(inner);
                    unknown_offset(pointer)
                }
                Some(inner) if self.is_cast_of_object(cursor) => {
                    self.bounds(cursor, Some(inner));
                    let place = self.place(inner);
                    self.load_place(place, ty)
                }
                Some(inner) => {
                    self.bounds(cursor, Some(inner));
                    self.convert(inner, ty)
                }
                // `T()`: zero.
                None => self.zero(ty),
            },
            clang::CXCursor_UnexposedExpr => self.unexposed(cursor),
            clang::CXCursor_CallExpr => self.call(cursor, true).unwrap_or(Expr::Unknown),
            clang::CXCursor_CXXNewExpr => self.new_expression(cursor),
            clang::CXCursor_CXXDeleteExpr => {
                self.delete_expression(cursor);
                Expr::Unknown
            }
            clang::CXCursor_InitListExpr | clang::CXCursor_CompoundLiteralExpr => {
                let children: Vec<Cursor> =
                    cursor.children().into_iter().filter(|c| c.is_expression()).collect();
                let id = self.unit_type(ty);
                let kind = self.unit.program.ty(id).kind.clone();
                match (children.as_slice(), kind) {
                    ([], TypeKind::Integer { .. } | TypeKind::Pointer { .. } | TypeKind::Float) => {
                        self.zero(ty)
                    }
                    (
                        [only],
                        TypeKind::Integer { .. }
                        | TypeKind::Pointer { .. }
                        | TypeKind::Float
                        | TypeKind::Void,
                    ) => self.convert(*only, ty),
                    _ => {
                        let place = self.materialize(cursor);
                        self.load_place(place, ty)
                    }
                }
            }
            clang::CXCursor_LambdaExpr => self.lambda_value(cursor),
            clang::CXCursor_CXXThrowExpr => {
                for child in cursor.children() {
                    self.check_thrown(child);
                    self.discard(child);
                }
                self.throw(cursor);
                Expr::Unknown
            }
            clang::CXCursor_StmtExpr => self.statement_expression(cursor),
            clang::CXCursor_CXXTypeidExpr => {
                // Its operand runs if the type is only known then.
                for operand in cursor.children().into_iter().filter(|c| c.is_expression()) {
                    if super::class::class(operand.ty()).is_none_or(|class| class.has_virtual()) {
                        self.discard(operand);
                    }
                }
                Expr::Unknown
            }
            clang::CXCursor_PackExpansionExpr => self.unsupported(cursor, "a pack expansion"),
            clang::CXCursor_AddrLabelExpr => self.unsupported(cursor, "the address of a label"),
            clang::CXCursor_GenericSelectionExpr => self.unsupported(cursor, "a generic selection"),
            kind => self.unsupported(cursor, &format!("an expression of unknown kind ({kind})")),
        }
    }

    pub(super) fn unsupported(&mut self, cursor: Cursor, why: &str) -> Expr {
        self.opaque_statement(cursor, why);
        Expr::Unknown
    }

    pub(super) fn unit_type(&mut self, ty: Ty) -> TypeId {
        super::types::intern(self.unit, ty)
    }

    /// A recovery expression: a dependent type outside a template.
    fn is_recovery(&self, cursor: Cursor) -> bool {
        matches!(cursor.ty().kind(), clang::CXType_Dependent)
            || (cursor.kind() == clang::CXCursor_DeclRefExpr
                && cursor
                    .referenced()
                    .is_none_or(|t| t.kind() == clang::CXCursor_OverloadedDeclRef))
            || cursor.kind() == clang::CXCursor_OverloadedDeclRef
    }

    fn name_value(&mut self, cursor: Cursor) -> Expr {
        let Some(target) = cursor.referenced() else {
            return self.unsupported(cursor, "an unresolved name");
        };
        match target.kind() {
            clang::CXCursor_EnumConstantDecl | clang::CXCursor_NonTypeTemplateParameter => {
                cursor.evaluate_integer().map_or(Expr::Computed(Vec::new()), Expr::Integer)
            }
            kind if super::is_function(kind) => match self.unit.pointed_to(target) {
                Some(id) => {
                    self.unit.program.functions[id.index()].address_taken = true;
                    Expr::Function(id)
                }
                // Of the library: it works on what it is given.
                None if target.in_system_header() => Expr::Literal,
                None => Expr::Unknown,
            },
            clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl => {
                if target.kind() == clang::CXCursor_VarDecl
                    && (target.ty().is_const())
                    && is_integer(target.ty())
                    && let Some(value) = cursor.evaluate_integer()
                {
                    return Expr::Integer(value);
                }
                self.load(cursor)
            }
            // A variable template, which libclang does not expose: a constant, or something that is not understood.
            _ => match cursor.evaluate_integer() {
                Some(value) => Expr::Integer(value),
                None => self.unsupported(cursor, "a name of unknown kind"),
            },
        }
    }

    fn member_value(&mut self, cursor: Cursor) -> Expr {
        match cursor.referenced().map(|t| t.kind()) {
            Some(clang::CXCursor_FieldDecl | clang::CXCursor_VarDecl) => {
                if let Some(target) = cursor.referenced()
                    && target.kind() == clang::CXCursor_VarDecl
                    && target.ty().is_const()
                    && is_integer(target.ty())
                    && let Some(value) = cursor.evaluate_integer()
                {
                    self.discard_object(cursor);
                    return Expr::Integer(value);
                }
                self.load(cursor)
            }
            Some(clang::CXCursor_EnumConstantDecl) => {
                self.discard_object(cursor);
                cursor.evaluate_integer().map_or(Expr::Computed(Vec::new()), Expr::Integer)
            }
            Some(_) => {
                for child in cursor.children() {
                    if child.is_expression() {
                        self.place(child);
                    }
                }
                Expr::Unknown
            }
            None => self.unsupported(cursor, "an unresolved member"),
        }
    }

    /// The value of an lvalue.
    pub(super) fn load(&mut self, cursor: Cursor) -> Expr {
        let place = self.place(cursor);
        let ty = cursor.ty();
        let value = self.load_place(place, ty);
        // A bit field keeps fewer bits than its type says; a volatile number may be another one each time.
        let other = is_bit_field(cursor) || (ty.canonical().is_volatile() && is_integer(ty));
        if other { Expr::Computed(vec![value]) } else { value }
    }

    /// The value at `place`; arrays decay to the address of their first element.
    pub(super) fn load_place(&mut self, place: Place, ty: Ty) -> Expr {
        let id =
            self.unit_type(if super::is_reference(ty) { ty.canonical().pointee() } else { ty });
        match self.unit.program.ty(id).kind {
            TypeKind::Array { .. } => Expr::AddressOf(Box::new(place)),
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Float
            | TypeKind::Pointer { .. }
            | TypeKind::Record { .. }
            | TypeKind::Function
            | TypeKind::Unknown => Expr::Load { place: Box::new(place), ty: id },
        }
    }

    fn zero(&mut self, ty: Ty) -> Expr {
        let id = self.unit_type(ty);
        match self.unit.program.ty(id).kind {
            TypeKind::Integer { .. } => Expr::Integer(0),
            TypeKind::Pointer { .. } => Expr::Null,
            TypeKind::Float => Expr::Computed(Vec::new()),
            TypeKind::Void
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => Expr::Unknown,
        }
    }

    /// An implicit conversion, or a node that adds nothing.
    fn unexposed(&mut self, cursor: Cursor) -> Expr {
        let children: Vec<Cursor> =
            cursor.children().into_iter().filter(|c| c.is_expression()).collect();
        match children.as_slice() {
            [inner] => self.convert(*inner, cursor.ty()),
            [] => match cursor.evaluate_integer() {
                Some(value) if is_integer(cursor.ty()) => Expr::Integer(value),
                Some(0) => Expr::Null,
                Some(_) | None => self.zero_or_unknown(cursor),
            },
            several => match super::operators::test_and_value(several) {
                Some([first, second]) => self.conditional_with_test(cursor, first, second),
                // An atomic built-in, for one.
                None => self.unsupported(cursor, "an expression that libclang does not expose"),
            },
        }
    }

    /// A node without children: a value-initialisation or a default argument, which libclang does not show.
    fn zero_or_unknown(&mut self, cursor: Cursor) -> Expr {
        let id = self.unit_type(cursor.ty());
        match self.unit.program.ty(id).kind {
            TypeKind::Float => Expr::Computed(Vec::new()),
            TypeKind::Void
            | TypeKind::Integer { .. }
            | TypeKind::Pointer { .. }
            | TypeKind::Record { .. }
            | TypeKind::Array { .. }
            | TypeKind::Function
            | TypeKind::Unknown => Expr::Unknown,
        }
    }

    /// `inner` converted to `ty`, by the types before and after.
    pub(super) fn convert(&mut self, inner: Cursor, ty: Ty) -> Expr {
        let target = ty.canonical();
        let from = inner.ty().canonical();
        let to = self.unit_type(target);
        let to_kind = self.unit.program.ty(to).kind.clone();
        if super::is_reference(target) {
            // A cast to a reference: as a value, what it refers to.
            return self.load(inner);
        }
        let from_id = self.unit_type(from);
        let from_kind = self.unit.program.ty(from_id).kind.clone();
        match (&from_kind, &to_kind) {
            // A list of initialisers does not show the conversion that the class defines.
            (
                TypeKind::Record { .. },
                TypeKind::Integer { .. } | TypeKind::Float | TypeKind::Pointer { .. },
            ) if !from.declaration().is_some_and(super::capture::is_lambda_class) => {
                self.discard(inner);
                self.unsupported(inner, "a conversion that libclang does not show")
            }
            (TypeKind::Array { .. }, TypeKind::Pointer { .. }) => {
                if strip(inner).kind() == clang::CXCursor_StringLiteral {
                    return Expr::Literal;
                }
                let place = self.place(inner);
                self.cast_if_different(Expr::AddressOf(Box::new(place)), from_id, to)
            }
            (TypeKind::Function, TypeKind::Pointer { .. }) => self.rvalue(inner),
            (TypeKind::Integer { .. }, TypeKind::Pointer { .. }) => match self.rvalue(inner) {
                Expr::Integer(0) | Expr::Null => Expr::Null,
                value => Expr::Cast { to, value: Box::new(value) },
            },
            (TypeKind::Pointer { to: a }, TypeKind::Pointer { to: b }) => {
                let value = self.rvalue(inner);
                let records = matches!(self.unit.program.ty(*a).kind, TypeKind::Record { .. })
                    && matches!(self.unit.program.ty(*b).kind, TypeKind::Record { .. })
                    && a != b;
                if records && !same_start(from.pointee(), target.pointee()) {
                    return unknown_offset(value);
                }
                self.cast_if_different(value, from_id, to)
            }
            (TypeKind::Pointer { .. }, TypeKind::Integer { .. }) => {
                let value = self.rvalue(inner);
                if target.kind() == clang::CXType_Bool {
                    return Expr::Compare {
                        op: Comparison::NotEqual,
                        left: Box::new(value),
                        right: Box::new(Expr::Null),
                    };
                }
                if value == Expr::Null {
                    return Expr::Integer(0);
                }
                Expr::Cast { to, value: Box::new(value) }
            }
            (TypeKind::Integer { .. }, TypeKind::Integer { .. }) => {
                let value = self.rvalue(inner);
                if target.kind() == clang::CXType_Bool && from.kind() != clang::CXType_Bool {
                    return match value {
                        Expr::Integer(v) => Expr::Integer(i128::from(v != 0)),
                        Expr::Compare { .. } => value,
                        value => Expr::Compare {
                            op: Comparison::NotEqual,
                            left: Box::new(value),
                            right: Box::new(Expr::Integer(0)),
                        },
                    };
                }
                self.cast_if_different(value, from_id, to)
            }
            (TypeKind::Float, TypeKind::Integer { .. } | TypeKind::Float)
            | (TypeKind::Integer { .. } | TypeKind::Pointer { .. }, TypeKind::Float) => {
                match self.rvalue(inner) {
                    value @ Expr::Computed(_) => value,
                    value => Expr::Computed(vec![value]),
                }
            }
            (_, TypeKind::Void) => {
                self.discard(inner);
                Expr::Computed(Vec::new())
            }
            (TypeKind::Record { .. }, TypeKind::Record { .. }) => self.rvalue(inner),
            (TypeKind::Array { .. }, TypeKind::Array { .. }) => self.rvalue(inner),
            _ => {
                let value = self.rvalue(inner);
                if from_id == to {
                    return value;
                }
                match value {
                    value @ (Expr::Function(_) | Expr::Closure(_)) => value,
                    value => Expr::Cast { to, value: Box::new(value) },
                }
            }
        }
    }

    fn statement_expression(&mut self, cursor: Cursor) -> Expr {
        let children = cursor.children();
        let Some(inner) = children.first() else { return Expr::Unknown };
        let parts = inner.children();
        self.open_scope(None);
        let mut value = Expr::Unknown;
        for (index, part) in parts.iter().enumerate() {
            if index + 1 == parts.len() && part.is_expression() && !is_void(part.ty()) {
                let ty = self.unit_type(part.ty());
                let source = self.unit.source(*part);
                let result = self.rvalue(*part);
                value = self.keep(ty, result, source);
            } else {
                self.statement(*part);
            }
        }
        self.close_scope(cursor);
        value
    }
}

/// Without parentheses and nodes that add nothing (same type).
pub(super) fn strip(cursor: Cursor) -> Cursor {
    let mut at = cursor;
    loop {
        let children = match at.kind() {
            clang::CXCursor_ParenExpr => at.children(),
            clang::CXCursor_UnexposedExpr => {
                let children: Vec<Cursor> =
                    at.children().into_iter().filter(|c| c.is_expression()).collect();
                match children.as_slice() {
                    [inner] if inner.ty().is_same_value(at.ty()) => children,
                    _ => return at,
                }
            }
            _ => return at,
        };
        match children.as_slice() {
            [inner] => at = *inner,
            _ => return at,
        }
    }
}

/// Through casts of any kind and parentheses, to the operand.
pub(super) fn strip_casts(cursor: Cursor) -> Cursor {
    let mut at = cursor;
    loop {
        match at.kind() {
            clang::CXCursor_ParenExpr
            | clang::CXCursor_UnexposedExpr
            | clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr => match last_expression(at) {
                Some(inner) => at = inner,
                None => return at,
            },
            _ => return at,
        }
    }
}

/// The operand of a cast, of parentheses, or of a node that libclang does not expose: one of several of these is not what
/// they stand for (`a ?: b`).
pub(super) fn last_expression(cursor: Cursor) -> Option<Cursor> {
    let children = cursor.children();
    let mut expressions = children.into_iter().filter(|c| c.is_expression());
    if cursor.kind() != clang::CXCursor_UnexposedExpr {
        return expressions.next_back();
    }
    let only = expressions.next();
    if expressions.next().is_some() { None } else { only }
}

pub(super) fn is_integer(ty: Ty) -> bool {
    let kind = ty.canonical().kind();
    (clang::CXType_Bool..=clang::CXType_Int128).contains(&kind) || kind == clang::CXType_Enum
}

pub(super) fn is_void(ty: Ty) -> bool {
    ty.canonical().kind() == clang::CXType_Void
}

/// A pointer into the same object, no telling where.
pub(super) fn unknown_offset(pointer: Expr) -> Expr {
    Expr::PointerAdd {
        pointer: Box::new(pointer),
        elements: Box::new(Expr::Unknown),
        element_bytes: None,
    }
}

/// Whether a `derived` object and its `base` start at the same byte: the first base, if no table of functions and no other
/// base comes before it.
pub(super) fn same_start(derived: Ty, base: Ty) -> bool {
    let Some(class) = super::class::class(derived) else { return false };
    class.bases().next().is_some_and(|first| {
        !first.is_virtual_base()
            && first.ty().is_same_value(base)
            && (super::class::is_polymorphic(base, 0) || !super::class::is_polymorphic(derived, 0))
    })
}
