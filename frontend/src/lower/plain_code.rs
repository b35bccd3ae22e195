//! Which functions of the program are plain: they compute from numbers in their own objects and arguments.
//!
//! Such a function may run unseen inside the library: it follows no pointer, names no variable of static storage, allocates
//! and frees nothing, and runs nothing but the like. It may write what it is given: the models of functions that call back
//! say that their arguments are read and written, and of other functions nothing is known. The text is looked at, not what it was lowered to, so that members of
//! templates can be judged too.

use std::collections::{HashMap, HashSet};

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey, Ty, TyKey};

use super::Unit;
use super::types::is_number;

/// Deepest nesting of expressions, statements and calls that is looked at.
const MAX_DEPTH: u32 = 200;
/// Deepest nesting of functions and classes in each other's code that is looked at.
const MAX_NESTING: u32 = 60;

/// A canonical type, and whether it is destroyed only.
pub(super) type TypeUse = (TyKey, bool);

/// What is known of functions and types so far.
///
/// One question leads to others, and back to itself: an operator makes an object of its own class. What the question at
/// hand has met counts as plain until it is answered, and is plain if the answer is that nothing it met is not.
#[derive(Default)]
pub(super) struct Judged {
    functions: HashMap<CursorKey, bool>,
    types: HashMap<TypeUse, Option<String>>,
    met_functions: HashSet<CursorKey>,
    met_types: HashSet<TypeUse>,
    nesting: u32,
}

impl Judged {
    /// The answer for a type, if it is known or being found; else the type counts as met.
    pub(super) fn of_type(&mut self, key: &TypeUse) -> Option<Option<String>> {
        if let Some(known) = self.types.get(key) {
            return Some(known.clone());
        }
        (!self.met_types.insert(*key)).then_some(None)
    }

    fn of_function(&mut self, key: CursorKey) -> Option<bool> {
        if let Some(&known) = self.functions.get(&key) {
            return Some(known);
        }
        (!self.met_functions.insert(key)).then_some(true)
    }

    /// A question begins, perhaps inside another one. False where they are nested too deep.
    pub(super) fn begin(&mut self) -> bool {
        self.nesting += 1;
        self.nesting <= MAX_NESTING
    }

    /// The question is answered; `code`: what was found that is not plain.
    pub(super) fn end_type(&mut self, key: TypeUse, code: Option<&String>) {
        if let Some(code) = code {
            self.types.insert(key, Some(code.clone()));
        }
        self.end(code.is_none());
    }

    fn end_function(&mut self, key: CursorKey, plain: bool) {
        if !plain {
            self.functions.insert(key, false);
        }
        self.end(plain);
    }

    fn end(&mut self, plain: bool) {
        self.nesting -= 1;
        if self.nesting > 0 {
            return;
        }
        let functions = std::mem::take(&mut self.met_functions);
        let types = std::mem::take(&mut self.met_types);
        if plain {
            self.functions.extend(functions.into_iter().map(|key| (key, true)));
            self.types.extend(types.into_iter().map(|key| (key, None)));
        }
    }
}

impl Unit<'_> {
    /// Whether `function` is plain. One without a body here is not.
    pub(super) fn is_plain(&mut self, function: Cursor, depth: u32) -> bool {
        if function.is_defaulted() || function.is_deleted() || function.is_pure() {
            return true;
        }
        let definition =
            if function.is_definition() { Some(function) } else { function.definition() };
        let Some(definition) = definition else { return false };
        if only_on_device(definition) {
            return true;
        }
        let key = definition.canonical().key();
        if let Some(known) = self.judged.of_function(key) {
            return known;
        }
        let plain = self.judged.begin()
            && depth < MAX_DEPTH
            && definition.children().into_iter().all(|child| match child.kind() {
                clang::CXCursor_ParmDecl => {
                    child.children().into_iter().all(|c| self.is_plain_part(c, depth + 1))
                }
                clang::CXCursor_TemplateTypeParameter
                | clang::CXCursor_NonTypeTemplateParameter
                | clang::CXCursor_TemplateTemplateParameter => true,
                _ => self.is_plain_part(child, depth + 1),
            });
        self.judged.end_function(key, plain);
        plain
    }

    fn are_plain_parts(&mut self, of: Cursor, depth: u32) -> bool {
        of.children().into_iter().all(|child| self.is_plain_part(child, depth + 1))
    }

    fn is_plain_part(&mut self, at: Cursor, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return false;
        }
        match at.kind() {
            clang::CXCursor_CompoundStmt
            | clang::CXCursor_ReturnStmt
            | clang::CXCursor_IfStmt
            | clang::CXCursor_ForStmt
            | clang::CXCursor_WhileStmt
            | clang::CXCursor_DoStmt
            | clang::CXCursor_SwitchStmt
            | clang::CXCursor_CaseStmt
            | clang::CXCursor_DefaultStmt
            | clang::CXCursor_BreakStmt
            | clang::CXCursor_ContinueStmt
            | clang::CXCursor_NullStmt
            | clang::CXCursor_DeclStmt
            | clang::CXCursor_ParenExpr
            | clang::CXCursor_UnexposedExpr
            | clang::CXCursor_ConditionalOperator
            | clang::CXCursor_CompoundAssignOperator
            | clang::CXCursor_InitListExpr
            | clang::CXCursor_CXXStaticCastExpr
            | clang::CXCursor_CXXFunctionalCastExpr => self.are_plain_parts(at, depth),
            clang::CXCursor_CStyleCastExpr => {
                is_number(at.ty()) && !of_pointer(at) && self.are_plain_parts(at, depth)
            }
            clang::CXCursor_IntegerLiteral
            | clang::CXCursor_FloatingLiteral
            | clang::CXCursor_CharacterLiteral
            | clang::CXCursor_StringLiteral
            | clang::CXCursor_CXXBoolLiteralExpr
            | clang::CXCursor_CXXNullPtrLiteralExpr
            | clang::CXCursor_CXXThisExpr
            | clang::CXCursor_UnaryExpr
            | clang::CXCursor_SizeOfPackExpr
            | clang::CXCursor_TypeRef
            | clang::CXCursor_TemplateRef
            | clang::CXCursor_NamespaceRef
            | clang::CXCursor_MemberRef
            | clang::CXCursor_StaticAssert
            | clang::CXCursor_TypedefDecl
            | clang::CXCursor_TypeAliasDecl
            | clang::CXCursor_UsingDeclaration
            | clang::CXCursor_UsingDirective => true,
            _ if at.is_attribute() => true,
            clang::CXCursor_UnaryOperator => self.is_plain_unary(at, depth),
            clang::CXCursor_BinaryOperator => {
                let assigns = at.binary_operator() == clang::CXBinaryOperator_Assign;
                // Pointers are compared or subtracted: that may tell buffers apart.
                let compares = at.children().iter().any(|operand| is_pointer(operand.ty()));
                let with_itself = at.children().iter().any(|operand| {
                    super::expr::strip(*operand).kind() == clang::CXCursor_CXXThisExpr
                });
                if with_itself {
                    return at.children().into_iter().all(|operand| {
                        let operand = super::expr::strip(operand);
                        match operand.kind() {
                            clang::CXCursor_UnaryOperator => {
                                operand.unary_operator() == clang::CXUnaryOperator_AddrOf
                                    && self.are_plain_parts(operand, depth)
                            }
                            _ => self.is_plain_part(operand, depth + 1),
                        }
                    });
                }
                (assigns || !compares) && self.are_plain_parts(at, depth)
            }
            clang::CXCursor_ArraySubscriptExpr => {
                let children = at.children();
                let array = children.first().map(|base| innermost(*base).ty().canonical().kind());
                matches!(
                    array,
                    Some(clang::CXType_ConstantArray | clang::CXType_DependentSizedArray)
                ) && self.are_plain_parts(at, depth)
            }
            clang::CXCursor_MemberRefExpr => {
                self.is_plain_object(at, depth) && at.referenced().is_none_or(is_plain_member)
            }
            clang::CXCursor_DeclRefExpr => at.referenced().is_some_and(is_plain_name),
            clang::CXCursor_VarDecl => {
                is_local(at)
                    && self.code_within(at.ty()).is_none()
                    && self.are_plain_parts(at, depth)
            }
            clang::CXCursor_CallExpr => self.is_plain_call(at, depth),
            // `new`, `delete`, `throw`, lambdas, assembly, and whatever else there is.
            _ => false,
        }
    }

    fn is_plain_unary(&mut self, at: Cursor, depth: u32) -> bool {
        let children = at.children();
        let [operand] = children.as_slice() else { return false };
        match at.unary_operator() {
            clang::CXUnaryOperator_Deref => {
                super::expr::strip(*operand).kind() == clang::CXCursor_CXXThisExpr
            }
            clang::CXUnaryOperator_AddrOf => false,
            _ => self.is_plain_part(*operand, depth + 1),
        }
    }

    /// The object of `object.member`: a value, or `this`.
    fn is_plain_object(&mut self, member: Cursor, depth: u32) -> bool {
        member.children().into_iter().filter(|c| c.is_expression()).all(|base| {
            let is_this = super::expr::strip(base).kind() == clang::CXCursor_CXXThisExpr;
            (is_this || !is_pointer(base.ty())) && self.is_plain_part(base, depth + 1)
        })
    }

    fn is_plain_call(&mut self, at: Cursor, depth: u32) -> bool {
        let children = at.children();
        let Some(target) = at.referenced() else {
            // `T(a, b)` of a type that depends on a template's parameters, which are looked at where they are known.
            let constructs = children.first().is_none_or(|c| {
                matches!(c.kind(), clang::CXCursor_TypeRef | clang::CXCursor_TemplateRef)
            });
            return constructs && self.are_plain_parts(at, depth);
        };
        if !super::is_function(target.kind()) || at.is_dynamic_call() {
            return false;
        }
        // What is made is destroyed here, and what nobody wrote runs the code of the parts.
        let made = at.ty().canonical();
        let by_value =
            made.kind() == clang::CXType_Record && !super::is_reference(target.result_type());
        let of_parts = target.is_defaulted();
        if (by_value && self.code_within(made).is_some())
            || (of_parts
                && target.semantic_parent().is_some_and(|c| self.code_within(c.ty()).is_some()))
        {
            return false;
        }
        let parts = children.into_iter().all(|child| {
            let inner = innermost(child);
            let is_callee = inner.referenced().is_some_and(|r| r.key() == target.key());
            match inner.kind() {
                clang::CXCursor_DeclRefExpr if is_callee => true,
                clang::CXCursor_MemberRefExpr if is_callee => self.is_plain_object(inner, depth),
                _ => self.is_plain_part(child, depth + 1),
            }
        });
        if !parts {
            return false;
        }
        if target.in_system_header() {
            return handles_plain_values(at, target);
        }
        target.kind() != clang::CXCursor_FunctionTemplate && self.is_plain(target, depth + 1)
    }
}

/// A call of the library on numbers, texts and streams only: it touches nothing else.
fn handles_plain_values(call: Cursor, target: Cursor) -> bool {
    let object = target
        .semantic_parent()
        .filter(|p| matches!(p.kind(), clang::CXCursor_ClassDecl | clang::CXCursor_StructDecl));
    object.is_none_or(|class| is_plain_value(class.ty()))
        && call.arguments().into_iter().all(|argument| {
            innermost(argument).kind() == clang::CXCursor_StringLiteral
                || is_plain_value(argument.ty())
        })
}

fn is_plain_value(ty: Ty) -> bool {
    let ty = ty.canonical();
    let ty = if super::is_reference(ty) { ty.pointee().canonical() } else { ty };
    if is_number(ty) || ty.kind() == clang::CXType_Enum {
        return true;
    }
    let name = ty.name();
    let name = name.trim_start_matches("const ");
    [
        "std::basic_string<",
        "std::__cxx11::basic_string<",
        "std::basic_ostream<",
        "std::char_traits<",
    ]
    .iter()
    .any(|class| name.starts_with(class))
}

/// Under the nodes that only convert or group.
pub(super) fn innermost(cursor: Cursor) -> Cursor {
    let mut at = cursor;
    while matches!(at.kind(), clang::CXCursor_UnexposedExpr | clang::CXCursor_ParenExpr) {
        let children = at.children();
        let mut inner = children.into_iter().filter(|c| c.is_expression());
        match (inner.next(), inner.next()) {
            (Some(only), None) => at = only,
            _ => break,
        }
    }
    at
}

fn is_pointer(ty: Ty) -> bool {
    matches!(
        ty.canonical().kind(),
        clang::CXType_Pointer | clang::CXType_MemberPointer | clang::CXType_NullPtr
    )
}

fn of_pointer(cast: Cursor) -> bool {
    cast.children().into_iter().any(|c| c.is_expression() && is_pointer(innermost(c).ty()))
}

/// A field of a value, or a constant.
fn is_plain_member(member: Cursor) -> bool {
    match member.kind() {
        clang::CXCursor_FieldDecl => !super::is_reference(member.ty()),
        _ => is_constant(member),
    }
}

fn is_plain_name(target: Cursor) -> bool {
    match target.kind() {
        clang::CXCursor_ParmDecl
        | clang::CXCursor_EnumConstantDecl
        | clang::CXCursor_NonTypeTemplateParameter => true,
        clang::CXCursor_VarDecl => is_local(target) || is_constant(target),
        _ => false,
    }
}

fn is_local(variable: Cursor) -> bool {
    variable.storage_class() == clang::CX_SC_None
        && variable.linkage() == clang::CXLinkage_NoLinkage
}

fn is_constant(variable: Cursor) -> bool {
    variable.kind() == clang::CXCursor_VarDecl
        && variable.ty().canonical().is_const()
        && is_number(variable.ty())
}

/// `__device__` without `__host__`: the library's host code cannot call it.
fn only_on_device(function: Cursor) -> bool {
    let has = |kind| function.children().iter().any(|c| c.kind() == kind);
    (has(clang::CXCursor_CUDADeviceAttr) || has(clang::CXCursor_CUDAGlobalAttr))
        && !has(clang::CXCursor_CUDAHostAttr)
}
