//! What a class is made of.
//!
//! libclang lists no members of a class that was instantiated implicitly from a template. Its fields come from its layout
//! then, and its special members from the template.

use clang_sys as clang;

use crate::clang::{Cursor, Ty};

use super::Unit;

/// A class definition.
pub(super) struct Class {
    /// The declaration, for its place.
    pub(super) declaration: Cursor,
    /// Non-static data members, in order, with their final types and offsets.
    pub(super) fields: Vec<Cursor>,
    /// Constructors, destructors, member functions and bases as written (in the template, for an instantiation).
    pub(super) members: Vec<Cursor>,
    /// `members` are the template's: their bodies are not those of this class.
    pub(super) from_template: bool,
}

/// The definition of a record type; `None` if it is incomplete.
pub(super) fn class(ty: Ty) -> Option<Class> {
    let ty = ty.canonical();
    let declaration = ty.declaration()?;
    let declaration = declaration.definition().unwrap_or(declaration);
    let own = declaration.children();
    let template = declaration.template().map(|t| t.definition().unwrap_or(t));
    let from_template = template.is_some() && !own.iter().any(|c| is_member(c.kind()));
    let members = match template {
        Some(template) if from_template => template.children(),
        Some(_) | None => own,
    };
    Some(Class { declaration, fields: ty.fields(), members, from_template })
}

fn is_member(kind: clang::CXCursorKind) -> bool {
    matches!(
        kind,
        clang::CXCursor_FieldDecl
            | clang::CXCursor_CXXMethod
            | clang::CXCursor_Constructor
            | clang::CXCursor_Destructor
            | clang::CXCursor_CXXBaseSpecifier
            | clang::CXCursor_FunctionTemplate
    )
}

impl Class {
    /// The destructor that the user wrote.
    pub(super) fn destructor(&self) -> Option<Cursor> {
        self.members
            .iter()
            .copied()
            .find(|c| c.kind() == clang::CXCursor_Destructor && !c.is_defaulted())
    }

    /// The constructor that `T x;` runs, if the user wrote one: all its parameters have defaults, or it may (a template).
    pub(super) fn default_constructor(&self) -> Option<Cursor> {
        self.members.iter().copied().find(|c| match c.kind() {
            clang::CXCursor_Constructor => {
                !c.is_defaulted()
                    && !c.is_copy_constructor()
                    && c.arguments().iter().all(|p| has_default(*p))
            }
            clang::CXCursor_FunctionTemplate => c.name() == self.declaration.name(),
            _ => false,
        })
    }

    /// Whether it, or a class it is made from, has an `operator new` or `operator delete` of its own.
    pub(super) fn allocates_itself(&self) -> bool {
        let own = |member: &Cursor| {
            let name = member.name();
            name.starts_with("operator new") || name.starts_with("operator delete")
        };
        self.members.iter().any(own)
            || self.bases().any(|base| class(base.ty()).is_none_or(|c| c.allocates_itself()))
    }

    /// Base classes.
    pub(super) fn bases(&self) -> impl DoubleEndedIterator<Item = Cursor> + '_ {
        self.members.iter().copied().filter(|c| c.kind() == clang::CXCursor_CXXBaseSpecifier)
    }

    /// Whether it has a table of virtual functions of its own making.
    pub(super) fn has_virtual(&self) -> bool {
        self.members.iter().any(|c| c.kind() == clang::CXCursor_CXXMethod && c.is_virtual())
    }
}

/// Whether an object of class `ty` starts with a table of virtual functions or bases. What is not seen may.
pub(super) fn is_polymorphic(ty: Ty, depth: u32) -> bool {
    let Some(class) = class(ty).filter(|_| depth < 64) else { return true };
    let own = class.members.iter().any(|member| match member.kind() {
        clang::CXCursor_CXXMethod | clang::CXCursor_Destructor => member.is_virtual(),
        clang::CXCursor_CXXBaseSpecifier => member.is_virtual_base(),
        _ => false,
    });
    own || class.bases().any(|base| is_polymorphic(base.ty(), depth + 1))
}

/// Whether a parameter has a default argument. Its children may also be the bounds of an array.
fn has_default(parameter: Cursor) -> bool {
    default_argument(parameter).is_some()
}

/// The default argument that is written at a parameter.
pub(super) fn default_argument(parameter: Cursor) -> Option<Cursor> {
    parameter.initializer().or_else(|| {
        // In a template it is not known yet.
        let written = parameter.children().into_iter().rfind(|c| c.is_expression())?;
        let after_name = written.name_location().offset > parameter.name_location().offset;
        (after_name && !parameter.ty_spells_bounds()).then_some(written)
    })
}

/// The initialiser written at a field.
pub(super) fn field_initializer(field: Cursor) -> Option<Cursor> {
    let mut parts = field.children().into_iter().filter(|c| c.is_expression());
    if field.is_bit_field() {
        // Only its width is shown.
        return None;
    }
    let last = parts.next_back();
    if !super::is_array(field.ty()) {
        return last;
    }
    // The bound of an array is a child too.
    last.filter(|value| {
        matches!(
            super::expr::strip(*value).kind(),
            clang::CXCursor_InitListExpr | clang::CXCursor_StringLiteral
        )
    })
}

impl Unit<'_> {
    /// Whether a bit field has a default that may be more than a literal: libclang does not show it.
    pub(super) fn hides_default(&self, field: Cursor) -> bool {
        if !field.is_bit_field() {
            return false;
        }
        let (start, end) = field.spelled_range();
        let mut shown = field.children().into_iter().map(|part| part.spelled_range().1);
        let Some(width) = shown.next_back().filter(|at| at.file == end.file) else { return true };
        let Some(text) = self.text_of(start.file) else { return !field.in_system_header() };
        start.file != end.file || !is_literal(text.slice(width.offset, end.offset))
    }
}

/// Whether a text holds no names but those of literals.
fn is_literal(text: &[u8]) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    text.split(|byte| !is_word(byte))
        .all(|word| matches!(word, [] | [b'0'..=b'9', ..] | b"true" | b"false"))
}
