//! Types.

use std::marker::PhantomData;

use clang_sys::*;

use super::{Cursor, Kind, TranslationUnit, TypeShape, unit};

/// A type of a translation unit.
#[derive(Debug, Clone, Copy)]
pub struct Type<'tu> {
    pub(super) raw: CXType,
    pub(super) unit: PhantomData<&'tu TranslationUnit>,
}

/// Identity of a type within its unit, including its qualifiers and sugar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TypeKey(usize);

impl<'tu> Type<'tu> {
    pub(super) fn wrap(raw: CXType) -> Self {
        Self { raw, unit: PhantomData }
    }

    /// Identity.
    #[must_use]
    pub fn key(self) -> TypeKey {
        TypeKey(self.raw.data[0] as usize)
    }

    /// Shape of the type without sugar.
    #[must_use]
    pub fn shape(self) -> TypeShape {
        TypeShape::from_raw(self.canonical().raw.kind)
    }

    /// Whether it is a reference.
    #[must_use]
    pub fn is_reference(self) -> bool {
        matches!(self.shape(), TypeShape::LValueReference | TypeShape::RValueReference)
    }

    /// Without typedefs and other sugar.
    #[must_use]
    pub fn canonical(self) -> Self {
        // SAFETY: accessor on a type of a live unit (lifetime).
        Self::wrap(unsafe { clang_getCanonicalType(self.raw) })
    }

    /// What a pointer or reference points to.
    #[must_use]
    pub fn pointee(self) -> Option<Self> {
        // SAFETY: accessor on a type of a live unit (lifetime).
        let raw = unsafe { clang_getPointeeType(self.raw) };
        (raw.kind != CXType_Invalid).then(|| Self::wrap(raw))
    }

    /// As written.
    #[must_use]
    pub fn spelling(self) -> String {
        // SAFETY: accessor on a type of a live unit (lifetime).
        super::string(unsafe { clang_getTypeSpelling(self.raw) })
    }

    /// Bytes of a value, if complete and not dependent.
    #[must_use]
    pub fn size(self) -> Option<u64> {
        // SAFETY: accessor on a type of a live unit (lifetime).
        u64::try_from(unsafe { clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// Declaration of a class, enumeration or typedef.
    #[must_use]
    pub fn declaration(self) -> Option<Cursor<'tu>> {
        // SAFETY: accessor on a type of a live unit (lifetime).
        let cursor = Cursor::wrap(unsafe { clang_getTypeDeclaration(self.raw) })?;
        (cursor.kind() != Kind::Other(CXCursor_NoDeclFound)).then_some(cursor)
    }

    /// Result of a function type.
    #[must_use]
    pub fn result(self) -> Self {
        // SAFETY: accessor on a type of a live unit (lifetime).
        Self::wrap(unsafe { clang_getResultType(self.raw) })
    }

    /// Parameters of a function type.
    #[must_use]
    pub fn parameters(self) -> Vec<Self> {
        // SAFETY: accessors on a type of a live unit (lifetime); the index is in range.
        unsafe {
            let count = u32::try_from(clang_getNumArgTypes(self.raw)).unwrap_or(0);
            (0..count).map(|i| Self::wrap(clang_getArgType(self.raw, i))).collect()
        }
    }

    /// `...` parameters.
    #[must_use]
    pub fn is_variadic(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        unsafe { clang_isFunctionTypeVariadic(self.raw) != 0 }
    }

    /// Element type of an array.
    #[must_use]
    pub fn element(self) -> Option<Self> {
        // SAFETY: accessor on a type of a live unit (lifetime).
        let raw = unsafe { clang_getArrayElementType(self.raw) };
        (raw.kind != CXType_Invalid).then(|| Self::wrap(raw))
    }

    /// Elements of an array of constant bound.
    #[must_use]
    pub fn count(self) -> Option<u64> {
        // SAFETY: accessor on a type of a live unit (lifetime).
        u64::try_from(unsafe { clang_getArraySize(self.raw) }).ok()
    }

    /// `const` at the top level.
    #[must_use]
    pub fn is_const(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        unsafe { clang_isConstQualifiedType(self.raw) != 0 }
    }

    /// `volatile` at the top level.
    #[must_use]
    pub fn is_volatile(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        unsafe { clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    /// `__restrict__` at the top level.
    #[must_use]
    pub fn is_restrict(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        unsafe { clang_isRestrictQualifiedType(self.raw) != 0 }
    }

    /// Without `const`, `volatile`, `restrict` at the top level.
    #[must_use]
    pub fn unqualified(self) -> Self {
        // SAFETY: accessor on a type of a live unit (lifetime).
        Self::wrap(unsafe { clang_getUnqualifiedType(self.raw) })
    }

    /// Plain old data: no code runs to make, copy or destroy it.
    #[must_use]
    pub fn is_pod(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        unsafe { clang_isPODType(self.raw) != 0 }
    }

    /// `noexcept` is part of the function type.
    #[must_use]
    pub fn is_noexcept(self) -> bool {
        // SAFETY: accessor on a type of a live unit (lifetime).
        let kind = unsafe { clang_getExceptionSpecificationType(self.raw) };
        if kind == CXCursor_ExceptionSpecificationKind_ComputedNoexcept {
            return self.spelling().contains("noexcept(true)");
        }
        matches!(
            kind,
            CXCursor_ExceptionSpecificationKind_BasicNoexcept
                | CXCursor_ExceptionSpecificationKind_DynamicNone
                | CXCursor_ExceptionSpecificationKind_NoThrow
        )
    }

    /// Byte offset of the field called `name`, looked up through anonymous members.
    #[must_use]
    pub fn offset_of(self, name: &str) -> Option<u64> {
        let name = std::ffi::CString::new(name).ok()?;
        // SAFETY: accessor on a type of a live unit (lifetime) with a valid C string.
        let bits = unsafe { clang_Type_getOffsetOf(self.raw, name.as_ptr()) };
        u64::try_from(bits).ok().map(|bits| bits / 8)
    }

    /// Template arguments that are types.
    #[must_use]
    pub fn template_arguments(self) -> Vec<Self> {
        // SAFETY: accessors on a type of a live unit (lifetime); the index is in range.
        unsafe {
            let count = u32::try_from(clang_Type_getNumTemplateArguments(self.raw)).unwrap_or(0);
            (0..count)
                .map(|i| Self::wrap(clang_Type_getTemplateArgumentAsType(self.raw, i)))
                .filter(|t| t.raw.kind != CXType_Invalid)
                .collect()
        }
    }

    /// Fields of a class, in order, without those of its bases.
    #[must_use]
    pub fn fields(self) -> Vec<Cursor<'tu>> {
        extern "C" fn push(field: CXCursor, list: CXClientData) -> CXVisitorResult {
            // SAFETY: `list` is the vector below, alive and not otherwise borrowed during the visit.
            unsafe { &mut *list.cast::<Vec<Cursor<'_>>>() }.extend(Cursor::wrap(field));
            CXVisit_Continue
        }
        let mut list: Vec<Cursor<'tu>> = Vec::new();
        // SAFETY: the callback only uses `list` while this call runs.
        unsafe { clang_Type_visitFields(self.canonical().raw, push, (&raw mut list).cast()) };
        list
    }

    /// Base class specifiers in order; `None` if libclang is too old to tell for template instantiations.
    #[must_use]
    pub fn bases(self) -> Option<Vec<Cursor<'tu>>> {
        extern "C" fn push(base: CXCursor, list: CXClientData) -> CXVisitorResult {
            // SAFETY: `list` is the vector below, alive and not otherwise borrowed during the visit.
            unsafe { &mut *list.cast::<Vec<Cursor<'_>>>() }.extend(Cursor::wrap(base));
            CXVisit_Continue
        }
        let mut list: Vec<Cursor<'tu>> = Vec::new();
        if !clang_visitCXXBaseClasses::is_loaded() {
            return None;
        }
        // SAFETY: the symbol is there; the callback only uses `list` while this call runs.
        unsafe { clang_visitCXXBaseClasses(self.canonical().raw, push, (&raw mut list).cast()) };
        Some(list)
    }

    /// Member functions, constructors and destructors of a class, also of a template instantiation; `None` if
    /// libclang is too old to tell (before 21).
    #[must_use]
    pub fn methods(self) -> Option<Vec<Cursor<'tu>>> {
        extern "C" fn push(method: CXCursor, list: CXClientData) -> CXVisitorResult {
            // SAFETY: `list` is the vector below, alive and not otherwise borrowed during the visit.
            unsafe { &mut *list.cast::<Vec<Cursor<'_>>>() }.extend(Cursor::wrap(method));
            CXVisit_Continue
        }
        let mut list: Vec<Cursor<'tu>> = Vec::new();
        unit::visit_methods(self.canonical().raw, push, (&raw mut list).cast()).then_some(list)
    }
}
