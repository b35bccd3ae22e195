//! Which code of the program a range `for` runs that libclang does not show: the iterator's functions, conversions, copies.

use clang_sys as clang;

use crate::clang::{Cursor, Ty};

use super::body::Body;
use super::class;
use super::types::is_number;

impl Body<'_, '_> {
    /// Why the loop may do more than its body and visiting elements does; `None` if it certainly does not.
    pub(super) fn code_of_range(
        &mut self,
        cursor: Cursor,
        variable: Cursor,
        is_array: bool,
    ) -> Option<&'static str> {
        let (start, _) = cursor.spelled_range();
        let (from, _) = cursor.expanded_range();
        let header =
            (start == from).then(|| self.unit.text_of(start.file)?.header(start.offset)).flatten();
        match header {
            Some((semicolons, _)) if semicolons.is_empty() => {}
            Some(_) | None => return Some("a range `for` that may start with a statement"),
        }
        let Some(element) = variable.initializer() else {
            return Some("a range `for` whose elements are not seen");
        };
        if !is_array && !iterates_in_library(element) {
            return Some("a range `for` that runs an iterator of the program");
        }
        let ty = variable.ty();
        if !is_array && holds_its_elements(element) && !is_number(ty) {
            return Some("a range `for` over a list that holds its elements");
        }
        let made = !super::is_reference(ty);
        if (made && !super::types::is_trivial(self.unit, ty) && is_of_program(ty))
            || makes_object(element)
        {
            return Some("a range `for` that runs a constructor or a destructor for each element");
        }
        None
    }
}

/// Whether the iterator that `element` reads is a library's, from a range of the library.
fn iterates_in_library(element: Cursor) -> bool {
    let Some(iterator) = hidden_iterator(element, 0) else { return false };
    let ty = iterator.ty().canonical();
    let of_library = ty.kind() == clang::CXType_Pointer
        || ty.declaration().is_some_and(Cursor::in_system_header);
    // Views run what they were made with.
    let name = ty.name();
    of_library
        && !name.contains("ranges::")
        && !name.contains("_view<")
        && iterator.initializer().is_some_and(|begin| calls_library_only(begin, 0))
}

/// Whether the range is a plain list, which nothing was called to fill: what its elements point to is not followed.
fn holds_its_elements(element: Cursor) -> bool {
    let range = hidden_iterator(element, 0)
        .and_then(|iterator| iterator.initializer())
        .and_then(|begin| begin.children().first().copied());
    let Some(range) = range else { return true };
    fn names_list(at: Cursor, depth: u32) -> bool {
        let name = at.ty().canonical().name();
        name.contains("initializer_list<")
            || name.contains("array<")
            || (depth < 32 && at.children().into_iter().any(|child| names_list(child, depth + 1)))
    }
    names_list(range, 0)
}

/// The variable that the compiler makes for the iterator.
fn hidden_iterator(at: Cursor, depth: u32) -> Option<Cursor> {
    if at.kind() == clang::CXCursor_DeclRefExpr
        && let Some(target) = at.referenced()
        && target.kind() == clang::CXCursor_VarDecl
        && target.name().starts_with("__begin")
    {
        return Some(target);
    }
    if depth > 32 {
        return None;
    }
    at.children().into_iter().find_map(|child| hidden_iterator(child, depth + 1))
}

fn calls_library_only(at: Cursor, depth: u32) -> bool {
    if depth > 32 {
        return false;
    }
    let own = at.kind() == clang::CXCursor_CallExpr
        && !at.referenced().is_some_and(|f| f.in_system_header() || f.is_defaulted());
    !own && at.children().into_iter().all(|child| calls_library_only(child, depth + 1))
}

/// Whether reading `element` constructs or converts by code of the program.
fn makes_object(element: Cursor) -> bool {
    fn find(at: Cursor, depth: u32) -> bool {
        if depth > 32 {
            return true;
        }
        let own = at.kind() == clang::CXCursor_CallExpr
            && match at.referenced() {
                Some(function) if function.in_system_header() => false,
                Some(function) if function.is_defaulted() => copies_by_code(at.ty(), 0),
                Some(_) | None => true,
            };
        own || at.children().into_iter().any(|child| find(child, depth + 1))
    }
    find(element, 0)
}

/// Whether copying a value of `ty` runs a constructor of the program.
pub(super) fn copies_by_code(ty: Ty, depth: u32) -> bool {
    let ty = ty.canonical();
    match ty.kind() {
        clang::CXType_ConstantArray => copies_by_code(ty.element(), depth),
        clang::CXType_Record if depth > 8 => true,
        clang::CXType_Record => {
            if !is_of_program(ty) {
                return false;
            }
            let Some(class) = class::class(ty) else { return true };
            class.members.iter().any(|m| {
                m.kind() == clang::CXCursor_Constructor
                    && m.is_copy_constructor()
                    && !m.is_defaulted()
            }) || class.fields.iter().any(|field| copies_by_code(field.ty(), depth + 1))
                || class.bases().any(|base| copies_by_code(base.ty(), depth + 1))
        }
        _ => false,
    }
}

fn is_of_program(ty: Ty) -> bool {
    let ty = ty.canonical();
    ty.kind() == clang::CXType_Record && !ty.declaration().is_some_and(Cursor::in_system_header)
}
