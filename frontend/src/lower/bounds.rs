//! Arrays of variable length: their bounds run where the type is written.

use clang_sys as clang;

use crate::clang::{Cursor, Ty};

use super::body::Body;

impl Body<'_, '_> {
    /// Runs the bounds in the type that `cursor` (a declaration, a cast, a `sizeof`) spells out; `value` is what else it holds.
    pub(super) fn bounds(&mut self, cursor: Cursor, value: Option<Cursor>) {
        // A `sizeof` of known value is not asked about.
        if cursor.kind() != clang::CXCursor_UnaryExpr && !has_variable_bound(cursor.ty()) {
            return;
        }
        self.run_bounds(cursor, value);
    }

    /// The bounds in the type of a parameter: its outermost array is a pointer, but that bound runs too.
    pub(super) fn parameter_bounds(&mut self, parameter: Cursor) {
        // A default argument runs in the caller.
        let default = parameter.initializer().map(Cursor::expanded_range);
        let runs = parameter.children().into_iter().any(|c| {
            c.is_expression()
                && default.as_ref() != Some(&c.expanded_range())
                && self.has_effects(c)
        });
        if runs {
            self.opaque_statement(parameter, "a parameter whose type runs code");
        }
    }

    fn run_bounds(&mut self, cursor: Cursor, value: Option<Cursor>) {
        let given = value.map(Cursor::expanded_range);
        let mut last = None;
        for child in cursor.children() {
            let range = child.expanded_range();
            // libclang may list a bound twice.
            if child.is_expression()
                && given.as_ref() != Some(&range)
                && last.as_ref() != Some(&range)
            {
                last = Some(range);
                if self.has_effects(child) || self.dereferences(child) {
                    self.discard(child);
                }
            }
        }
    }
}

/// Whether an array of variable length is in `ty`.
fn has_variable_bound(ty: Ty) -> bool {
    let mut at = ty.canonical();
    // Types nest no deeper than expressions do.
    for _ in 0..256 {
        at = match at.kind() {
            clang::CXType_VariableArray => return true,
            clang::CXType_Pointer
            | clang::CXType_LValueReference
            | clang::CXType_RValueReference => at.pointee(),
            clang::CXType_ConstantArray | clang::CXType_IncompleteArray => at.element(),
            _ => return false,
        };
    }
    true
}
