//! Whether an expression names an object, or is a value.
//!
//! libclang does not say, and shows the type `T` for a cast to `T &`. But where an object is read for its value, it shows a
//! node of its own for that: what stands bare under a cast or a conversion is the object itself.

use clang_sys as clang;

use crate::clang::Cursor;

use super::body::Body;
use super::call::result_of;
use super::expr::last_expression;
use super::is_reference;
use super::plain_code::innermost;

/// Whether `cursor`, the operand of a cast or of a conversion, names an object; `None` where that is not known. In C fewer
/// expressions do.
pub(super) fn names_object(cursor: Cursor, in_c: bool) -> Option<bool> {
    let last = || names_object(last_expression(cursor)?, in_c);
    match cursor.kind() {
        clang::CXCursor_ParenExpr => last(),
        clang::CXCursor_DeclRefExpr => Some(cursor.referenced().is_some_and(|target| {
            matches!(target.kind(), clang::CXCursor_VarDecl | clang::CXCursor_ParmDecl)
        })),
        clang::CXCursor_MemberRefExpr => Some(cursor.referenced().is_some_and(|target| {
            matches!(target.kind(), clang::CXCursor_VarDecl | clang::CXCursor_FieldDecl)
        })),
        clang::CXCursor_ArraySubscriptExpr => Some(true),
        clang::CXCursor_UnaryOperator => match cursor.unary_operator() {
            clang::CXUnaryOperator_Deref => Some(true),
            clang::CXUnaryOperator_PreInc | clang::CXUnaryOperator_PreDec => Some(!in_c),
            clang::CXUnaryOperator_Extension
            | clang::CXUnaryOperator_Real
            | clang::CXUnaryOperator_Imag => last(),
            clang::CXUnaryOperator_PostInc
            | clang::CXUnaryOperator_PostDec
            | clang::CXUnaryOperator_AddrOf
            | clang::CXUnaryOperator_Plus
            | clang::CXUnaryOperator_Minus
            | clang::CXUnaryOperator_Not
            | clang::CXUnaryOperator_LNot => Some(false),
            _ => None,
        },
        clang::CXCursor_BinaryOperator => match cursor.binary_operator() {
            clang::CXBinaryOperator_Comma if in_c => Some(false),
            clang::CXBinaryOperator_Comma => last(),
            clang::CXBinaryOperator_Assign => Some(!in_c),
            clang::CXBinaryOperator_PtrMemD | clang::CXBinaryOperator_PtrMemI => Some(true),
            clang::CXBinaryOperator_Invalid => None,
            _ => Some(false),
        },
        clang::CXCursor_CompoundAssignOperator => Some(!in_c),
        clang::CXCursor_ConditionalOperator if in_c => Some(false),
        clang::CXCursor_ConditionalOperator => match cursor.children().as_slice() {
            [_, left, right] => Some(names_object(*left, in_c)? && names_object(*right, in_c)?),
            _ => None,
        },
        clang::CXCursor_CallExpr => Some(is_reference(result_of(cursor))),
        // The call of a conversion function that is not written; where its value is read there is one more node.
        clang::CXCursor_UnexposedExpr => match cursor.children().as_slice() {
            [call] if call.kind() == clang::CXCursor_CallExpr => {
                let converts = call
                    .referenced()
                    .is_some_and(|function| function.kind() == clang::CXCursor_ConversionFunction);
                if converts && is_not_written(*call) {
                    names_object(*call, in_c)
                } else {
                    Some(false)
                }
            }
            _ => Some(false),
        },
        // A cast of an object is a cast to a reference.
        clang::CXCursor_CStyleCastExpr
        | clang::CXCursor_CXXStaticCastExpr
        | clang::CXCursor_CXXReinterpretCastExpr
        | clang::CXCursor_CXXConstCastExpr
        | clang::CXCursor_CXXFunctionalCastExpr => {
            // `T()`: nothing is cast.
            if last_expression(cursor).is_none() { Some(false) } else { last() }
        }
        clang::CXCursor_IntegerLiteral
        | clang::CXCursor_FloatingLiteral
        | clang::CXCursor_ImaginaryLiteral
        | clang::CXCursor_CharacterLiteral
        | clang::CXCursor_CXXBoolLiteralExpr
        | clang::CXCursor_CXXNullPtrLiteralExpr
        | clang::CXCursor_GNUNullExpr
        | clang::CXCursor_UnaryExpr
        | clang::CXCursor_CXXThisExpr
        | clang::CXCursor_CXXNewExpr
        | clang::CXCursor_LambdaExpr
        | clang::CXCursor_StmtExpr
        | clang::CXCursor_InitListExpr
        | clang::CXCursor_AddrLabelExpr => Some(false),
        clang::CXCursor_StringLiteral => Some(true),
        clang::CXCursor_CompoundLiteralExpr => Some(in_c),
        _ => None,
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
/// `None` where that is not known.
fn is_cast_of_object(cursor: Cursor, in_c: bool) -> Option<bool> {
    let cast = matches!(
        cursor.kind(),
        clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr
    );
    if !cast || matches!(cursor.ty().canonical().kind(), clang::CXType_Void | clang::CXType_Record)
    {
        return Some(false);
    }
    names_object(cursor, in_c)
}

impl Body<'_, '_> {
    /// Whether `cursor` names an object, as an operand; what is not known is not understood.
    pub(super) fn names_object(&mut self, cursor: Cursor) -> bool {
        let known = names_object(cursor, self.unit.context.in_c);
        self.known_or_opaque(cursor, known)
    }

    /// Whether `cursor` is a cast to a reference of a type that is no class; what is not known is not understood.
    pub(super) fn is_cast_of_object(&mut self, cursor: Cursor) -> bool {
        let known = is_cast_of_object(cursor, self.unit.context.in_c);
        self.known_or_opaque(cursor, known)
    }

    fn known_or_opaque(&mut self, cursor: Cursor, known: Option<bool>) -> bool {
        if known.is_none() {
            self.opaque_statement(cursor, "an expression that may name an object or be a value");
        }
        known.unwrap_or(false)
    }
}
