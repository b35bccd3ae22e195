//! What lambdas keep. The body of a lambda is lowered as if it used the variables around it. That is right for what it
//! captures by reference, and for a copy as long as the variable keeps its value.

use std::collections::HashSet;

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey, Ty};

use super::Unit;
use super::body::Body;
use super::kept_value::Copies;

/// Whether the type is that of a lambda, or made from one.
pub(super) fn is_lambda_type(ty: Ty) -> bool {
    ty.canonical().name().contains("(lambda")
}

/// Whether the class is that of a lambda, whatever else is named after one.
pub(super) fn is_lambda_class(class: Cursor) -> bool {
    let name = class.ty().canonical().name();
    class.kind() == clang::CXCursor_ClassDecl && name.contains("(lambda at ") && name.ends_with(')')
}

/// Which variables a lambda copies.
enum Copied {
    /// None.
    Nothing,
    /// Those of these names.
    Named(Vec<String>),
    /// All that it names.
    All,
    /// Objects of its own, or what is not understood.
    Unclear,
}

impl Body<'_, '_> {
    /// Gives up the place where a lambda is made if its copies may differ later from what they are copies of.
    pub(super) fn check_copies(&mut self, lambda: Cursor) {
        let right = match self.unit.copied(lambda) {
            Copied::Nothing => true,
            Copied::Unclear => false,
            Copied::Named(names) => {
                self.stay_equal(lambda, &|name| names.iter().any(|n| n == name))
            }
            Copied::All => self.stay_equal(lambda, &|_| true),
        };
        if !right {
            self.opaque_statement(
                lambda,
                "a lambda keeps a copy that may differ from its variable",
            );
        }
    }

    /// Gives up the place where a lambda of the device is made if it has objects of its own: `[p = q]`.
    pub(super) fn check_own_copies(&mut self, lambda: Cursor) {
        let (start, end) = lambda.expanded_range();
        let own = lambda.children().into_iter().any(|capture| {
            capture.kind() == clang::CXCursor_VariableRef
                && capture.referenced().is_none_or(|variable| {
                    let at = variable.name_expansion();
                    at.file == start.file
                        && (start.offset..end.offset).contains(&at.offset)
                        && variable.name_location() == capture.name_location()
                })
        });
        if own {
            self.opaque_statement(lambda, "a lambda with objects of its own");
        }
    }

    /// A lambda of the device is passed to a function that may keep it in what it makes.
    pub(super) fn check_kept_lambdas(&mut self, target: Cursor, written: &[Cursor]) {
        let result = target.result_type().canonical().kind();
        let keeps = target.kind() == clang::CXCursor_Constructor
            || matches!(
                result,
                clang::CXType_Record
                    | clang::CXType_Pointer
                    | clang::CXType_LValueReference
                    | clang::CXType_RValueReference
            );
        if !keeps {
            return;
        }
        for argument in written {
            let made = super::expr::strip(*argument);
            if made.kind() == clang::CXCursor_LambdaExpr && super::lambda::is_device_lambda(made) {
                self.check_copies(made);
            }
        }
    }

    /// An object without code here (`std::function`, `std::thread`, the owner of a deleter) gets a lambda, and may call
    /// it at any time with all that it has captured.
    pub(super) fn lambda_kept(&mut self, cursor: Cursor, constructor: Cursor, written: &[Cursor]) {
        if self.unit.function_target(constructor).is_none()
            && written.iter().any(|argument| is_lambda_type(argument.ty()))
        {
            self.opaque_statement(cursor, "a lambda is passed to a constructor without a body");
        }
    }

    /// A lambda that is returned has copies of variables that are gone.
    pub(super) fn check_returned(&mut self, value: Cursor) {
        let ty = value.ty();
        if !is_lambda_type(ty) {
            return;
        }
        let captures_nothing = ty.canonical().declaration().is_some_and(|class| {
            let at = class.name_location();
            self.unit
                .text_from(at.file, at.offset)
                .is_some_and(|text| capture_list(text) == Some(b""))
        });
        if !captures_nothing {
            self.give_up("it returns a lambda with copies of its variables");
        }
    }

    // Whether the local variables that the lambda names, of those that are `wanted`, do not change after it is made.
    fn stay_equal(&mut self, lambda: Cursor, wanted: &dyn Fn(&str) -> bool) -> bool {
        let Some(root) = self.root else { return false };
        let (start, end) = lambda.expanded_range();
        let mut used = Vec::new();
        variables_in(lambda, &mut used);
        let (first, last) = root.expanded_range();
        let mut copied = HashSet::new();
        for variable in used {
            let at = variable.name_location();
            let own = at.file == start.file && (start.offset..end.offset).contains(&at.offset);
            if own || !wanted(&variable.name()) {
                continue;
            }
            // A parameter stands before the body. What is further out belongs to another function.
            let parameter = self.own_parameters.contains(&key(variable));
            let here = at.file == first.file && (first.offset..last.offset).contains(&at.offset);
            if !here && !parameter {
                return false;
            }
            let ty = variable.ty();
            // What a reference names may change out of sight.
            if super::is_reference(ty)
                || super::range_code::copies_by_code(ty, 0)
                || self.unit.copy_in_library(ty, 0)
                || self.destruction_runs_code(ty, 0)
            {
                return false;
            }
            if ty.canonical().is_const() && ty.canonical().kind() != clang::CXType_Record {
                continue;
            }
            copied.insert(key(variable));
        }
        let renames = |other: Cursor| self.unit.renames_references(other);
        let copies = Copies { lambda, variables: &copied, renames: &renames };
        copied.is_empty() || !copies.may_differ(root)
    }
}

impl Unit<'_> {
    fn copied(&self, lambda: Cursor) -> Copied {
        let (start, _) = lambda.expanded_range();
        let Some(list) = self.text_from(start.file, start.offset).and_then(capture_list) else {
            return Copied::Unclear;
        };
        let list = String::from_utf8_lossy(list).into_owned();
        let (mut names, mut all) = (Vec::new(), false);
        for item in list.split(',').map(str::trim) {
            match item {
                "" | "&" | "this" => {}
                "=" => all = true,
                _ if item.contains(|c: char| "=*({.".contains(c)) => return Copied::Unclear,
                _ if item.starts_with('&') => {}
                name => names.push(name.to_owned()),
            }
        }
        match (all, names.is_empty()) {
            (true, _) => Copied::All,
            (false, true) => Copied::Nothing,
            (false, false) => Copied::Named(names),
        }
    }

    /// Whether a lambda gives a reference a name of its own, `[&q = p]`, or may.
    fn renames_references(&self, lambda: Cursor) -> bool {
        let (start, _) = lambda.expanded_range();
        let list = self.text_from(start.file, start.offset).and_then(capture_list);
        list.is_none_or(|list| {
            list.split(|byte| *byte == b',')
                .any(|item| item.contains(&b'=') && (item.contains(&b'&') || item.contains(&b'(')))
        })
    }

    fn text_from(&self, file: usize, offset: u32) -> Option<&[u8]> {
        self.context.files.get(file).map(|text| text.slice(offset, u32::MAX))
    }
}

// What stands between the brackets at the begin of the text, if they are simple.
fn capture_list(text: &[u8]) -> Option<&[u8]> {
    let inner = text.strip_prefix(b"[")?;
    let end = inner.iter().position(|byte| b"[]".contains(byte))?;
    (inner[end] == b']').then(|| inner[..end].trim_ascii())
}

pub(super) fn key(variable: Cursor) -> CursorKey {
    if variable.kind() == clang::CXCursor_ParmDecl {
        variable.key()
    } else {
        variable.canonical().key()
    }
}

// The variables of functions that are named anywhere in it.
pub(super) fn variables_in(cursor: Cursor, found: &mut Vec<Cursor>) {
    if cursor.kind() == clang::CXCursor_DeclRefExpr
        && let Some(target) = cursor.referenced()
        && (target.kind() == clang::CXCursor_ParmDecl
            || (target.kind() == clang::CXCursor_VarDecl
                && target.storage_class() != clang::CX_SC_Static
                && target.semantic_parent().is_some_and(|p| super::is_function(p.kind()))))
    {
        found.push(target);
    }
    for child in cursor.children() {
        variables_in(child, found);
    }
}
