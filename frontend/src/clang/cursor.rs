//! Cursors: nodes of the syntax tree.

use std::ffi::c_void;
use std::marker::PhantomData;

use clang_sys::*;
use smallvec::SmallVec;

use super::{BinaryOperator, Kind, Location, TranslationUnit, Type, UnaryOperator};

/// A node of the syntax tree.
#[derive(Debug, Clone, Copy)]
pub struct Cursor<'tu> {
    raw: CXCursor,
    unit: PhantomData<&'tu TranslationUnit>,
}

/// Identity of a node: the declaration, statement or expression it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CursorKey(usize);

/// Direct children, mostly few.
pub(crate) type Children<'tu> = SmallVec<[Cursor<'tu>; 6]>;

impl<'tu> Cursor<'tu> {
    pub(super) fn wrap(raw: CXCursor) -> Option<Self> {
        // SAFETY: plain test on a value.
        (unsafe { clang_Cursor_isNull(raw) } == 0).then_some(Self { raw, unit: PhantomData })
    }

    /// What the node is.
    #[must_use]
    pub fn kind(self) -> Kind {
        Kind::from_raw(self.raw.kind)
    }

    /// Identity: equal for all cursors of one declaration (of any of its redeclarations if taken from
    /// [`Self::canonical`]) or of one expression.
    #[must_use]
    pub fn key(self) -> CursorKey {
        let slot = usize::from(!self.is_declaration());
        CursorKey(self.raw.data[slot] as usize)
    }

    /// Whether the node declares something.
    #[must_use]
    pub fn is_declaration(self) -> bool {
        // SAFETY: plain test on a kind.
        unsafe { clang_isDeclaration(self.raw.kind) != 0 }
    }

    /// Whether the node is an expression.
    #[must_use]
    pub fn is_expression(self) -> bool {
        // SAFETY: plain test on a kind.
        unsafe { clang_isExpression(self.raw.kind) != 0 }
    }

    /// Whether the node is a statement.
    #[must_use]
    pub fn is_statement(self) -> bool {
        // SAFETY: plain test on a kind.
        unsafe { clang_isStatement(self.raw.kind) != 0 }
    }

    /// Name, or empty.
    #[must_use]
    pub fn spelling(self) -> String {
        // SAFETY: accessor on a node of a live unit (lifetime).
        super::string(unsafe { clang_getCursorSpelling(self.raw) })
    }

    /// Unified symbol resolution string of a declaration.
    #[must_use]
    pub fn usr(self) -> String {
        // SAFETY: accessor on a node of a live unit (lifetime).
        super::string(unsafe { clang_getCursorUSR(self.raw) })
    }

    /// Type of an expression or declared entity.
    #[must_use]
    pub fn ty(self) -> Type<'tu> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Type::wrap(unsafe { clang_getCursorType(self.raw) })
    }

    /// Where the node's name (or first token) stands.
    #[must_use]
    pub fn location(self) -> Location<'tu> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Location::wrap(unsafe { clang_getCursorLocation(self.raw) })
    }

    /// First and one-past-last location.
    #[must_use]
    pub fn extent(self) -> (Location<'tu>, Location<'tu>) {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Location::ends(unsafe { clang_getCursorExtent(self.raw) })
    }

    /// Range of a part of the name of a reference (`0` = whole).
    #[must_use]
    pub fn name_range(self, piece: u32) -> Option<(Location<'tu>, Location<'tu>)> {
        // SAFETY: accessors on a node of a live unit (lifetime).
        unsafe {
            let range = clang_getCursorReferenceNameRange(self.raw, 0, piece);
            (clang_Range_isNull(range) == 0).then(|| Location::ends(range))
        }
    }

    /// What a reference or call refers to.
    #[must_use]
    pub fn referenced(self) -> Option<Self> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_getCursorReferenced(self.raw) })
    }

    /// The definition of a declaration, if this unit has it.
    #[must_use]
    pub fn definition(self) -> Option<Self> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_getCursorDefinition(self.raw) })
    }

    /// Whether this declaration is a definition.
    #[must_use]
    pub fn is_definition(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_isCursorDefinition(self.raw) != 0 }
    }

    /// The first declaration of the same entity.
    #[must_use]
    pub fn canonical(self) -> Self {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_getCanonicalCursor(self.raw) }).unwrap_or(self)
    }

    /// The class, namespace or function that holds a declaration.
    #[must_use]
    pub fn semantic_parent(self) -> Option<Self> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_getCursorSemanticParent(self.raw) })
    }

    /// The template an instantiation or specialisation was made from.
    #[must_use]
    pub fn specialized_template(self) -> Option<Self> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_getSpecializedCursorTemplate(self.raw) })
    }

    /// Direct children.
    #[must_use]
    pub fn children(self) -> Children<'tu> {
        extern "C" fn push(child: CXCursor, _: CXCursor, list: CXClientData) -> CXChildVisitResult {
            // SAFETY: `list` is the vector below, alive and not otherwise borrowed during the visit.
            let list = unsafe { &mut *list.cast::<Children<'_>>() };
            list.extend(Cursor::wrap(child));
            CXChildVisit_Continue
        }
        let mut list = Children::new();
        // SAFETY: the callback only uses `list` while this call runs.
        unsafe { clang_visitChildren(self.raw, push, (&raw mut list).cast::<c_void>()) };
        list
    }

    /// Visits all descendants, parents first; `visit` says whether to go into a node.
    pub fn walk<F: FnMut(Cursor<'tu>) -> bool>(self, visit: &mut F) {
        extern "C" fn step<'tu, F: FnMut(Cursor<'tu>) -> bool>(
            child: CXCursor,
            _: CXCursor,
            visit: CXClientData,
        ) -> CXChildVisitResult {
            // SAFETY: `visit` is the closure below, alive and not otherwise borrowed during the visit.
            let visit = unsafe { &mut *visit.cast::<F>() };
            match Cursor::wrap(child) {
                Some(child) if visit(child) => CXChildVisit_Recurse,
                _ => CXChildVisit_Continue,
            }
        }
        // SAFETY: the callback only uses `visit` while this call runs.
        unsafe {
            clang_visitChildren(
                self.raw,
                step::<'tu, F>,
                std::ptr::from_mut(visit).cast::<c_void>(),
            )
        };
    }

    /// The operator; `Other(0)` if the node is no binary operator.
    #[must_use]
    pub fn binary_operator(self) -> BinaryOperator {
        // SAFETY: accessor on a node of a live unit (lifetime).
        BinaryOperator::from_raw(unsafe { clang_getCursorBinaryOperatorKind(self.raw) })
    }

    /// The operator; `Other(0)` if the node is no unary operator.
    #[must_use]
    pub fn unary_operator(self) -> UnaryOperator {
        // SAFETY: accessor on a node of a live unit (lifetime).
        UnaryOperator::from_raw(unsafe { clang_getCursorUnaryOperatorKind(self.raw) })
    }

    /// Value of an integer constant expression. Costs a walk of the expression: ask for leaves only.
    #[must_use]
    pub fn evaluate_integer(self) -> Option<i128> {
        // SAFETY: the result is read and disposed of once.
        unsafe {
            let result = clang_Cursor_Evaluate(self.raw);
            if result.is_null() {
                return None;
            }
            let value = (clang_EvalResult_getKind(result) == CXEval_Int).then(|| {
                if clang_EvalResult_isUnsignedInt(result) != 0 {
                    i128::from(clang_EvalResult_getAsUnsigned(result))
                } else {
                    i128::from(clang_EvalResult_getAsLongLong(result))
                }
            });
            clang_EvalResult_dispose(result);
            value
        }
    }

    /// Value of an enumerator.
    #[must_use]
    pub fn enumerator(self) -> i64 {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_getEnumConstantDeclValue(self.raw) }
    }

    /// Initialiser of a variable.
    #[must_use]
    pub fn initializer(self) -> Option<Self> {
        // SAFETY: accessor on a node of a live unit (lifetime).
        Self::wrap(unsafe { clang_Cursor_getVarDeclInitializer(self.raw) })
    }

    /// Arguments of a call as libclang counts them (default arguments included, kernel configuration not).
    #[must_use]
    pub fn arguments(self) -> Children<'tu> {
        // SAFETY: accessors on a node of a live unit (lifetime); the index is in range.
        unsafe {
            let count = u32::try_from(clang_Cursor_getNumArguments(self.raw)).unwrap_or(0);
            (0..count).filter_map(|i| Self::wrap(clang_Cursor_getArgument(self.raw, i))).collect()
        }
    }

    /// Declared `static`.
    #[must_use]
    pub fn is_static(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_getStorageClass(self.raw) == CX_SC_Static }
    }

    /// Declared `extern`.
    #[must_use]
    pub fn is_extern(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_getStorageClass(self.raw) == CX_SC_Extern }
    }

    /// A variable that is not automatic.
    #[must_use]
    pub fn has_global_storage(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_hasVarDeclGlobalStorage(self.raw) == 1 }
    }

    /// Other translation units can name it.
    #[must_use]
    pub fn has_external_linkage(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_getCursorLinkage(self.raw) == CXLinkage_External }
    }

    /// The declaration had errors: its type must not be trusted.
    #[must_use]
    pub fn is_invalid(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_isInvalidDeclaration(self.raw) != 0 }
    }

    /// A call that goes through the virtual table.
    #[must_use]
    pub fn is_dynamic_call(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_isDynamicCall(self.raw) != 0 }
    }

    /// A virtual member function.
    #[must_use]
    pub fn is_virtual(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXMethod_isVirtual(self.raw) != 0 }
    }

    /// A static member function.
    #[must_use]
    pub fn is_static_method(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXMethod_isStatic(self.raw) != 0 }
    }

    /// `= default` or implicitly defined.
    #[must_use]
    pub fn is_defaulted(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXMethod_isDefaulted(self.raw) != 0 }
    }

    /// `= delete`.
    #[must_use]
    pub fn is_deleted(self) -> bool {
        // SAFETY: guarded by `is_loaded`; accessor on a node of a live unit (lifetime).
        clang_CXXMethod_isDeleted::is_loaded()
            && unsafe { clang_CXXMethod_isDeleted(self.raw) != 0 }
    }

    /// A default constructor.
    #[must_use]
    pub fn is_default_constructor(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXConstructor_isDefaultConstructor(self.raw) != 0 }
    }

    /// A copy constructor.
    #[must_use]
    pub fn is_copy_constructor(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXConstructor_isCopyConstructor(self.raw) != 0 }
    }

    /// A move constructor.
    #[must_use]
    pub fn is_move_constructor(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_CXXConstructor_isMoveConstructor(self.raw) != 0 }
    }

    /// A copy assignment operator.
    #[must_use]
    pub fn is_copy_assignment(self) -> bool {
        // SAFETY: guarded by `is_loaded`; accessor on a node of a live unit (lifetime).
        clang_CXXMethod_isCopyAssignmentOperator::is_loaded()
            && unsafe { clang_CXXMethod_isCopyAssignmentOperator(self.raw) != 0 }
    }

    /// A move assignment operator.
    #[must_use]
    pub fn is_move_assignment(self) -> bool {
        // SAFETY: guarded by `is_loaded`; accessor on a node of a live unit (lifetime).
        clang_CXXMethod_isMoveAssignmentOperator::is_loaded()
            && unsafe { clang_CXXMethod_isMoveAssignmentOperator(self.raw) != 0 }
    }

    /// A bit-field.
    #[must_use]
    pub fn is_bit_field(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_isBitField(self.raw) != 0 }
    }

    /// A virtual base class specifier.
    #[must_use]
    pub fn is_virtual_base(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_isVirtualBase(self.raw) != 0 }
    }

    /// Byte offset of the base class that specifier `base` names in this class.
    #[must_use]
    pub fn offset_of_base(self, base: Self) -> Option<u64> {
        if !clang_getOffsetOfBase::is_loaded() {
            return None;
        }
        // SAFETY: just checked that the symbol is there; accessors on nodes of a live unit (lifetime).
        let bits = unsafe { clang_getOffsetOfBase(self.raw, base.raw) };
        u64::try_from(bits).ok().map(|bits| bits / 8)
    }

    /// `inline namespace`.
    #[must_use]
    pub fn is_inline_namespace(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_isInlineNamespace(self.raw) != 0 }
    }

    /// A class or union without a name whose members belong to the enclosing class.
    #[must_use]
    pub fn is_anonymous_record(self) -> bool {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_Cursor_isAnonymousRecordDecl(self.raw) != 0 }
    }

    /// Number of candidates of an overload set.
    #[must_use]
    pub fn overloads(self) -> u32 {
        // SAFETY: accessor on a node of a live unit (lifetime).
        unsafe { clang_getNumOverloadedDecls(self.raw) }
    }

    /// The expression is of dependent type: inside a template, or a recovery expression.
    #[must_use]
    pub fn is_dependent(self) -> bool {
        self.ty().raw.kind == CXType_Dependent
    }
}
