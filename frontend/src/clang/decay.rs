//! Arrays that are pointers.
//!
//! A parameter `float v[]` is a pointer, and so is `v + 1`. libclang shows the type that was written, an array, for the
//! parameter and for every expression whose type comes from it: as arrays, they would have elements of their own, and what
//! is reached through them would be lost.

use clang_sys as clang;

use super::cursor::Cursor;

/// Whether the value of `cursor`, whose type is shown as an array, is a pointer; `None` where that is not known.
pub(super) fn has_decayed(cursor: Cursor) -> Option<bool> {
    match cursor.kind() {
        clang::CXCursor_ParmDecl
        | clang::CXCursor_NonTypeTemplateParameter
        // Nobody assigns to arrays, and the value of a block is none.
        | clang::CXCursor_CompoundAssignOperator
        | clang::CXCursor_StmtExpr => Some(true),
        clang::CXCursor_DeclRefExpr => {
            let target = cursor.referenced()?;
            match target.kind() {
                clang::CXCursor_NonTypeTemplateParameter => Some(true),
                // Of a reference to an array the name is an array.
                clang::CXCursor_ParmDecl | clang::CXCursor_VarDecl => {
                    if target.ty_as_shown().is_array() { has_decayed(target) } else { Some(false) }
                }
                _ => None,
            }
        }
        // `auto w = v;`: an array is initialised by a list or a string.
        clang::CXCursor_VarDecl => match cursor.children().last() {
            Some(child) if child.is_expression() => decayed_array(*child),
            Some(_) | None => Some(false),
        },
        clang::CXCursor_ParenExpr => has_decayed(*cursor.children().last()?),
        // Conversions that are not written; what becomes of a pointer is no array.
        clang::CXCursor_UnexposedExpr => {
            let Some(inner) = cursor.children().last().copied() else {
                // `__func__`, unless it is a default argument.
                return (cursor.name_expansion().file != 0).then_some(false);
            };
            if inner.ty_as_shown().is_array() { has_decayed(inner) } else { Some(true) }
        }
        clang::CXCursor_UnaryOperator => match cursor.unary_operator() {
            clang::CXUnaryOperator_PreInc
            | clang::CXUnaryOperator_PreDec
            | clang::CXUnaryOperator_PostInc
            | clang::CXUnaryOperator_PostDec
            | clang::CXUnaryOperator_Plus => Some(true),
            clang::CXUnaryOperator_Deref => leads_to_no_array(cursor),
            clang::CXUnaryOperator_Extension => has_decayed(*cursor.children().last()?),
            _ => None,
        },
        clang::CXCursor_ArraySubscriptExpr => leads_to_no_array(cursor),
        clang::CXCursor_BinaryOperator => match cursor.binary_operator() {
            clang::CXBinaryOperator_Comma => has_decayed(*cursor.children().last()?),
            clang::CXBinaryOperator_PtrMemD | clang::CXBinaryOperator_PtrMemI => Some(false),
            _ => Some(true),
        },
        clang::CXCursor_ConditionalOperator => {
            let children = cursor.children();
            let mut choices = children.iter().skip(1).map(|choice| decayed_array(*choice));
            choices.try_fold(false, |any, choice| Some(any | choice?))
        }
        // A call yields an array only by reference, and so do casts.
        clang::CXCursor_CallExpr => match cursor.referenced() {
            Some(callee) => Some(callee.result_type_as_shown().is_array()),
            None => Some(!cursor.children().first()?.ty().returned()?.is_reference()),
        },
        clang::CXCursor_CStyleCastExpr
        | clang::CXCursor_CXXStaticCastExpr
        | clang::CXCursor_CXXReinterpretCastExpr
        | clang::CXCursor_CXXConstCastExpr
        | clang::CXCursor_CXXFunctionalCastExpr
        // These are arrays where they are shown as such: nothing in them is a parameter.
        | clang::CXCursor_MemberRefExpr
        | clang::CXCursor_StringLiteral
        | clang::CXCursor_CompoundLiteralExpr => Some(false),
        // `auto q{v};` shows the list with the type of the pointer in it.
        clang::CXCursor_InitListExpr => match cursor.children().as_slice() {
            [only] if only.ty_as_shown().is_array() => {
                Some(has_decayed(*only)? && only.ty_as_shown().is_same_value(cursor.ty_as_shown()))
            }
            _ => Some(false),
        },
        // Other declarations have the types that are written; what else yields an array is not known.
        _ if cursor.is_expression() => None,
        _ => Some(false),
    }
}

/// Whether `cursor` is a pointer that is shown as an array.
fn decayed_array(cursor: Cursor) -> Option<bool> {
    if cursor.ty_as_shown().is_array() { has_decayed(cursor) } else { Some(false) }
}

/// What the first operand of `cursor` points to is no array once the names of types are seen through.
fn leads_to_no_array(cursor: Cursor) -> Option<bool> {
    let ty = cursor.children().first()?.ty().canonical();
    let pointee = if ty.is_array() { ty.element() } else { ty.pointee() };
    Some(!pointee.canonical().is_array())
}
