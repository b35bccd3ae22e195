//! Expressions: values without side effects. Calls, assignments and increments inside an expression of the
//! source are hoisted into statements by lowering, in order of evaluation.

use super::{FunctionId, TypeId, VariableId};

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Expr {
    /// An integer constant, also `sizeof`, enumerators and folded constant expressions.
    Integer(i128),
    /// The null pointer constant, or 0 converted to a pointer.
    Null,
    /// A string literal or another constant object that the program never writes: a pointer to read-only memory.
    Literal,
    /// The value of `place`, of type `ty` (scalars and pointers; aggregates appear only as operands of
    /// [`super::StatementKind::CopyAggregate`] and as by-value arguments). Reading a place through a pointer is
    /// a read of memory.
    Load {
        /// What is read.
        place: Box<Place>,
        /// Type of the value; its size is the number of bytes read.
        ty: TypeId,
    },
    /// The address of `place`; arrays decay to the address of their first element.
    AddressOf(Box<Place>),
    /// Integer arithmetic.
    Arithmetic {
        /// Operator.
        op: Arithmetic,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// `pointer + elements` (or `- elements`: then `elements` is negated by lowering).
    PointerAdd {
        /// The pointer.
        pointer: Box<Expr>,
        /// How many elements.
        elements: Box<Expr>,
        /// Bytes of one element; `None` if unknown.
        element_bytes: Option<u64>,
    },
    /// `left - right` of two pointers.
    PointerDifference {
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// A comparison; of pointers it may observe their identity (S3).
    Compare {
        /// Operator.
        op: Comparison,
        /// Left operand.
        left: Box<Expr>,
        /// Right operand.
        right: Box<Expr>,
    },
    /// Conversion to `to`: integers (width and sign change), pointers, pointer to integer (observes the
    /// address) and integer to pointer (points to anything).
    Cast {
        /// Target type.
        to: TypeId,
        /// Operand.
        value: Box<Expr>,
    },
    /// A function designator or its address; also a lambda without captures.
    Function(FunctionId),
    /// A lambda object or other callable made from `functions`; calling it may run any of them.
    Closure(Vec<FunctionId>),
    /// A value that is not modelled, computed from `operands` alone and without other effects (floating-point
    /// arithmetic, `!x`, `a && b` without side effects, bit tricks): never a pointer.
    Computed(Vec<Expr>),
    /// A value of unknown origin; if it is a pointer it may point to anything that has escaped.
    Unknown,
}

/// Integer operators the size algebra may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after the operators")]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    ShiftLeft,
    ShiftRight,
    And,
    Or,
    Xor,
}

/// Comparison operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after the operators")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

/// A storage location.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// Where the path starts.
    pub base: PlaceBase,
    /// Fields and array elements, outermost first.
    pub path: Vec<Projection>,
}

/// Where a place starts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlaceBase {
    /// A variable.
    Variable(VariableId),
    /// What a pointer points to: `*p`; `p[i]` is `*(p + i)`, `p->f` is `(*p).f`, and so is a use of a reference.
    Deref(Box<Expr>),
}

/// One step into an aggregate.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Projection {
    /// A field, by name (`Base::x` for one of a base class); `offset` in bytes from the aggregate's start where known.
    Field {
        /// Field name, qualified where ambiguous.
        name: String,
        /// Byte offset; `None` if unknown.
        offset: Option<u64>,
    },
    /// An element of an array (not of a pointer).
    Index {
        /// Which element.
        index: Box<Expr>,
        /// Bytes of one element; `None` if unknown.
        element_bytes: Option<u64>,
    },
}

impl Place {
    /// The place that is all of `variable`.
    #[must_use]
    pub fn variable(variable: VariableId) -> Self {
        Self { base: PlaceBase::Variable(variable), path: Vec::new() }
    }

    /// The place `*pointer`.
    #[must_use]
    pub fn deref(pointer: Expr) -> Self {
        Self { base: PlaceBase::Deref(Box::new(pointer)), path: Vec::new() }
    }
}

impl Expr {
    /// The value of `variable`, of type `ty`.
    #[must_use]
    pub fn variable(variable: VariableId, ty: TypeId) -> Self {
        Self::Load { place: Box::new(Place::variable(variable)), ty }
    }
}
