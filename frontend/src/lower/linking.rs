//! Names that the linker may give another meaning: weak definitions, and symbols that are named by hand.

use clang_sys as clang;

use crate::clang::Cursor;

use super::Unit;

impl Unit<'_> {
    /// What pragmas say of symbols. `#pragma weak` may name them plain or mangled.
    pub(super) fn symbol_pragmas(&mut self) {
        for (_, text) in self.context.files.iter() {
            for operand in text.directives_named("pragma") {
                let operand = String::from_utf8_lossy(operand.trim_ascii_start());
                if let Some(names) = operand.strip_prefix("weak") {
                    self.weak_symbols.push(names.to_owned());
                }
                if let Some(names) = operand.strip_prefix("redefine_extname") {
                    self.second_name.get_or_insert(names.trim().to_owned());
                }
            }
        }
    }

    /// A declaration at namespace scope or in a class, for what it says of other declarations of its name.
    pub(super) fn declared(&mut self, declaration: Cursor) {
        if declaration.kind() == clang::CXCursor_VarDecl {
            if has_attribute(declaration, &["alias(", "asm("]) {
                self.second_name.get_or_insert(declaration.name());
            }
        } else if has_attribute(declaration, &["weak", "gnu_inline"]) {
            self.weak.insert(declaration.canonical().key());
        }
    }

    /// Where one declaration of a name did not resolve, calls may have been taken for those of another.
    pub(super) fn doubt_overloads(&mut self) {
        let invalid = &self.invalid;
        for function in &mut self.program.functions {
            if invalid.contains(&function.name) {
                let why = "another declaration of its name did not resolve";
                function.opaque.get_or_insert_with(|| why.to_owned());
            }
        }
    }

    /// Whether another file's definition of `function` may run instead of this one. With `gnu_inline` this one is for
    /// inlining only.
    pub(super) fn is_weak(&self, function: Cursor) -> bool {
        let said = |declaration: Cursor| {
            has_attribute(declaration, &["weak", "gnu_inline"])
                || self.weak.contains(&declaration.canonical().key())
        };
        let name = function.name();
        said(function)
            || function.template().is_some_and(said)
            || self.weak_symbols.iter().any(|symbols| symbols.contains(&name))
    }
}

/// Whether one of the attributes of which libclang tells no kind holds one of `words`.
fn has_attribute(declaration: Cursor, words: &[&str]) -> bool {
    let untold = |child: &Cursor| {
        matches!(child.kind(), clang::CXCursor_UnexposedAttr | clang::CXCursor_AsmLabelAttr)
    };
    declaration.children().iter().any(untold) && {
        let written = declaration.written();
        words.iter().any(|word| written.contains(word))
    }
}
