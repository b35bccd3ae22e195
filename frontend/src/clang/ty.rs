//! Types of the syntax tree.

use clang_sys::{CXClientData, CXCursor, CXType, CXTypeKind, CXVisit_Continue, CXVisitorResult};

use super::cursor::Cursor;
use super::text;

/// A type; valid as long as its translation unit.
#[derive(Clone, Copy)]
pub(crate) struct Ty {
    raw: CXType,
    /// `raw` is an array that the language has made a pointer: libclang shows `float v[]`, a parameter, as it is written.
    decayed: bool,
}

/// Identity of a canonical type within one translation unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct TyKey(CXTypeKind, usize, bool);

impl Ty {
    pub(super) fn from_raw(raw: CXType) -> Self {
        Self { raw, decayed: false }
    }

    /// No type at all, as libclang has it of what has none.
    pub(super) fn unknown() -> Self {
        Self::from_raw(CXType { kind: clang_sys::CXType_Invalid, data: [std::ptr::null_mut(); 2] })
    }

    /// The pointer that this array is where it is the type of a parameter, or of an expression without its elements.
    pub(super) fn decay(self) -> Self {
        Self { decayed: true, ..self }
    }

    /// An array, whatever it is called.
    pub(super) fn is_array(self) -> bool {
        matches!(
            self.canonical().kind(), // a pointer, if it has decayed
            clang_sys::CXType_ConstantArray
                | clang_sys::CXType_IncompleteArray
                | clang_sys::CXType_VariableArray
                | clang_sys::CXType_DependentSizedArray
        )
    }

    /// A reference, whatever it is called.
    pub(crate) fn is_reference(self) -> bool {
        matches!(
            self.canonical().kind(),
            clang_sys::CXType_LValueReference | clang_sys::CXType_RValueReference
        )
    }

    /// Kind of the type as written.
    pub(crate) fn kind(self) -> CXTypeKind {
        if self.decayed { clang_sys::CXType_Pointer } else { self.raw.kind }
    }

    /// Without sugar.
    pub(crate) fn canonical(self) -> Self {
        // SAFETY: the type's unit is live.
        Self { raw: unsafe { clang_sys::clang_getCanonicalType(self.raw) }, ..self }
    }

    /// Without `const`, `volatile` and `__restrict__` at the top level.
    pub(crate) fn unqualified(self) -> Self {
        if self.decayed {
            return self;
        }
        // SAFETY: as above; the function is older than those that are asked for when the library is loaded.
        Self::from_raw(unsafe { clang_sys::clang_getUnqualifiedType(self.raw) })
    }

    /// Identity of a canonical type, by the node of clang that it wraps.
    pub(crate) fn key(self) -> TyKey {
        TyKey(self.raw.kind, self.raw.data[0] as usize, self.decayed)
    }

    /// What an enumeration is stored as.
    pub(crate) fn of_enumeration(self) -> Option<Self> {
        let declaration = self.declaration()?;
        let ty = Self::from_raw(declaration.enumeration_type());
        (ty.kind() != clang_sys::CXType_Invalid).then_some(ty)
    }

    /// As written.
    pub(crate) fn name(self) -> String {
        if self.decayed {
            let element = self.pointee().name();
            return match element.split_once('[') {
                Some((of, rest)) => format!("{} (*)[{rest}", of.trim_end()),
                None if element.ends_with('*') => format!("{element}*"),
                None => format!("{element} *"),
            };
        }
        // SAFETY: as above.
        text(unsafe { clang_sys::clang_getTypeSpelling(self.raw) })
    }

    /// What a pointer or reference points to.
    pub(crate) fn pointee(self) -> Self {
        if self.decayed {
            return Self { decayed: false, ..self.canonical() }.element();
        }
        // SAFETY: as above.
        Self::from_raw(unsafe { clang_sys::clang_getPointeeType(self.raw) })
    }

    /// Of a function, or of what leads to one, the type of the function; `None` if none is seen.
    fn function(self) -> Option<Self> {
        let mut ty = self.canonical();
        while matches!(
            ty.kind(),
            clang_sys::CXType_Pointer
                | clang_sys::CXType_BlockPointer
                | clang_sys::CXType_MemberPointer
                | clang_sys::CXType_LValueReference
                | clang_sys::CXType_RValueReference
        ) {
            ty = ty.pointee().canonical();
        }
        let kind = ty.kind();
        matches!(kind, clang_sys::CXType_FunctionProto | clang_sys::CXType_FunctionNoProto)
            .then_some(ty)
    }

    /// Types of the parameters of the function that this is or leads to: none of one that C declares without them. `None`
    /// if no function is seen.
    pub(crate) fn parameters(self) -> Option<Vec<Self>> {
        let function = self.function()?;
        // SAFETY: as above; negative for one without parameters in its type.
        let count = unsafe { clang_sys::clang_getNumArgTypes(function.raw) };
        let count = u32::try_from(count).unwrap_or(0);
        // SAFETY: as above.
        let one =
            |index| Self::from_raw(unsafe { clang_sys::clang_getArgType(function.raw, index) });
        Some((0..count).map(one).collect())
    }

    /// What the function that this is or leads to returns; `None` if no function is seen.
    pub(crate) fn returned(self) -> Option<Self> {
        let function = self.function()?;
        // SAFETY: as above.
        Some(Self::from_raw(unsafe { clang_sys::clang_getResultType(function.raw) }))
    }

    /// Element type of an array.
    pub(crate) fn element(self) -> Self {
        // SAFETY: as above.
        Self::from_raw(unsafe { clang_sys::clang_getArrayElementType(self.raw) })
    }

    /// Number of elements of an array with constant bound.
    pub(crate) fn array_count(self) -> Option<u64> {
        if self.decayed {
            return None;
        }
        // SAFETY: as above; negative results are errors.
        u64::try_from(unsafe { clang_sys::clang_getArraySize(self.raw) }).ok()
    }

    /// Size in bytes, if complete.
    pub(crate) fn bytes(self) -> Option<u64> {
        if self.decayed {
            return Some(8);
        }
        // libclang ends the process when asked for the size of what is no type of an object: names that did not resolve.
        if matches!(
            self.canonical().kind(),
            clang_sys::CXType_Invalid | clang_sys::CXType_Overload | clang_sys::CXType_Dependent
        ) {
            return None;
        }
        // `<pseudo-object type>`, of a property such as the toolkit's `threadIdx.x`, is `Unexposed` like many others.
        if self.canonical().name().starts_with('<') {
            return None;
        }
        // SAFETY: as above; negative results are errors.
        u64::try_from(unsafe { clang_sys::clang_Type_getSizeOf(self.raw) }).ok()
    }

    /// Its declaration.
    pub(crate) fn declaration(self) -> Option<Cursor> {
        // SAFETY: as above.
        let raw = unsafe { clang_sys::clang_getTypeDeclaration(self.raw) };
        // SAFETY: plain predicates.
        let none = unsafe {
            clang_sys::clang_Cursor_isNull(raw) != 0 || clang_sys::clang_isInvalid(raw.kind) != 0
        };
        (!none).then(|| Cursor::from_raw(raw))
    }

    /// Whether `self` and `other` are one type but for `const` and `volatile` at the top, however they are spelled.
    pub(crate) fn is_same_value(self, other: Self) -> bool {
        let class = |ty: Self| ty.canonical().declaration().map(|d| d.canonical().key());
        let name = |ty: Self| {
            let name = ty.canonical().name();
            let bare = name.trim_start_matches("const ").trim_start_matches("volatile ");
            if name.contains(['*', '&', '(', '[']) { name } else { bare.to_owned() }
        };
        match (class(self), class(other)) {
            (Some(left), Some(right)) => left == right,
            (Some(_) | None, Some(_) | None) => name(self) == name(other),
        }
    }

    /// Whether `self` and `other` are one type but for `const` and `volatile` anywhere in them.
    pub(crate) fn is_similar(self, other: Self) -> bool {
        let bare = |ty: Self| {
            let name = ty.canonical().name();
            let words = name.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let words: Vec<_> = words
                .filter(|w| !matches!(*w, "" | "const" | "volatile" | "restrict" | "__restrict"))
                .collect();
            let signs: String = name.chars().filter(|c| "*&()[]<>,:".contains(*c)).collect();
            (words.join(" "), signs)
        };
        self.is_same_value(other) || bare(self) == bare(other)
    }

    /// `const` at the top level.
    pub(crate) fn is_const(self) -> bool {
        // SAFETY: a plain predicate.
        !self.decayed && unsafe { clang_sys::clang_isConstQualifiedType(self.raw) != 0 }
    }

    /// `volatile` at the top level.
    pub(crate) fn is_volatile(self) -> bool {
        // SAFETY: a plain predicate.
        !self.decayed && unsafe { clang_sys::clang_isVolatileQualifiedType(self.raw) != 0 }
    }

    /// `__restrict__` at the top level.
    pub(crate) fn is_restrict(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isRestrictQualifiedType(self.raw) != 0 }
    }

    /// The types among the arguments of the template that it is an instance of; packs are expanded.
    pub(crate) fn template_arguments(self) -> Vec<Self> {
        // SAFETY: the type's unit is live; a negative count says that it is no such instance.
        let count = unsafe { clang_sys::clang_Type_getNumTemplateArguments(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            // SAFETY: as above; an argument that is no type gives an invalid type.
            .map(|i| {
                Self::from_raw(unsafe {
                    clang_sys::clang_Type_getTemplateArgumentAsType(self.raw, i)
                })
            })
            .filter(|ty| ty.kind() != clang_sys::CXType_Invalid)
            .collect()
    }

    /// Non-static data members of a record, in order.
    pub(crate) fn fields(self) -> Vec<Cursor> {
        extern "C" fn push(cursor: CXCursor, list: CXClientData) -> CXVisitorResult {
            // SAFETY: `list` is the vector passed below, which outlives the visit and is not used meanwhile.
            unsafe { (*list.cast::<Vec<Cursor>>()).push(Cursor::from_raw(cursor)) };
            CXVisit_Continue
        }
        let mut list: Vec<Cursor> = Vec::new();
        // SAFETY: the callback matches the type it casts to.
        unsafe {
            clang_sys::clang_Type_visitFields(self.raw, push, std::ptr::from_mut(&mut list).cast());
        }
        list
    }
}
