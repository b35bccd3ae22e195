//! Whether variables keep the values that a lambda has copied.
//!
//! What is not certainly a mere read of the variable may change it: now, or later through an address or reference.

use std::collections::HashSet;

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey, Ty};

use super::capture::key;
use super::expr::is_integer;
use super::plain_code::innermost;
use super::value_category::names_object;
use super::{is_function, is_reference};

/// What becomes of the object that an expression names.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// Its value is read.
    Read,
    /// It may get another value here.
    Changed,
    /// It may get another value here or later.
    Kept,
}

/// Whose code an expression is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Function,
    /// Another lambda: it may run later.
    Lambda,
    /// The lambda that copies: it changes its copies only.
    Itself,
}

/// Copies that a lambda has made.
pub(super) struct Copies<'c> {
    /// The lambda.
    pub(super) lambda: Cursor,
    /// What they are copies of.
    pub(super) variables: &'c HashSet<CursorKey>,
    /// Whether a lambda gives references to variables names of its own.
    pub(super) renames: &'c dyn Fn(Cursor) -> bool,
}

impl Copies<'_> {
    /// Whether copies and variables may come to differ by what is in `root`, the body of the function around.
    pub(super) fn may_differ(&self, root: Cursor) -> bool {
        self.disturbs(root, Role::Read, Within::Function)
    }

    fn any(&self, of: impl IntoIterator<Item = Cursor>, role: Role, within: Within) -> bool {
        of.into_iter().any(|part| self.disturbs(part, role, within))
    }

    fn disturbs(&self, at: Cursor, role: Role, within: Within) -> bool {
        let children = at.children();
        match at.kind() {
            clang::CXCursor_DeclRefExpr => {
                let named = at.referenced().is_some_and(|v| self.variables.contains(&key(v)));
                named && self.differs(at, role, within)
            }
            clang::CXCursor_ParenExpr
            | clang::CXCursor_CStyleCastExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXReinterpretCastExpr
            | clang::CXCursor_CXXConstCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr => self.any(children, role, within),
            clang::CXCursor_UnexposedExpr => match children.as_slice() {
                [inner] if is_array(inner.ty()) => {
                    // The address of the first element.
                    let role = if role == Role::Read { Role::Kept } else { role };
                    self.disturbs(*inner, role, within)
                }
                [inner] if at.ty().canonical().kind() == clang::CXType_Record => {
                    let role = if at.ty().canonical().is_const() { Role::Read } else { role };
                    self.disturbs(*inner, role, within)
                }
                // The value of an object; at most it is seen as one that is `const`.
                [inner] => {
                    let reads = names_object(*inner, false) == Some(true);
                    self.disturbs(*inner, if reads { Role::Read } else { role }, within)
                }
                several => self.any(several.iter().copied(), Role::Kept, within),
            },
            clang::CXCursor_MemberRefExpr => {
                let refers = at.referenced().is_some_and(|field| is_reference(field.ty()));
                let base = children.into_iter().find(|c| c.is_expression());
                base.is_some_and(|base| {
                    let pointer = base.ty().canonical().kind() == clang::CXType_Pointer;
                    let role = if pointer || refers { Role::Read } else { role };
                    self.disturbs(base, role, within)
                })
            }
            clang::CXCursor_ArraySubscriptExpr => children.into_iter().any(|part| {
                let array = innermost(part);
                if is_array(array.ty()) {
                    self.disturbs(array, role, within)
                } else {
                    self.disturbs(part, Role::Read, within)
                }
            }),
            clang::CXCursor_UnaryOperator => {
                let role = match at.unary_operator() {
                    clang::CXUnaryOperator_AddrOf if role == Role::Changed => Role::Changed,
                    clang::CXUnaryOperator_AddrOf => Role::Kept,
                    clang::CXUnaryOperator_PreInc
                    | clang::CXUnaryOperator_PreDec
                    | clang::CXUnaryOperator_PostInc
                    | clang::CXUnaryOperator_PostDec => assigned(role),
                    clang::CXUnaryOperator_Real
                    | clang::CXUnaryOperator_Imag
                    | clang::CXUnaryOperator_Extension => role,
                    _ => Role::Read,
                };
                self.any(children, role, within)
            }
            clang::CXCursor_BinaryOperator | clang::CXCursor_CompoundAssignOperator => {
                let roles = match (at.kind(), at.binary_operator()) {
                    (clang::CXCursor_CompoundAssignOperator, _)
                    | (_, clang::CXBinaryOperator_Assign) => [assigned(role), Role::Read],
                    (_, clang::CXBinaryOperator_Comma) => [Role::Read, role],
                    (_, clang::CXBinaryOperator_PtrMemD) => [Role::Kept, Role::Read],
                    (_, _) => [Role::Read, Role::Read],
                };
                children.into_iter().zip(roles).any(|(c, role)| self.disturbs(c, role, within))
            }
            clang::CXCursor_ConditionalOperator => {
                children.into_iter().enumerate().any(|(index, part)| {
                    self.disturbs(part, if index == 0 { Role::Read } else { role }, within)
                })
            }
            clang::CXCursor_CallExpr => self.call_disturbs(at, &children, within),
            clang::CXCursor_VarDecl => {
                let role = if keeps(at.ty()) { Role::Kept } else { Role::Read };
                self.any(children, role, within)
            }
            clang::CXCursor_LambdaExpr => {
                let own = at.statement_key() == self.lambda.statement_key();
                if !own && (self.renames)(at) {
                    return true;
                }
                let within = match within {
                    _ if own => Within::Itself,
                    Within::Function | Within::Lambda => Within::Lambda,
                    Within::Itself => Within::Itself,
                };
                self.any(children, Role::Read, within)
            }
            clang::CXCursor_InitListExpr => {
                let refers = at.ty().canonical().fields().iter().any(|f| is_reference(f.ty()));
                self.any(children, if refers { Role::Kept } else { Role::Read }, within)
            }
            clang::CXCursor_CXXForRangeStmt => {
                let mut variables = children.iter().filter(|c| c.kind() == clang::CXCursor_VarDecl);
                let role = match variables.next() {
                    Some(variable) if !keeps(variable.ty()) => Role::Read,
                    Some(_) | None => Role::Kept,
                };
                children.into_iter().any(|part| {
                    let role = if part.is_expression() { role } else { Role::Read };
                    self.disturbs(part, role, within)
                })
            }
            // Not evaluated.
            clang::CXCursor_UnaryExpr => false,
            clang::CXCursor_ReturnStmt => {
                children.into_iter().any(|value| self.disturbs(value, Role::Kept, within))
            }
            clang::CXCursor_CompoundStmt
            | clang::CXCursor_DeclStmt
            | clang::CXCursor_IfStmt
            | clang::CXCursor_ForStmt
            | clang::CXCursor_WhileStmt
            | clang::CXCursor_DoStmt
            | clang::CXCursor_SwitchStmt
            | clang::CXCursor_CaseStmt
            | clang::CXCursor_DefaultStmt
            | clang::CXCursor_LabelStmt
            | clang::CXCursor_CXXTryStmt
            | clang::CXCursor_CXXCatchStmt
            | clang::CXCursor_StmtExpr => self.any(children, Role::Read, within),
            _ => children.into_iter().any(|part| {
                let role = if part.is_expression() { Role::Kept } else { Role::Read };
                self.disturbs(part, role, within)
            }),
        }
    }

    fn differs(&self, name: Cursor, role: Role, within: Within) -> bool {
        match (role, within) {
            (Role::Read, _) => false,
            (Role::Changed, Within::Function) => {
                name.expanded_range().0.offset >= self.lambda.expanded_range().1.offset
            }
            (Role::Changed, Within::Lambda) | (Role::Kept, Within::Function | Within::Lambda) => {
                true
            }
            // Without `mutable` its copies are constant.
            (Role::Changed | Role::Kept, Within::Itself) => !has_constant_copies(self.lambda),
        }
    }

    fn call_disturbs(&self, call: Cursor, children: &[Cursor], within: Within) -> bool {
        let target = call.referenced().filter(|t| is_function(t.kind()));
        let arguments = call.arguments();
        let parameters = target.map(Cursor::arguments).unwrap_or_default();
        let is_method = target.is_some_and(|t| t.kind() == clang::CXCursor_CXXMethod);
        let is_const = target.is_some_and(|t| t.is_const_method() || t.is_static_method());
        // A function of a library that returns no more than a number keeps no address.
        let forgets = target.is_some_and(|t| {
            let result = t.result_type().canonical();
            t.in_system_header()
                && t.kind() == clang::CXCursor_FunctionDecl
                && (result.kind() == clang::CXType_Void || is_integer(result))
        });
        let has_object = is_method && arguments.len() == parameters.len() + 1;
        let object = if is_const { Role::Read } else { Role::Kept };
        for (index, argument) in arguments.iter().enumerate() {
            let role = match index.checked_sub(usize::from(has_object)) {
                None => object,
                Some(_) if forgets => Role::Changed,
                Some(index) => match parameters.get(index) {
                    Some(parameter) if !keeps(parameter.ty()) => Role::Read,
                    Some(_) | None => Role::Kept,
                },
            };
            if self.disturbs(*argument, role, within) {
                return true;
            }
        }
        let given: Vec<CursorKey> = arguments.iter().map(|a| a.statement_key()).collect();
        children.iter().filter(|c| !given.contains(&c.statement_key())).any(|callee| {
            let inner = innermost(*callee);
            if inner.kind() == clang::CXCursor_MemberRefExpr && is_method {
                self.disturbs(inner, object, within)
            } else {
                self.disturbs(*callee, Role::Read, within)
            }
        })
    }
}

/// The left side of an assignment whose result has `role`.
fn assigned(role: Role) -> Role {
    match role {
        Role::Kept => Role::Kept,
        Role::Read | Role::Changed => Role::Changed,
    }
}

/// Whether an object of type `ty` is a reference through which another may change.
fn keeps(ty: Ty) -> bool {
    is_reference(ty) && !ty.canonical().pointee().is_const()
}

fn is_array(ty: Ty) -> bool {
    matches!(
        ty.canonical().kind(),
        clang::CXType_ConstantArray | clang::CXType_IncompleteArray | clang::CXType_VariableArray
    )
}

/// Whether the body of a lambda is not `mutable`.
fn has_constant_copies(lambda: Cursor) -> bool {
    let Some(class) = lambda.ty().canonical().declaration() else { return false };
    let mut calls = class.children().into_iter().filter(|m| m.name() == "operator()").peekable();
    calls.peek().is_some() && calls.all(|call| call.is_const_method())
}
