//! Conversions between integer types, which may change the value.

use clang_sys as clang;
use echo_dataflow::program::{Expr, TypeId, TypeKind};

use crate::clang::Cursor;

use super::body::Body;
use super::expr::strip;

impl Body<'_, '_> {
    /// `value`, of type `from`, as a value of type `to`.
    pub(super) fn cast_if_different(&self, value: Expr, from: TypeId, to: TypeId) -> Expr {
        match value {
            Expr::Integer(value) => Expr::Integer(self.converted(value, to)),
            Expr::Null | Expr::Literal => value,
            value if from == to => value,
            value => Expr::Cast { to, value: Box::new(value) },
        }
    }

    /// The result of arithmetic that is stored in an object of type `ty`: types narrower than `int` cut it off.
    pub(super) fn stored(&self, value: Expr, ty: TypeId) -> Expr {
        let narrow = matches!(self.unit.program_type(ty), (TypeKind::Integer { .. }, Some(1 | 2)));
        match value {
            Expr::Integer(value) => Expr::Integer(self.converted(value, ty)),
            value if narrow => Expr::Cast { to: ty, value: Box::new(value) },
            value => value,
        }
    }

    /// Whether an operand of type `other` makes arithmetic with one of type `ty` that of `other`.
    pub(super) fn computed_as(&self, other: TypeId, ty: TypeId) -> bool {
        let (TypeKind::Integer { signed: to }, Some(to_bytes)) = self.unit.program_type(ty) else {
            return false;
        };
        let (TypeKind::Integer { signed: from }, Some(from_bytes)) = self.unit.program_type(other)
        else {
            return false;
        };
        from_bytes >= 4 && (from_bytes > to_bytes || (from_bytes == to_bytes && to && !from))
    }

    /// `value` as an integer of type `to` has it. The bits of a wide type are left to what reads them: there a negative
    /// number means the same as the large one.
    fn converted(&self, value: i128, to: TypeId) -> i128 {
        let (TypeKind::Integer { signed }, Some(bytes @ 1..=4)) = self.unit.program_type(to) else {
            return value;
        };
        let bits = bytes * 8;
        let fits = value >= -(1 << (bits - 1)) && value < 1 << bits;
        if bytes == 4 && fits {
            return value;
        }
        let low = value & ((1 << bits) - 1);
        if signed && low >> (bits - 1) == 1 { low - (1 << bits) } else { low }
    }
}

impl super::Unit<'_> {
    fn program_type(&self, ty: TypeId) -> (TypeKind, Option<u64>) {
        let ty = self.program.ty(ty);
        (ty.kind.clone(), ty.bytes)
    }
}

/// Whether `cursor` names a bit field.
pub(super) fn is_bit_field(cursor: Cursor) -> bool {
    let cursor = strip(cursor);
    cursor.kind() == clang::CXCursor_MemberRefExpr
        && cursor
            .referenced()
            .is_some_and(|field| field.kind() == clang::CXCursor_FieldDecl && field.is_bit_field())
}
