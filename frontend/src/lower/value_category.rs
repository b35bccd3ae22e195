//! Whether an expression names an object, or is a value.
//!
//! libclang does not say, and shows the type `T` for a cast to `T &`. But where an object is read for its value, it shows a
//! node of its own for that: what stands bare under a cast or a conversion is the object itself.

use clang_sys as clang;

use crate::clang::Cursor;

use super::expr::last_expression;
use super::plain_code::innermost;
use super::{is_function, is_reference};

/// Whether `cursor`, the operand of a cast or of a conversion, names an object.
pub(super) fn names_object(cursor: Cursor) -> bool {
    match cursor.kind() {
        clang::CXCursor_ParenExpr => last_expression(cursor).is_some_and(names_object),
        clang::CXCursor_DeclRefExpr => cursor.referenced().is_some_and(|target| {
            matches!(target.kind(), clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl)
        }),
        clang::CXCursor_MemberRefExpr => cursor.referenced().is_some_and(|target| {
            matches!(target.kind(), clang::CXCursor_VarDecl | clang::CXCursor_FieldDecl)
        }),
        clang::CXCursor_ArraySubscriptExpr => true,
        clang::CXCursor_UnaryOperator => cursor.unary_operator() == clang::CXUnaryOperator_Deref,
        clang::CXCursor_BinaryOperator => {
            cursor.binary_operator() == clang::CXBinaryOperator_Comma
                && last_expression(cursor).is_some_and(names_object)
        }
        clang::CXCursor_ConditionalOperator => {
            let children = cursor.children();
            children.len() == 3 && children[1..].iter().all(|side| names_object(*side))
        }
        clang::CXCursor_CallExpr => cursor
            .referenced()
            .is_some_and(|f| is_function(f.kind()) && is_reference(f.result_type())),
        // The call of a conversion function that is not written; where its value is read there is one more node.
        clang::CXCursor_UnexposedExpr => match cursor.children().as_slice() {
            [call] if call.kind() == clang::CXCursor_CallExpr => {
                let converts = call
                    .referenced()
                    .is_some_and(|function| function.kind() == clang::CXCursor_ConversionFunction);
                converts && is_not_written(*call) && names_object(*call)
            }
            _ => false,
        },
        // A cast of an object is a cast to a reference.
        clang::CXCursor_CStyleCastExpr
        | clang::CXCursor_CXXStaticCastExpr
        | clang::CXCursor_CXXReinterpretCastExpr
        | clang::CXCursor_CXXConstCastExpr
        | clang::CXCursor_CXXFunctionalCastExpr => {
            last_expression(cursor).is_some_and(names_object)
        }
        _ => false,
    }
}

/// Whether the call of a member function has the text of its object only.
fn is_not_written(call: Cursor) -> bool {
    let callee = call.children().first().map(|callee| innermost(*callee));
    let object = callee.and_then(|callee| match callee.kind() {
        clang::CXCursor_MemberRefExpr => callee.children().into_iter().find(|c| c.is_expression()),
        _ => Some(callee),
    });
    object.is_some_and(|object| object.expanded_range() == call.expanded_range())
}

/// Whether `cursor` is a cast to a reference of a type that is no class: another view of the object that its operand names.
pub(super) fn is_cast_of_object(cursor: Cursor) -> bool {
    let cast = matches!(
        cursor.kind(),
        clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr
    );
    cast && !matches!(cursor.ty().canonical().kind(), clang::CXType_Void | clang::CXType_Record)
        && names_object(cursor)
}
