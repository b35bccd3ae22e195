//! Arrays that are pointers.
//!
//! A parameter `float v[]` is a pointer, and so is `v + 1`. libclang shows the type that was written, an array, for the
//! parameter and for every expression whose type comes from it: as arrays, they would have elements of their own, and what
//! is reached through them would be lost.

use clang_sys as clang;

use super::cursor::Cursor;

/// Whether the value of `cursor`, whose type is shown as an array, is a pointer.
pub(super) fn has_decayed(cursor: Cursor) -> bool {
    match cursor.kind() {
        clang::CXCursor_ParmDecl
        // Nobody assigns to arrays, and the value of a block is none.
        | clang::CXCursor_CompoundAssignOperator
        | clang::CXCursor_StmtExpr => true,
        clang::CXCursor_DeclRefExpr => cursor.referenced().is_some_and(|target| {
            matches!(target.kind(), clang::CXCursor_ParmDecl | clang::CXCursor_VarDecl)
                && target.ty_as_shown().is_array()
                && has_decayed(target)
        }),
        // `auto w = v;`: an array is initialised by a list or a string.
        clang::CXCursor_VarDecl => cursor.children().last().is_some_and(|child| {
            child.ty_as_shown().is_array() && has_decayed(*child)
        }),
        clang::CXCursor_ParenExpr => {
            cursor.children().last().is_some_and(|inner| has_decayed(*inner))
        }
        // Conversions that are not written; what becomes of a pointer is no array.
        clang::CXCursor_UnexposedExpr => cursor
            .children()
            .last()
            .is_some_and(|inner| !inner.ty_as_shown().is_array() || has_decayed(*inner)),
        clang::CXCursor_UnaryOperator => match cursor.unary_operator() {
            clang::CXUnaryOperator_PreInc
            | clang::CXUnaryOperator_PreDec
            | clang::CXUnaryOperator_PostInc
            | clang::CXUnaryOperator_PostDec => true,
            clang::CXUnaryOperator_Deref => leads_to_no_array(cursor),
            _ => false,
        },
        clang::CXCursor_ArraySubscriptExpr => leads_to_no_array(cursor),
        clang::CXCursor_BinaryOperator => match cursor.binary_operator() {
            clang::CXBinaryOperator_Comma => {
                cursor.children().last().is_some_and(|right| has_decayed(*right))
            }
            clang::CXBinaryOperator_PtrMemD | clang::CXBinaryOperator_PtrMemI => false,
            _ => true,
        },
        clang::CXCursor_ConditionalOperator => {
            cursor.children().iter().skip(1).any(|choice| has_decayed(*choice))
        }
        // A call yields an array only by reference.
        clang::CXCursor_CallExpr => cursor
            .referenced()
            .is_some_and(|callee| callee.result_type_as_shown().is_array()),
        _ => false,
    }
}

/// What the first operand of `cursor` points to is no array once the names of types are seen through.
fn leads_to_no_array(cursor: Cursor) -> bool {
    cursor.children().first().is_some_and(|operand| {
        let ty = operand.ty().canonical();
        let pointee = if ty.is_array() { ty.element() } else { ty.pointee() };
        !pointee.canonical().is_array()
    })
}
