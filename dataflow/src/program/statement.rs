//! The closed set of statements.

use std::sync::Arc;

use super::{
    BlockId, CallSyntax, CudaOperation, Expr, FunctionId, Place, SourceRef, TypeId, VariableId,
};

/// One step of a function.
#[derive(Debug, Clone)]
pub struct Statement {
    /// What it does.
    pub kind: StatementKind,
    /// Where it stands.
    pub source: SourceRef,
    /// For allocations, releases, CUDA operations, launches and calls: the text of the call.
    pub syntax: Option<Box<CallSyntax>>,
}

/// What a statement does.
#[derive(Debug, Clone)]
pub enum StatementKind {
    /// A local variable comes into scope: its value is indeterminate until assigned (in a loop, each time).
    Declare(VariableId),
    /// `place = value`, a scalar or pointer store of type `ty`.
    Assign {
        /// Target.
        place: Place,
        /// Type stored; its size is the number of bytes written.
        ty: TypeId,
        /// Value.
        value: Expr,
    },
    /// Copy of a whole class, struct or array value by its trivial copy operation.
    CopyAggregate {
        /// Target.
        to: Place,
        /// Source.
        from: Box<Place>,
        /// Type copied.
        ty: TypeId,
    },
    /// `value` is computed and dropped (a condition, an expression statement): only its reads matter.
    Evaluate(Expr),
    /// Allocation of host memory.
    HostAllocate(Box<HostAllocation>),
    /// Release of host memory.
    HostRelease(HostRelease),
    /// A call of the CUDA runtime or driver that the table knows. The large kinds are boxed: most statements are small,
    /// and a long program has hundreds of thousands.
    Cuda {
        /// What it does.
        operation: Box<CudaOperation>,
        /// Name of the API function.
        name: Arc<str>,
        /// Where the returned status goes, if it is used.
        result: Option<Place>,
    },
    /// A kernel launch.
    Launch(Box<Launch>),
    /// Any other call.
    Call(Box<Call>),
    /// Not understood: may do anything to everything reachable, including CUDA work, frees and synchronization.
    Opaque {
        /// What was not understood, for people: `inline assembly`.
        why: String,
    },
}

impl StatementKind {
    /// What a call of the CUDA API does; `None` for other statements.
    #[must_use]
    pub fn cuda_operation(&self) -> Option<&CudaOperation> {
        match self {
            Self::Cuda { operation, .. } => Some(operation),
            Self::Declare(_)
            | Self::Assign { .. }
            | Self::CopyAggregate { .. }
            | Self::Evaluate(_)
            | Self::HostAllocate(_)
            | Self::HostRelease(_)
            | Self::Launch(_)
            | Self::Call(_)
            | Self::Opaque { .. } => None,
        }
    }
}

/// `malloc`, `calloc`, `new`, and configured allocators.
#[derive(Debug, Clone)]
pub struct HostAllocation {
    /// The allocator.
    pub allocator: HostAllocator,
    /// Bytes asked for: the product for `calloc` and `new T[n]`.
    pub bytes: Expr,
    /// Where the pointer goes (mostly a temporary).
    pub result: Place,
    /// Element type for `new`; `None` for raw memory.
    pub element: Option<TypeId>,
}

pub use host_allocator::HostAllocator;
mod host_allocator {
    /// Which allocator.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum HostAllocator {
        /// `malloc`, or an allocator of `echo.toml`.
        Malloc,
        /// `calloc`: zero-filled.
        Calloc,
        /// `new T[n]` of a trivial `T` without initialiser: no code runs, contents indeterminate.
        NewArray,
        /// `new T[n]()` of a trivial `T`: zero-filled.
        NewArrayZeroed,
        /// `new T[n]` whose constructors run, or `new T[n]{...}`: not a candidate.
        NewArrayConstructed,
        /// `new T`, `new T(...)`: one object; the constructor call follows as a statement of its own.
        NewObject,
        /// `aligned_alloc`, `posix_memalign`, `memalign`, `valloc`, `strdup`, `mmap`, `realloc`'s result: host
        /// memory that is not a candidate.
        Other,
    }
}

/// `free`, `delete`, `delete[]`.
#[derive(Debug, Clone)]
pub struct HostRelease {
    /// How.
    pub deallocator: HostDeallocator,
    /// What.
    pub pointer: Expr,
}

pub use host_deallocator::HostDeallocator;
mod host_deallocator {
    /// Which deallocator.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum HostDeallocator {
        /// `free`, or a free function of `echo.toml`.
        Free,
        /// `delete`.
        Delete,
        /// `delete[]`.
        DeleteArray,
        /// The old block of a `realloc`.
        Realloc,
    }
}

/// `kernel<<<grid, block, shared, stream>>>(arguments)` or `cudaLaunchKernel`.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The kernel; unknown if it has no body here.
    pub kernel: Callee,
    /// Kernel arguments.
    pub arguments: Vec<Argument>,
    /// Stream; `None` is the default stream.
    pub stream: Option<Expr>,
    /// Grid, block and shared-memory operands, for their reads.
    pub configuration: Vec<Expr>,
    /// Cooperative or with dependent-launch attributes.
    pub extended: bool,
}

/// Any call that is not an allocation, release, CUDA operation or launch.
#[derive(Debug, Clone)]
pub struct Call {
    /// Who is called.
    pub callee: Callee,
    /// Arguments in order; a member call's object pointer comes first.
    pub arguments: Vec<Argument>,
    /// Where the returned value goes, if it is used.
    pub result: Option<Place>,
    /// Type returned.
    pub returns: TypeId,
}

/// Who is called.
#[derive(Debug, Clone)]
pub enum Callee {
    /// A function of the program (its body may still be opaque).
    Function(FunctionId),
    /// A function without a body here.
    External {
        /// Plain qualified name, as effect models name it: `cublasSgemm_v2`, `std::sort`.
        name: Arc<str>,
        /// USR.
        usr: Arc<str>,
        /// Declared in a system header or a built-in one: cannot call back into the program except through
        /// callables it is given.
        system: bool,
        /// May use CUDA: anything but the C and C++ libraries, the operating system's, and CUDA's arithmetic.
        may_use_cuda: bool,
        /// Functions it may call back: lambdas and functions passed to it.
        callbacks: Vec<FunctionId>,
        /// Never returns (`exit`, `abort`, `[[noreturn]]`); lowering also ends the block with `Exit`.
        noreturn: bool,
    },
    /// Through a pointer, a virtual call, or a callee that did not resolve.
    Indirect(Expr),
}

/// One argument.
#[derive(Debug, Clone)]
pub struct Argument {
    /// The value; for a class passed by value, a `Load` of the place it is copied from.
    pub value: Expr,
    /// Its type after conversion to the parameter.
    pub ty: TypeId,
    /// Where it is written.
    pub source: SourceRef,
}

/// How a block ends.
#[derive(Debug, Clone)]
pub enum Terminator {
    /// To one block.
    Goto(BlockId),
    /// On `condition`.
    Branch {
        /// Tested value; kept as a comparison where the source has one.
        condition: Expr,
        /// If non-zero.
        then: BlockId,
        /// If zero.
        otherwise: BlockId,
    },
    /// To any of several blocks (switch, indirect goto, exceptional edges).
    Switch {
        /// Selector.
        value: Expr,
        /// Successors, at least one.
        targets: Vec<BlockId>,
    },
    /// Return from the function.
    Return(Option<Expr>),
    /// The process ends here (`exit`, `abort`, a failed assertion, a throw that nobody in the program catches).
    Exit,
    /// Control cannot come here.
    Unreachable,
}
