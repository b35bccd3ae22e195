//! What the unit's own files define, before anything is lowered.

use clang_sys as clang;

use crate::clang::{Cursor, Ty};

use super::{Unit, class, is_array, is_dependent_context, types};

impl Unit<'_> {
    /// Finds function definitions in the unit's own files.
    pub(super) fn collect(&mut self, at: Cursor, found: &mut Vec<Cursor>) {
        for child in at.children() {
            if child.in_system_header() {
                continue;
            }
            self.extensions.note(child);
            if child.is_invalid_declaration() && child.kind() != clang::CXCursor_VarDecl {
                self.invalid.insert(super::qualified_name(child));
            }
            match child.kind() {
                clang::CXCursor_FunctionDecl
                | clang::CXCursor_CXXMethod
                | clang::CXCursor_Constructor
                | clang::CXCursor_Destructor
                | clang::CXCursor_ConversionFunction => {
                    self.declared(child);
                    if child.is_definition() && !is_dependent_context(child) {
                        found.push(child);
                    }
                    self.look_into(child);
                    if self.runs_by_itself(child) {
                        self.global_object.get_or_insert(child.name());
                    }
                    let name = child.name();
                    self.replaces_new |= child.kind() == clang::CXCursor_FunctionDecl
                        && (name.starts_with("operator new")
                            || name.starts_with("operator delete"));
                }
                clang::CXCursor_Namespace
                | clang::CXCursor_LinkageSpec
                | clang::CXCursor_UnexposedDecl
                | clang::CXCursor_StructDecl
                | clang::CXCursor_ClassDecl
                | clang::CXCursor_UnionDecl => self.collect(child, found),
                clang::CXCursor_VarDecl => {
                    self.declared(child);
                    if self.runs_code(child.ty()) {
                        self.global_object.get_or_insert(child.name());
                    }
                }
                clang::CXCursor_FunctionTemplate => {
                    self.declared(child);
                    self.look_into(child);
                }
                // Other declarations hold no code that runs by itself. (Initialisers of globals run before `main`:
                // their effects on the variable are unknown to the analysis, which assumes nothing of its value.)
                _ => {}
            }
        }
    }

    /// Takes notice of what stands inside a function.
    fn look_into(&mut self, at: Cursor) {
        for child in at.children() {
            match child.kind() {
                clang::CXCursor_CXXCatchStmt => self.catches = true,
                clang::CXCursor_StructDecl | clang::CXCursor_ClassDecl => {
                    self.extensions.note(child);
                }
                _ => {}
            }
            self.look_into(child);
        }
    }

    /// Constructing or destroying a value of `ty` runs code of the program.
    fn runs_code(&mut self, ty: Ty) -> bool {
        let ty = if is_array(ty) { ty.canonical().element() } else { ty };
        !types::is_trivial(self, ty)
            && class::class(ty).is_none_or(|class| {
                !class.declaration.in_system_header() || self.code_within(ty).is_some()
            })
    }

    /// A function with the attribute `constructor` or `destructor`: it runs before or after `main`.
    fn runs_by_itself(&self, function: Cursor) -> bool {
        let mut attributes = function.children().into_iter();
        attributes.any(|attribute| {
            let (start, end) = attribute.spelled_range();
            attribute.kind() == clang::CXCursor_UnexposedAttr
                // Those of CUDA are macros of the built-in headers.
                && self.text_of(start.file).is_some_and(|text| {
                    let text = String::from_utf8_lossy(text.slice(start.offset, end.offset));
                    text.contains("constructor") || text.contains("destructor")
                })
        })
    }
}
