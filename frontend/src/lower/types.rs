//! Types, interned by their canonical, unqualified form.

use echo_dataflow::program::{Type as ProgramType, TypeId, TypeKind};

use super::session::Session;
use crate::clang::{Type, TypeShape};

impl<'tu> Session<'tu> {
    /// The program type of `ty`; references become pointers.
    pub(crate) fn ty(&mut self, ty: Type<'tu>) -> TypeId {
        if let Some(id) = self.types.get(&ty.key()) {
            return *id;
        }
        let canonical = ty.canonical().unqualified();
        if let Some(&id) = self.types.get(&canonical.key()) {
            self.types.insert(ty.key(), id);
            return id;
        }
        // Interned before its parts, since a class may point to itself.
        let id = TypeId::new(self.program.types.len());
        self.program.types.push(ProgramType {
            spelling: canonical.spelling(),
            bytes: None,
            kind: TypeKind::Unknown,
        });
        self.types.insert(canonical.key(), id);
        self.types.insert(ty.key(), id);
        let (bytes, kind) = self.shape(canonical);
        let entry = &mut self.program.types[id.index()];
        entry.bytes = bytes;
        entry.kind = kind;
        id
    }

    fn shape(&mut self, ty: Type<'tu>) -> (Option<u64>, TypeKind) {
        let bytes = ty.size();
        let kind = match ty.shape() {
            TypeShape::Void => return (None, TypeKind::Void),
            TypeShape::Bool | TypeShape::Unsigned => TypeKind::Integer { signed: false },
            TypeShape::Signed => TypeKind::Integer { signed: true },
            TypeShape::Enum => TypeKind::Integer { signed: true },
            TypeShape::Float | TypeShape::Complex | TypeShape::Vector => TypeKind::Float,
            TypeShape::NullPointer => {
                let to = self.void_type();
                return (Some(8), TypeKind::Pointer { to });
            }
            TypeShape::Pointer | TypeShape::LValueReference | TypeShape::RValueReference => {
                let to = match ty.pointee() {
                    Some(pointee) => self.ty(pointee),
                    None => self.void_type(),
                };
                return (Some(8), TypeKind::Pointer { to });
            }
            TypeShape::Record => {
                let record = self.record(ty);
                TypeKind::Record {
                    trivial: record.as_ref().is_some_and(|r| r.is_trivial()),
                    union: record.as_ref().is_some_and(|r| r.union),
                    may_hold_pointers: record.as_ref().is_none_or(|r| r.may_hold_pointers),
                }
            }
            TypeShape::ConstantArray | TypeShape::OtherArray => match ty.element() {
                Some(element) => TypeKind::Array { of: self.ty(element), count: ty.count() },
                None => TypeKind::Unknown,
            },
            TypeShape::Function | TypeShape::MemberPointer => TypeKind::Function,
            TypeShape::Dependent | TypeShape::Other(_) => TypeKind::Unknown,
        };
        (bytes, kind)
    }

    /// `void`.
    pub(crate) fn void_type(&mut self) -> TypeId {
        self.plain_type("void", None, TypeKind::Void)
    }

    /// `int`.
    pub(crate) fn int_type(&mut self) -> TypeId {
        self.plain_type("int", Some(4), TypeKind::Integer { signed: true })
    }

    /// `unsigned int`.
    pub(crate) fn unsigned_type(&mut self) -> TypeId {
        self.plain_type("unsigned int", Some(4), TypeKind::Integer { signed: false })
    }

    /// `T *` for the type `to`.
    pub(crate) fn pointer_to(&mut self, to: TypeId) -> TypeId {
        let spelling = format!("{} *", self.program.types[to.index()].spelling);
        self.plain_type(&spelling, Some(8), TypeKind::Pointer { to })
    }

    fn plain_type(&mut self, spelling: &str, bytes: Option<u64>, kind: TypeKind) -> TypeId {
        let made = ProgramType { spelling: spelling.to_owned(), bytes, kind };
        match self.program.types.iter().position(|t| *t == made) {
            Some(index) => TypeId::new(index),
            None => {
                self.program.types.push(made);
                TypeId::new(self.program.types.len() - 1)
            }
        }
    }

    /// Whether `ty` is a class or array type: handled by place, not by value.
    pub(crate) fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(
            self.program.types[ty.index()].kind,
            TypeKind::Record { .. } | TypeKind::Array { .. }
        )
    }
}
