//! Functions, variables and types.

use super::{CallSyntax, Declaration, SourceRef, Statement, Terminator};

crate::index_type! {
    /// Index into [`super::Program::functions`].
    FunctionId
}
crate::index_type! {
    /// Index into [`super::Program::variables`].
    VariableId
}
crate::index_type! {
    /// Index into [`super::Program::types`].
    TypeId
}
crate::index_type! {
    /// Index into [`Function::blocks`].
    BlockId
}

/// One function body, as a control-flow graph.
#[derive(Debug, Clone)]
pub struct Function {
    /// Unified symbol resolution string: equal across translation units for external linkage, distinct for each
    /// template instantiation and for functions of internal linkage.
    pub usr: String,
    /// Qualified name for people: `Detector::upload`.
    pub name: String,
    /// What it is called as.
    pub kind: FunctionKind,
    /// Parameters in order. A member function's object is the first parameter, a pointer named `this`. A
    /// lambda's captured variables are *not* parameters: the body refers to the captured variables themselves.
    pub parameters: Vec<VariableId>,
    /// Type of the value returned.
    pub returns: TypeId,
    /// `static`, anonymous namespace, lambda: no other translation unit can call it by name.
    pub internal_linkage: bool,
    /// Its address is taken, it is virtual, or it is an element of an overload set passed on: it may be called
    /// from places that are not seen as calls.
    pub address_taken: bool,
    /// Parameters are variadic (`...`).
    pub variadic: bool,
    /// Basic blocks; execution enters at [`BlockId`] 0. Empty for an opaque function.
    pub blocks: Vec<Block>,
    /// Why the body is not understood, if so: then it may do anything, and `blocks` is empty.
    pub opaque: Option<String>,
    /// The function's name in its definition.
    pub source: SourceRef,
    /// The whole definition: return type to closing brace.
    pub definition: super::Span,
}

/// The word by which text calls the function of this qualified name: `upload` for `Detector<T>::upload`. `None` if it is
/// called without its name, as operators, conversions and destructors are.
#[must_use]
pub fn plain_name(name: &str) -> Option<&str> {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let (mut start, mut depth) = (0, 0usize);
    for (at, byte) in name.bytes().enumerate() {
        match byte {
            b'<' => depth += 1,
            b'>' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => start = at + 1,
            _ => {}
        }
    }
    let last = &name[start..];
    if let Some(symbol) = last.strip_prefix("operator")
        && !symbol.bytes().next().is_some_and(is_word)
    {
        return None;
    }
    let word = last.split('<').next().unwrap_or(last);
    (!word.is_empty() && word.bytes().all(is_word)).then_some(word)
}

/// What a function is called as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FunctionKind {
    /// `main`: nobody else calls it.
    Main,
    /// Any other host function (also `__host__ __device__`).
    Host,
    /// `__global__`.
    Kernel,
    /// `__device__` only.
    Device,
    /// A constructor (host).
    Constructor,
    /// A destructor (host).
    Destructor,
}

/// Straight-line statements and how they end.
#[derive(Debug, Clone)]
pub struct Block {
    /// In order of execution.
    pub statements: Vec<Statement>,
    /// What follows.
    pub terminator: Terminator,
    /// Where that is written: the condition, the selector, the `return`; `None` if nothing is.
    pub end: Option<SourceRef>,
}

/// One statement of one function.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StatementRef {
    /// The function.
    pub function: FunctionId,
    /// Its block.
    pub block: BlockId,
    /// Index into [`Block::statements`].
    pub index: u32,
}

/// A variable, parameter, global or lowering temporary.
#[derive(Debug, Clone)]
pub struct Variable {
    /// Name as written; temporaries are named `%0`, `%1`, ...
    pub name: String,
    /// USR for globals and static members (they link across translation units); empty for others.
    pub usr: String,
    /// Its type. A C++ reference is lowered to a pointer and every use of it to a dereference.
    pub ty: TypeId,
    /// Where it lives.
    pub storage: Storage,
    /// It can become an alias by assignment: not `const` itself (the pointee may be) and not a C++ reference.
    pub assignable: bool,
    /// `__restrict__` pointer.
    pub restrict: bool,
    /// `volatile` object or pointee.
    pub volatile: bool,
    /// Where it is declared; `None` for temporaries and implicit parameters.
    pub declaration: Option<Declaration>,
}

/// Where a variable lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Storage {
    /// Automatic variable of a function.
    Local,
    /// Parameter.
    Parameter,
    /// A value that exists only in the lowering; it has no address.
    Temporary,
    /// Namespace-scope or static member variable visible to other translation units.
    Global,
    /// Namespace-scope variable of internal linkage.
    InternalGlobal,
    /// Function-scope `static`: keeps its value between calls.
    StaticLocal,
    /// `__device__`, `__constant__` or `__shared__` variable.
    Device,
    /// `__managed__` variable.
    Managed,
}

/// What the analysis needs of a C++ type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Type {
    /// As the user would write it: `float *`.
    pub spelling: String,
    /// Bytes of a value; `None` if incomplete, dependent or invalid.
    pub bytes: Option<u64>,
    /// Its shape.
    pub kind: TypeKind,
}

/// Shape of a type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum TypeKind {
    /// `void`.
    Void,
    /// Integers, `bool`, characters, enumerations.
    Integer {
        /// Two's-complement signed.
        signed: bool,
    },
    /// `float`, `double`, half types.
    Float,
    /// Pointers, decayed arrays and C++ references.
    Pointer {
        /// What it points to.
        to: TypeId,
    },
    /// A class, struct or union.
    Record {
        /// Constructing and destroying it runs no code (trivial default constructor and destructor).
        trivial: bool,
        /// A union: its fields overlap.
        union: bool,
        /// A pointer may be stored in it (directly, in a field or a base); `true` if unknown.
        may_hold_pointers: bool,
    },
    /// `T[n]`.
    Array {
        /// Element type.
        of: TypeId,
        /// Number of elements; `None` for unknown bounds and variable-length arrays.
        count: Option<u64>,
    },
    /// Function types and member pointers.
    Function,
    /// Anything else (dependent, invalid, `auto` that was not deduced): may hold anything.
    Unknown,
}

impl Function {
    /// It is the body of a lambda, or may be one: it names variables of the functions around it.
    #[must_use]
    pub fn may_capture(&self) -> bool {
        self.usr.starts_with("lambda@") || self.name.ends_with("operator()")
    }

    /// The syntax record of a statement's call, if it has one.
    #[must_use]
    pub fn syntax(&self, block: BlockId, index: u32) -> Option<&CallSyntax> {
        self.blocks[block.index()].statements[index as usize].syntax.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::plain_name;

    #[test]
    fn functions_that_are_called_without_their_name_have_none() {
        assert_eq!(plain_name("upload"), Some("upload"));
        assert_eq!(plain_name("ns::Detector<a::B>::upload<float>"), Some("upload"));
        assert_eq!(plain_name("operators"), Some("operators"));
        for name in [
            "Buffer::~Buffer",
            "Buffer::operator=",
            "operator<",
            "operator<<",
            "A::operator int",
            "",
        ] {
            assert_eq!(plain_name(name), None, "{name}");
        }
    }
}
