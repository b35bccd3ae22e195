//! What is known of a class: its parts, and which of its special members run code.

use std::rc::Rc;

use super::lexer;
use super::session::{Session, Special};
use super::spans::Ownership;
use crate::clang::{Cursor, Kind, Type, TypeShape};

/// A class, struct or union.
#[derive(Debug)]
pub(crate) struct Record<'tu> {
    /// Its definition.
    pub(crate) declaration: Cursor<'tu>,
    pub(crate) ty: Type<'tu>,
    /// Defined in a system header: its members are external.
    pub(crate) system: bool,
    pub(crate) union: bool,
    pub(crate) bases: Vec<Base<'tu>>,
    pub(crate) fields: Vec<Field<'tu>>,
    pub(crate) may_hold_pointers: bool,
    /// Special members that the user wrote (not `= default`).
    provided: Vec<(Special, Cursor<'tu>)>,
    /// Special members of class template instantiations could not be listed (libclang before 21).
    members_unknown: bool,
    polymorphic: bool,
    /// Every part's counterpart of each special member is trivial, indexed by [`index`].
    parts_trivial: [bool; 6],
    pod: bool,
}

/// A base class.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Base<'tu> {
    pub(crate) ty: Type<'tu>,
    pub(crate) offset: Option<u64>,
}

/// A field, and its default initialiser.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'tu> {
    pub(crate) cursor: Cursor<'tu>,
    pub(crate) default: FieldDefault<'tu>,
}

/// `int x = 3;` in a class.
#[derive(Debug, Clone, Copy)]
pub(crate) enum FieldDefault<'tu> {
    /// None written.
    Absent,
    /// Its expression.
    Expression(Cursor<'tu>),
    /// Written, but not in the tree (not instantiated).
    Unseen,
}

/// How a special member of a class is carried out.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Member<'tu> {
    /// No code runs (a copy copies the bytes).
    Trivial,
    /// Code of a system header.
    System,
    /// Code the user wrote.
    User(Cursor<'tu>),
    /// Written by the compiler: member by member.
    Implicit,
    /// Cannot be told.
    Unknown,
}

const ALL: [Special; 6] = [
    Special::DefaultConstructor,
    Special::CopyConstructor,
    Special::MoveConstructor,
    Special::CopyAssignment,
    Special::MoveAssignment,
    Special::Destructor,
];

fn index(special: Special) -> usize {
    match special {
        Special::DefaultConstructor => 0,
        Special::CopyConstructor => 1,
        Special::MoveConstructor => 2,
        Special::CopyAssignment => 3,
        Special::MoveAssignment => 4,
        Special::Destructor => 5,
    }
}

impl<'tu> Record<'tu> {
    /// Constructing and destroying it runs no code.
    pub(crate) fn is_trivial(&self) -> bool {
        matches!(self.member(Special::DefaultConstructor), Member::Trivial)
            && matches!(self.member(Special::Destructor), Member::Trivial)
    }

    /// It has virtual functions.
    pub(crate) fn is_polymorphic(&self) -> bool {
        self.polymorphic
    }

    /// How `special` is carried out.
    pub(crate) fn member(&self, special: Special) -> Member<'tu> {
        if self.pod {
            return Member::Trivial;
        }
        let provided = |s: Special| self.provided.iter().find(|(p, _)| *p == s).map(|(_, c)| *c);
        // A class without a move of its own is copied instead.
        let fallback = match special {
            Special::MoveConstructor => Some(Special::CopyConstructor),
            Special::MoveAssignment => Some(Special::CopyAssignment),
            Special::DefaultConstructor
            | Special::CopyConstructor
            | Special::CopyAssignment
            | Special::Destructor => None,
        };
        if self.system {
            let user = provided(special).or_else(|| fallback.and_then(provided)).is_some();
            // Default member initialisers of system classes are not looked at.
            let told = special != Special::DefaultConstructor && !self.members_unknown;
            return if told && !user && self.parts_trivial[index(special)] {
                Member::Trivial
            } else {
                Member::System
            };
        }
        if let Some(cursor) = provided(special).or_else(|| fallback.and_then(provided)) {
            return Member::User(cursor);
        }
        if self.members_unknown {
            return Member::Unknown;
        }
        let sets_table = self.polymorphic && special == Special::DefaultConstructor;
        if self.parts_trivial[index(special)] && !sets_table {
            Member::Trivial
        } else if self.union {
            Member::Unknown
        } else {
            Member::Implicit
        }
    }
}

impl<'tu> Session<'tu> {
    /// The class that `ty` is; `None` if it is none or is incomplete.
    pub(crate) fn record(&mut self, ty: Type<'tu>) -> Option<Rc<Record<'tu>>> {
        if ty.shape() != TypeShape::Record {
            return None;
        }
        let declaration = ty.canonical().declaration()?;
        let declaration = declaration.definition().unwrap_or(declaration);
        let key = declaration.key();
        if let Some(record) = self.records.get(&key) {
            return Some(Rc::clone(record));
        }
        let record = Rc::new(self.build_record(declaration, ty.canonical()));
        self.records.insert(key, Rc::clone(&record));
        Some(record)
    }

    fn build_record(&mut self, declaration: Cursor<'tu>, ty: Type<'tu>) -> Record<'tu> {
        let system = self.spans.ownership(declaration.location()) == Ownership::System;
        let instantiated = declaration.specialized_template().is_some();
        let children = declaration.children();
        let specifiers: Vec<Cursor<'tu>> = match ty.bases() {
            Some(bases) => bases,
            None => {
                children.iter().copied().filter(|c| c.kind() == Kind::CXXBaseSpecifier).collect()
            }
        };
        let bases: Vec<Base<'tu>> = specifiers
            .into_iter()
            .map(|base| Base {
                ty: base.ty().canonical(),
                offset: if base.is_virtual_base() {
                    None
                } else {
                    declaration.offset_of_base(base)
                },
            })
            .collect();
        let fields: Vec<Field<'tu>> = ty
            .fields()
            .into_iter()
            .map(|cursor| Field {
                cursor,
                default: if system { FieldDefault::Absent } else { self.field_default(cursor) },
            })
            .collect();
        let (members, members_unknown) = match ty.methods() {
            Some(methods) => (methods, false),
            None => (children.iter().copied().collect(), instantiated),
        };
        let mut provided = Vec::new();
        let mut polymorphic = false;
        for member in members {
            polymorphic |=
                matches!(member.kind(), Kind::CXXMethod | Kind::Destructor) && member.is_virtual();
            if member.is_deleted() || member.is_defaulted() {
                continue;
            }
            if let Some(special) = special_of(member) {
                provided.push((special, member));
            }
        }
        let mut record = Record {
            declaration,
            ty,
            system,
            union: declaration.kind() == Kind::UnionDecl,
            may_hold_pointers: false,
            provided,
            members_unknown,
            polymorphic,
            parts_trivial: [true; 6],
            pod: ty.is_pod(),
            bases,
            fields,
        };
        self.judge_parts(&mut record);
        record
    }

    fn judge_parts(&mut self, record: &mut Record<'tu>) {
        let mut parts: Vec<Type<'tu>> = record.bases.iter().map(|b| b.ty).collect();
        parts.extend(record.fields.iter().map(|f| f.cursor.ty()));
        for part in parts {
            let part = innermost_element(part);
            match part.shape() {
                TypeShape::Record => match self.record(part) {
                    Some(inner) => {
                        for special in ALL {
                            let trivial = matches!(inner.member(special), Member::Trivial);
                            record.parts_trivial[index(special)] &= trivial;
                        }
                        record.may_hold_pointers |= inner.may_hold_pointers;
                    }
                    None => {
                        record.parts_trivial = [false; 6];
                        record.may_hold_pointers = true;
                    }
                },
                TypeShape::Pointer
                | TypeShape::LValueReference
                | TypeShape::RValueReference
                | TypeShape::Dependent
                | TypeShape::Other(_) => record.may_hold_pointers = true,
                TypeShape::Void
                | TypeShape::Bool
                | TypeShape::Unsigned
                | TypeShape::Signed
                | TypeShape::Float
                | TypeShape::Complex
                | TypeShape::NullPointer
                | TypeShape::Enum
                | TypeShape::Function
                | TypeShape::MemberPointer
                | TypeShape::ConstantArray
                | TypeShape::OtherArray
                | TypeShape::Vector => {}
            }
        }
        if record.fields.iter().any(|f| !matches!(f.default, FieldDefault::Absent)) {
            record.parts_trivial[index(Special::DefaultConstructor)] = false;
        }
        if record.bases.iter().any(|b| b.offset.is_none()) {
            record.members_unknown |= !record.system;
        }
    }

    fn field_default(&mut self, field: Cursor<'tu>) -> FieldDefault<'tu> {
        let Some(source) = self.spans.source(field) else { return FieldDefault::Absent };
        let text = self.spans.text(source.span.file);
        let name_at = field.location().spelling().offset as usize;
        let mut at = name_at + field.spelling().len();
        if !text[name_at.min(text.len())..].starts_with(field.spelling().as_bytes()) {
            return FieldDefault::Unseen;
        }
        let written = loop {
            let Some(piece) = lexer::next(text, at) else { break false };
            match text[piece.start] {
                b'[' => at = lexer::closing(text, piece.start).unwrap_or(text.len()),
                // A bit-field's width may be followed by an initialiser.
                b':' => at = lexer::next(text, piece.end).map_or(text.len(), |w| w.end),
                b'=' | b'{' => break true,
                _ => break false,
            }
        };
        if !written {
            return FieldDefault::Absent;
        }
        let last = field.children().last().copied();
        match last {
            Some(value)
                if value.is_expression()
                    && value.location().spelling().offset as usize >= at
                    && !value.is_dependent() =>
            {
                FieldDefault::Expression(value)
            }
            _ => FieldDefault::Unseen,
        }
    }
}

/// The element type of an array of arrays, or the type itself.
pub(crate) fn innermost_element(ty: Type<'_>) -> Type<'_> {
    let mut ty = ty.canonical();
    while let (TypeShape::ConstantArray | TypeShape::OtherArray, Some(element)) =
        (ty.shape(), ty.element())
    {
        ty = element.canonical();
    }
    ty
}

/// Which special member a declaration is.
pub(crate) fn special_of(member: Cursor<'_>) -> Option<Special> {
    match member.kind() {
        Kind::Destructor => Some(Special::Destructor),
        Kind::Constructor if member.is_copy_constructor() => Some(Special::CopyConstructor),
        Kind::Constructor if member.is_move_constructor() => Some(Special::MoveConstructor),
        Kind::Constructor if member.is_default_constructor() => Some(Special::DefaultConstructor),
        Kind::CXXMethod if member.is_copy_assignment() => Some(Special::CopyAssignment),
        Kind::CXXMethod if member.is_move_assignment() => Some(Special::MoveAssignment),
        _ => None,
    }
}
