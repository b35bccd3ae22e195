//! Code of the program that the library runs for the classes it is used with.
//!
//! `v.push_back(x)` runs the copy constructor of `x`, `std::sort` the `operator<` of its elements, `p.reset()` a destructor,
//! `out << 1` a stream buffer: none of these calls is in the text. What such code may do beyond computing with its own
//! numbers ([`super::plain_code`]) makes the call opaque.

use std::collections::HashSet;

use clang_sys as clang;

use crate::clang::{Cursor, CursorKey, Ty};

use super::body::Body;
use super::capture::is_lambda_class;
use super::class::{Class, class};
use super::plain_code::innermost;
use super::{Unit, qualified_name};

/// Functions that the library finds by the types of their arguments.
const FOUND_BY_TYPE: [&str; 19] = [
    "abs",
    "begin",
    "cbegin",
    "cend",
    "crbegin",
    "crend",
    "data",
    "empty",
    "end",
    "get",
    "hash_value",
    "iter_move",
    "iter_swap",
    "rbegin",
    "rend",
    "size",
    "ssize",
    "swap",
    "tag_invoke",
];

/// What of a class the library may run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Uses {
    /// Anything.
    All,
    /// What destroying a value runs: destructors, deleters and allocators.
    Destruction,
}

/// What the unit's own files give to the library, beside members of the classes it is used with.
#[derive(Default)]
pub(super) struct Extensions {
    /// Operators, and functions found by the types of their arguments.
    pub(super) functions: Vec<Cursor>,
    /// What is declared in namespace `std`: specialisations and overloads.
    pub(super) in_std: Vec<Cursor>,
    /// Classes with base classes.
    pub(super) derived: Vec<Cursor>,
}

impl Extensions {
    /// Takes notice of a declaration of the unit's own files.
    pub(super) fn note(&mut self, declaration: Cursor) {
        let in_std = declaration.semantic_parent().is_some_and(|parent| {
            parent.kind() == clang::CXCursor_Namespace && parent.name() == "std"
        });
        match declaration.kind() {
            clang::CXCursor_FunctionDecl | clang::CXCursor_FunctionTemplate => {
                let name = declaration.name();
                if name.starts_with("operator") || FOUND_BY_TYPE.contains(&name.as_str()) {
                    self.functions.push(declaration);
                }
                if in_std {
                    self.in_std.push(declaration);
                }
            }
            clang::CXCursor_StructDecl
            | clang::CXCursor_ClassDecl
            | clang::CXCursor_ClassTemplate
            | clang::CXCursor_ClassTemplatePartialSpecialization => {
                if in_std {
                    self.in_std.push(declaration);
                }
                let has_base = |c: &Cursor| c.kind() == clang::CXCursor_CXXBaseSpecifier;
                if declaration.children().iter().any(has_base) {
                    self.derived.push(declaration);
                }
            }
            _ => {}
        }
    }
}

impl Body<'_, '_> {
    /// The call `cursor` of the library's `target` may run code of the program: then it may do anything.
    pub(super) fn check_library_call(
        &mut self,
        cursor: Cursor,
        target: Cursor,
        written: &[Cursor],
    ) {
        let mut types = vec![cursor.ty(), target.result_type()];
        types.extend(target.template_arguments());
        let class = target.semantic_parent().filter(|parent| {
            matches!(parent.kind(), clang::CXCursor_ClassDecl | clang::CXCursor_StructDecl)
        });
        types.extend(class.map(Cursor::ty));
        for argument in written {
            types.push(argument.ty());
            types.push(innermost(*argument).ty());
        }
        let code = types.into_iter().find_map(|ty| self.unit.code_within(ty));
        if let Some(code) = code {
            let name = qualified_name(target);
            self.opaque_statement(cursor, &format!("`{name}` may run `{code}`"));
        }
    }
}

impl Unit<'_> {
    /// A function of the program, not a plain one, that the library may run when it handles values of `ty`.
    pub(super) fn code_within(&mut self, ty: Ty) -> Option<String> {
        self.code_of(ty, Uses::All)
    }

    /// The same, where the library destroys a value of `ty`.
    pub(super) fn code_of_destruction(&mut self, ty: Ty) -> Option<String> {
        self.code_of(ty, Uses::Destruction)
    }

    /// Whether `ty` has a part of a class of the library that runs code of the program when it is copied.
    pub(super) fn copy_in_library(&mut self, ty: Ty, depth: u32) -> bool {
        let ty = underlying_array(ty);
        if ty.kind() != clang::CXType_Record {
            return false;
        }
        let Some(class) = class(ty) else { return true };
        if class.declaration.in_system_header() {
            return self.code_within(ty).is_some();
        }
        let bases: Vec<Cursor> = class.bases().collect();
        depth > 8
            || class
                .fields
                .iter()
                .chain(&bases)
                .any(|part| self.copy_in_library(part.ty(), depth + 1))
    }

    fn code_of(&mut self, ty: Ty, uses: Uses) -> Option<String> {
        let key = (ty.canonical().key(), uses == Uses::Destruction);
        if let Some(known) = self.judged.of_type(&key) {
            return known;
        }
        let found = if self.judged.begin() {
            self.code_of_type(ty, uses, &mut HashSet::new())
        } else {
            Some(ty.name())
        };
        self.judged.end_type(key, found.as_ref());
        found
    }

    fn code_of_type(
        &mut self,
        ty: Ty,
        uses: Uses,
        seen: &mut HashSet<CursorKey>,
    ) -> Option<String> {
        let ty = ty.canonical();
        match ty.kind() {
            clang::CXType_Pointer
            | clang::CXType_LValueReference
            | clang::CXType_RValueReference => self.code_of_type(ty.pointee(), uses, seen),
            clang::CXType_ConstantArray
            | clang::CXType_IncompleteArray
            | clang::CXType_VariableArray => self.code_of_type(ty.element(), uses, seen),
            clang::CXType_Enum => {
                let declaration = ty.declaration()?;
                if declaration.in_system_header() || uses == Uses::Destruction {
                    return None;
                }
                self.code_beside(declaration)
            }
            clang::CXType_Record => self.code_of_class(ty, uses, seen),
            _ => None,
        }
    }

    fn code_of_class(
        &mut self,
        ty: Ty,
        uses: Uses,
        seen: &mut HashSet<CursorKey>,
    ) -> Option<String> {
        // What lambdas do is known where they are given to the library.
        let declaration = ty.declaration()?;
        if is_lambda_class(declaration) || !seen.insert(declaration.canonical().key()) {
            return None;
        }
        for argument in ty.template_arguments() {
            if let Some(code) = self.code_of_type(argument, uses, seen) {
                return Some(code);
            }
        }
        let class = class(ty)?;
        if class.has_virtual()
            || class
                .members
                .iter()
                .any(|m| m.kind() == clang::CXCursor_Destructor && m.is_virtual())
        {
            let name = plain_class_name(ty);
            let derived = self.extensions.derived.clone();
            let code = derived
                .into_iter()
                .filter(|declaration| stands_in_for(*declaration, &name, 0))
                .find_map(|declaration| self.code_of_members(&declaration.children(), Uses::All));
            if code.is_some() {
                return code;
            }
        }
        if class.declaration.in_system_header() {
            return None;
        }
        self.code_of_own_class(&class, uses, seen)
    }

    fn code_of_own_class(
        &mut self,
        class: &Class,
        uses: Uses,
        seen: &mut HashSet<CursorKey>,
    ) -> Option<String> {
        let own = self.code_of_members(&class.members, uses);
        if own.is_some() {
            return own;
        }
        let parts: Vec<Ty> =
            class.fields.iter().copied().chain(class.bases()).map(Cursor::ty).collect();
        for part in parts {
            let is_object = !matches!(
                part.canonical().kind(),
                clang::CXType_Pointer
                    | clang::CXType_LValueReference
                    | clang::CXType_RValueReference
            );
            if is_object && let Some(code) = self.code_of_type(part, uses, seen) {
                return Some(code);
            }
        }
        if uses == Uses::Destruction { None } else { self.code_beside(class.declaration) }
    }

    /// The first of the members that is not plain.
    fn code_of_members(&mut self, members: &[Cursor], uses: Uses) -> Option<String> {
        let is_service = members.iter().any(|m| {
            let name = m.name();
            name == "deallocate" || name == "operator()"
        });
        members.iter().copied().find_map(|member| {
            let function = match member.kind() {
                clang::CXCursor_CXXMethod
                | clang::CXCursor_Constructor
                | clang::CXCursor_ConversionFunction
                | clang::CXCursor_FunctionTemplate
                    if uses == Uses::All || is_service =>
                {
                    member
                }
                clang::CXCursor_Destructor => member,
                // Of a friend the function follows.
                clang::CXCursor_FriendDecl if uses == Uses::All => {
                    let inner = member.children();
                    let function = inner.into_iter().find(|c| super::is_function(c.kind()))?;
                    function.is_definition().then_some(function)?
                }
                _ => return None,
            };
            (!self.is_plain(function, 0)).then(|| qualified_name(function))
        })
    }

    /// What the program declares beside a class or an enumeration for the library to find.
    fn code_beside(&mut self, declaration: Cursor) -> Option<String> {
        let key = declaration.canonical().key();
        let template = declaration.template().map(|t| t.canonical().key());
        let functions = self.extensions.functions.clone();
        for function in functions {
            let takes = function.kind() == clang::CXCursor_FunctionTemplate
                || function.arguments().iter().any(|parameter| {
                    let at = underlying(parameter.ty()).declaration();
                    at.is_some_and(|d| {
                        d.canonical().key() == key
                            || (template.is_some()
                                && d.template().map(|t| t.canonical().key()) == template)
                    })
                });
            if takes && !self.is_plain(function, 0) {
                return Some(qualified_name(function));
            }
        }
        let in_std = self.extensions.in_std.clone();
        in_std.into_iter().find_map(|extension| {
            if super::is_function(extension.kind()) {
                return (!self.is_plain(extension, 0)).then(|| qualified_name(extension));
            }
            self.code_of_members(&extension.children(), Uses::All)
        })
    }
}

/// Whether an object of the class `declaration` may be behind a pointer to a `name`, or behind a stream.
fn stands_in_for(declaration: Cursor, name: &str, depth: u32) -> bool {
    let bases = declaration.children().into_iter();
    bases.filter(|c| c.kind() == clang::CXCursor_CXXBaseSpecifier).any(|base| {
        let own = plain_class_name(base.ty());
        depth > 16
            || own == name
            || (is_of_streams(name) && is_of_streams(&own))
            // A base that depends on a template's parameter may be anything.
            || class(base.ty()).is_none_or(|c| stands_in_for(c.declaration, name, depth + 1))
    })
}

/// Streams run their buffers, and both the parts of a locale.
fn is_of_streams(name: &str) -> bool {
    name.strip_prefix("std::").is_some_and(|name| {
        let name = name.trim_start_matches("__cxx11::");
        name.starts_with("basic_") && !name.starts_with("basic_string")
            || name.starts_with("basic_stringbuf")
            || name.starts_with("basic_stringstream")
            || name.starts_with("ios_base")
            || name.starts_with("locale")
            || ["ctype", "codecvt", "num_", "money_", "time_", "collate", "messages"]
                .iter()
                .any(|facet| name.starts_with(facet))
    })
}

/// The name of a class without its template arguments.
fn plain_class_name(ty: Ty) -> String {
    let name = ty.canonical().name();
    let name = name.trim_start_matches("const ");
    name.split('<').next().unwrap_or(name).to_owned()
}

/// The type of the elements of arrays of arrays.
fn underlying_array(ty: Ty) -> Ty {
    let mut at = ty.canonical();
    while let clang::CXType_ConstantArray = at.kind() {
        at = at.element().canonical();
    }
    at
}

/// Without references, pointers and arrays.
fn underlying(ty: Ty) -> Ty {
    let mut at = ty.canonical();
    for _ in 0..16 {
        at = match at.kind() {
            clang::CXType_Pointer
            | clang::CXType_LValueReference
            | clang::CXType_RValueReference => at.pointee().canonical(),
            clang::CXType_ConstantArray | clang::CXType_IncompleteArray => at.element().canonical(),
            _ => return at,
        };
    }
    at
}
