//! Nodes of the syntax tree.

use std::ffi::c_void;

use clang_sys::{
    CXChildVisit_Continue, CXChildVisitResult, CXClientData, CXCursor, CXCursorKind,
    CXSourceLocation,
};

use super::decay;
use super::text;
use super::ty::Ty;
use super::unit::{Location, expansion_location, spelling_location};

/// A node of the syntax tree; valid as long as its translation unit.
#[derive(Clone, Copy)]
pub(crate) struct Cursor {
    raw: CXCursor,
}

/// Identity of a declaration within one translation unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct CursorKey(i32, usize, usize);

impl Cursor {
    pub(super) fn from_raw(raw: CXCursor) -> Self {
        Self { raw }
    }

    fn some(raw: CXCursor) -> Option<Self> {
        // SAFETY: a plain predicate on a cursor value.
        let null = unsafe {
            clang_sys::clang_Cursor_isNull(raw) != 0 || clang_sys::clang_isInvalid(raw.kind) != 0
        };
        (!null).then_some(Self { raw })
    }

    /// Identity, by the node of clang that it wraps.
    pub(crate) fn key(self) -> CursorKey {
        CursorKey(self.raw.kind, self.raw.data[0] as usize, 0)
    }

    /// Identity of a statement or label within one translation unit.
    pub(crate) fn statement_key(self) -> CursorKey {
        // For statements clang keeps the node in the second word; for a referenced label too.
        CursorKey(-1, self.raw.data[1] as usize, 0)
    }

    /// Kind.
    pub(crate) fn kind(self) -> CXCursorKind {
        self.raw.kind
    }

    /// Whether it is an expression.
    pub(crate) fn is_expression(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isExpression(self.raw.kind) != 0 }
    }

    /// Whether it is an attribute.
    pub(crate) fn is_attribute(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isAttribute(self.raw.kind) != 0 }
    }

    /// Whether it is a declaration.
    pub(crate) fn is_declaration(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isDeclaration(self.raw.kind) != 0 }
    }

    /// Name.
    pub(crate) fn name(self) -> String {
        // SAFETY: the cursor's unit is live.
        text(unsafe { clang_sys::clang_getCursorSpelling(self.raw) })
    }

    /// Unified symbol resolution string.
    pub(crate) fn usr(self) -> String {
        // SAFETY: as above.
        text(unsafe { clang_sys::clang_getCursorUSR(self.raw) })
    }

    /// Direct children, in clang's order; a use of a template parameter in an instantiation is what was substituted for it.
    pub(crate) fn children(self) -> Vec<Self> {
        self.raw_children().into_iter().map(Self::substituted).collect()
    }

    /// What a substituted template parameter stands for. libclang shows the substitution as a reference without a name
    /// and without a target, round the argument's expression.
    fn substituted(self) -> Self {
        let mut cursor = self;
        while cursor.raw.kind == clang_sys::CXCursor_DeclRefExpr && cursor.referenced().is_none() {
            match cursor.raw_children().as_slice() {
                [argument] if argument.is_expression() && cursor.name().is_empty() => {
                    cursor = *argument;
                }
                _ => break,
            }
        }
        cursor
    }

    fn raw_children(self) -> Vec<Self> {
        extern "C" fn push(
            cursor: CXCursor,
            _: CXCursor,
            list: CXClientData,
        ) -> CXChildVisitResult {
            // SAFETY: `list` is the vector passed below, which outlives the visit and is not used meanwhile.
            unsafe { (*list.cast::<Vec<Cursor>>()).push(Cursor { raw: cursor }) };
            CXChildVisit_Continue
        }
        let mut list: Vec<Self> = Vec::new();
        // SAFETY: the callback matches the type it casts to.
        unsafe {
            clang_sys::clang_visitChildren(
                self.raw,
                push,
                std::ptr::from_mut(&mut list).cast::<c_void>(),
            );
        }
        list
    }

    /// Type.
    pub(crate) fn ty(self) -> Ty {
        let ty = self.ty_as_shown();
        if !ty.is_array() {
            return ty;
        }
        match decay::has_decayed(self) {
            Some(true) => ty.decay(),
            Some(false) => ty,
            None => Ty::unknown(),
        }
    }

    /// Type as libclang shows it, with the arrays that parameters are written as.
    pub(super) fn ty_as_shown(self) -> Ty {
        // SAFETY: the cursor's unit is live.
        Ty::from_raw(unsafe { clang_sys::clang_getCursorType(self.raw) })
    }

    /// Result type of a function.
    pub(crate) fn result_type(self) -> Ty {
        let ty = self.result_type_as_shown();
        // No function returns an array.
        if ty.is_array() { ty.decay() } else { ty }
    }

    pub(super) fn result_type_as_shown(self) -> Ty {
        // SAFETY: as above.
        Ty::from_raw(unsafe { clang_sys::clang_getCursorResultType(self.raw) })
    }

    /// What it refers to; of a call the function, unless that is computed.
    pub(crate) fn referenced(self) -> Option<Self> {
        // SAFETY: as above.
        let target = Self::some(unsafe { clang_sys::clang_getCursorReferenced(self.raw) })?;
        let is_call = self.kind() == clang_sys::CXCursor_CallExpr
            && matches!(
                target.kind(),
                clang_sys::CXCursor_FunctionDecl
                    | clang_sys::CXCursor_CXXMethod
                    | clang_sys::CXCursor_ConversionFunction
            );
        let right = !is_call
            || if target.name().starts_with("operator") {
                self.names(target)
            } else {
                self.names_its_callee()
            };
        right.then_some(target)
    }

    /// Whether a call shows the name of `target` itself among its parts.
    fn names(self, target: Self) -> bool {
        self.raw_children().into_iter().any(|child| {
            let mut at = child;
            while matches!(
                at.kind(),
                clang_sys::CXCursor_UnexposedExpr | clang_sys::CXCursor_ParenExpr
            ) {
                let Some(inner) = at.raw_children().into_iter().rfind(|c| c.is_expression()) else {
                    return false;
                };
                at = inner;
            }
            at.kind() != clang_sys::CXCursor_CallExpr
                && at.referenced().is_some_and(|named| named.key() == target.key())
        })
    }

    /// Whether the callee of a call is a name. Of `pick()()` libclang says that it refers to `pick`, and of `table[i]()` that
    /// it refers to the operator.
    fn names_its_callee(self) -> bool {
        let mut callee = self.raw_children().first().copied();
        while let Some(at) = callee {
            match at.kind() {
                clang_sys::CXCursor_UnexposedExpr
                | clang_sys::CXCursor_ParenExpr
                | clang_sys::CXCursor_UnaryOperator => {
                    callee = at.raw_children().into_iter().rfind(|c| c.is_expression());
                }
                clang_sys::CXCursor_CallExpr
                | clang_sys::CXCursor_ArraySubscriptExpr
                | clang_sys::CXCursor_ConditionalOperator
                | clang_sys::CXCursor_BinaryOperator
                | clang_sys::CXCursor_CStyleCastExpr
                | clang_sys::CXCursor_CXXStaticCastExpr
                | clang_sys::CXCursor_CXXReinterpretCastExpr
                | clang_sys::CXCursor_CXXConstCastExpr
                | clang_sys::CXCursor_CXXFunctionalCastExpr
                | clang_sys::CXCursor_StmtExpr => return false,
                _ => return true,
            }
        }
        true
    }

    /// The file that an inclusion directive names; 0 if it was not found.
    pub(crate) fn included_file(self) -> usize {
        // SAFETY: the cursor's unit is live; the result is null for other cursors.
        unsafe { clang_sys::clang_getIncludedFile(self.raw) as usize }
    }

    /// Its definition in this unit.
    pub(crate) fn definition(self) -> Option<Self> {
        // SAFETY: as above.
        Self::some(unsafe { clang_sys::clang_getCursorDefinition(self.raw) })
    }

    /// The first declaration of the same entity.
    pub(crate) fn canonical(self) -> Self {
        // SAFETY: as above.
        Self { raw: unsafe { clang_sys::clang_getCanonicalCursor(self.raw) } }
    }

    /// The declaration context.
    pub(crate) fn semantic_parent(self) -> Option<Self> {
        // SAFETY: as above.
        Self::some(unsafe { clang_sys::clang_getCursorSemanticParent(self.raw) })
    }

    /// The template it is an instantiation of.
    pub(crate) fn template(self) -> Option<Self> {
        // SAFETY: as above.
        Self::some(unsafe { clang_sys::clang_getSpecializedCursorTemplate(self.raw) })
    }

    /// The types among the arguments of the function template that it is an instance of.
    pub(crate) fn template_arguments(self) -> Vec<Ty> {
        // SAFETY: the cursor's unit is live; a negative count says that it is no such instance.
        let count = unsafe { clang_sys::clang_Cursor_getNumTemplateArguments(self.raw) };
        (0..u32::try_from(count).unwrap_or(0))
            // SAFETY: as above; an argument that is no type gives an invalid type.
            .map(|i| {
                Ty::from_raw(unsafe {
                    clang_sys::clang_Cursor_getTemplateArgumentType(self.raw, i)
                })
            })
            .filter(|ty| ty.kind() != clang_sys::CXType_Invalid)
            .collect()
    }

    /// Whether the function is declared `= delete`: nobody calls it.
    pub(crate) fn is_deleted(self) -> bool {
        // SAFETY: as above.
        let availability = unsafe { clang_sys::clang_getCursorAvailability(self.raw) };
        availability == clang_sys::CXAvailability_NotAvailable
    }

    /// Whether the member function is pure virtual.
    pub(crate) fn is_pure(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_CXXMethod_isPureVirtual(self.raw) != 0 }
    }

    /// Whether it is a definition.
    pub(crate) fn is_definition(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isCursorDefinition(self.raw) != 0 }
    }

    /// Whether the declaration is in error.
    pub(crate) fn is_invalid_declaration(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isInvalidDeclaration(self.raw) != 0 }
    }

    /// Whether the call is through a virtual table.
    pub(crate) fn is_dynamic_call(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_Cursor_isDynamicCall(self.raw) != 0 }
    }

    /// Whether the member function is virtual.
    pub(crate) fn is_virtual(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_CXXMethod_isVirtual(self.raw) != 0 }
    }

    /// Whether the member function is declared `const`.
    pub(crate) fn is_const_method(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_CXXMethod_isConst(self.raw) != 0 }
    }

    /// Whether the member function is static.
    pub(crate) fn is_static_method(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_CXXMethod_isStatic(self.raw) != 0 }
    }

    /// Whether the member function is defaulted.
    pub(crate) fn is_defaulted(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_CXXMethod_isDefaulted(self.raw) != 0 }
    }

    /// Whether the constructor is a copy or move constructor.
    pub(crate) fn is_copy_constructor(self) -> bool {
        // SAFETY: plain predicates.
        unsafe {
            clang_sys::clang_CXXConstructor_isCopyConstructor(self.raw) != 0
                || clang_sys::clang_CXXConstructor_isMoveConstructor(self.raw) != 0
        }
    }

    /// Whether the function takes `...`.
    pub(crate) fn is_variadic(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_Cursor_isVariadic(self.raw) != 0 }
    }

    /// Linkage kind.
    pub(crate) fn linkage(self) -> clang_sys::CXLinkageKind {
        // SAFETY: as above.
        unsafe { clang_sys::clang_getCursorLinkage(self.raw) }
    }

    /// Storage class.
    pub(crate) fn storage_class(self) -> clang_sys::CX_StorageClass {
        // SAFETY: as above.
        unsafe { clang_sys::clang_Cursor_getStorageClass(self.raw) }
    }

    /// Whether each thread has a variable of its own.
    pub(crate) fn is_thread_local(self) -> bool {
        // SAFETY: as above.
        unsafe { clang_sys::clang_getCursorTLSKind(self.raw) != clang_sys::CXTLS_None }
    }

    /// Arguments of a call, or parameters of a function, in order.
    pub(crate) fn arguments(self) -> Vec<Self> {
        // SAFETY: indices are below the count.
        unsafe {
            let count = clang_sys::clang_Cursor_getNumArguments(self.raw);
            (0..u32::try_from(count).unwrap_or(0))
                .map(|index| {
                    Self { raw: clang_sys::clang_Cursor_getArgument(self.raw, index) }.substituted()
                })
                .collect()
        }
    }

    /// The value of an integer constant expression.
    pub(crate) fn evaluate_integer(self) -> Option<i128> {
        // SAFETY: the result is disposed of after its last use.
        unsafe {
            let result = clang_sys::clang_Cursor_Evaluate(self.raw);
            if result.is_null() {
                return None;
            }
            let value = (clang_sys::clang_EvalResult_getKind(result) == clang_sys::CXEval_Int)
                .then(|| {
                    if clang_sys::clang_EvalResult_isUnsignedInt(result) != 0 {
                        i128::from(clang_sys::clang_EvalResult_getAsUnsigned(result))
                    } else {
                        i128::from(clang_sys::clang_EvalResult_getAsLongLong(result))
                    }
                });
            clang_sys::clang_EvalResult_dispose(result);
            value
        }
    }

    /// The initialiser of a variable.
    pub(crate) fn initializer(self) -> Option<Self> {
        // SAFETY: the cursor's unit is live.
        Self::some(unsafe { clang_sys::clang_Cursor_getVarDeclInitializer(self.raw) })
            .map(Self::substituted)
    }

    /// Binary operator kind; 0 if it is none.
    pub(crate) fn binary_operator(self) -> i32 {
        // SAFETY: the function is loaded (checked when the library was).
        unsafe { clang_sys::clang_getCursorBinaryOperatorKind(self.raw) }
    }

    /// Unary operator kind; 0 if it is none.
    pub(crate) fn unary_operator(self) -> i32 {
        // SAFETY: as above.
        unsafe { clang_sys::clang_getCursorUnaryOperatorKind(self.raw) }
    }

    /// Byte offset of a field, if known.
    pub(crate) fn field_offset(self) -> Option<u64> {
        // SAFETY: a plain query; negative results are errors.
        let bits = unsafe { clang_sys::clang_Cursor_getOffsetOfField(self.raw) };
        u64::try_from(bits).ok().map(|bits| bits / 8)
    }

    /// Byte offset of a field in the class with a name that it belongs to: libclang counts from the begin of the
    /// `struct` or `union` without a name that the field is written in, and shows no access to that.
    pub(crate) fn offset_in_named_class(self) -> Option<u64> {
        let mut offset = self.field_offset()?;
        let mut class = self.semantic_parent()?;
        while class.is_anonymous_record() {
            let outer = class.semantic_parent()?;
            let key = class.canonical().key();
            let member = outer.ty().fields().into_iter().find(|field| {
                field.ty().canonical().declaration().is_some_and(|d| d.canonical().key() == key)
            })?;
            offset += member.field_offset()?;
            class = outer;
        }
        Some(offset)
    }

    /// Whether it is a `struct { ... };` or `union { ... };` in a class, whose members are those of that class.
    pub(crate) fn is_anonymous_record(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_Cursor_isAnonymousRecordDecl(self.raw) != 0 }
    }

    /// What an enumeration is stored as; invalid for other cursors.
    pub(super) fn enumeration_type(self) -> clang_sys::CXType {
        // SAFETY: as above.
        unsafe { clang_sys::clang_getEnumDeclIntegerType(self.raw) }
    }

    /// Whether the base specifier is of a virtual base.
    pub(crate) fn is_virtual_base(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_isVirtualBase(self.raw) != 0 }
    }

    /// Whether the type, as it is written, may hold the bounds of arrays.
    pub(crate) fn ty_spells_bounds(self) -> bool {
        let ty = self.ty_as_shown();
        ty.is_array() || ty.name().contains('[') || ty.canonical().name().contains('[')
    }

    /// Whether the field is a bit field.
    pub(crate) fn is_bit_field(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_Cursor_isBitField(self.raw) != 0 }
    }

    /// A declaration as clang would write it, without bodies.
    pub(crate) fn written(self) -> String {
        // SAFETY: as above; the policy is released, and only after its use.
        unsafe {
            let policy = clang_sys::clang_getCursorPrintingPolicy(self.raw);
            clang_sys::clang_PrintingPolicy_setProperty(
                policy,
                clang_sys::CXPrintingPolicy_TerseOutput,
                1,
            );
            let written = text(clang_sys::clang_getCursorPrettyPrinted(self.raw, policy));
            clang_sys::clang_PrintingPolicy_dispose(policy);
            written
        }
    }

    fn location(self) -> CXSourceLocation {
        // SAFETY: as above.
        unsafe { clang_sys::clang_getCursorLocation(self.raw) }
    }

    /// Whether it is in a system header.
    pub(crate) fn in_system_header(self) -> bool {
        // SAFETY: a plain predicate.
        unsafe { clang_sys::clang_Location_isInSystemHeader(self.location()) != 0 }
    }

    /// Where its name was written.
    pub(crate) fn name_location(self) -> Location {
        spelling_location(self.location())
    }

    /// `threadIdx.x` and its like as clang's wrapper of a toolkit declares them: a property, so no member is named.
    pub(crate) fn is_index_property(self) -> bool {
        self.kind() == clang_sys::CXCursor_MemberRefExpr
            && self.ty().name() == "<pseudo-object type>"
            && matches!(self.raw_children().as_slice(), [base] if base.referenced().is_some_and(|variable| {
                let name = variable.name();
                variable.in_system_header()
                    && ["threadIdx", "blockIdx", "blockDim", "gridDim"].contains(&name.as_str())
            }))
    }

    /// Where its name was expanded.
    pub(crate) fn name_expansion(self) -> Location {
        expansion_location(self.location())
    }

    /// Where its `index`-th written name piece starts (for names of several tokens).
    pub(crate) fn reference_name(self, index: u32) -> Option<Location> {
        // SAFETY: as above; a null range means there is none.
        unsafe {
            let range = clang_sys::clang_getCursorReferenceNameRange(self.raw, 0, index);
            (clang_sys::clang_Range_isNull(range) == 0)
                .then(|| spelling_location(clang_sys::clang_getRangeStart(range)))
        }
    }

    /// First byte and one past the last, where written.
    pub(crate) fn spelled_range(self) -> (Location, Location) {
        // SAFETY: as above.
        unsafe {
            let range = clang_sys::clang_getCursorExtent(self.raw);
            (
                spelling_location(clang_sys::clang_getRangeStart(range)),
                spelling_location(clang_sys::clang_getRangeEnd(range)),
            )
        }
    }

    /// First byte and one past the last, where expanded.
    pub(crate) fn expanded_range(self) -> (Location, Location) {
        // SAFETY: as above.
        unsafe {
            let range = clang_sys::clang_getCursorExtent(self.raw);
            (
                expansion_location(clang_sys::clang_getRangeStart(range)),
                expansion_location(clang_sys::clang_getRangeEnd(range)),
            )
        }
    }
}
