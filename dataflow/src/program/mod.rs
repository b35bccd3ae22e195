//! The program under analysis: what the front end fills in and the analysis reads.
//!
//! One [`Program`] links any number of translation units: functions, globals and fields are keyed by
//! name (their USR), never by the file they came from. Lowering is *total*: every host function is a
//! control-flow graph over the closed set of [`StatementKind`]s, and whatever was not understood is
//! [`StatementKind::Opaque`], which may do anything to everything reachable. There is no third outcome
//! (DESIGN section 3).

mod cuda;
mod expr;
mod function;
mod source;
mod statement;

use std::collections::BTreeSet;

pub use cuda::{
    Capture, CopyShape, CudaOperation, DeviceMemory, DeviceRelease, Rows, TransferKind, Wait,
};
pub use expr::{Arithmetic, Comparison, Expr, Place, PlaceBase, Projection};
pub use function::{
    Block, BlockId, Function, FunctionId, FunctionKind, StatementRef, Storage, Type, TypeId,
    TypeKind, Variable, VariableId, plain_name,
};
pub use source::{
    CallRole, CallSyntax, Declaration, FileId, LineStarts, SourceFile, SourceRef, Span, Spelling,
    Suppression,
};
pub use statement::{
    Argument, Call, Callee, HostAllocation, HostAllocator, HostDeallocator, HostRelease, Launch,
    Statement, StatementKind, Terminator,
};

/// Everything the analysis may know of the scanned sources.
#[derive(Debug, Clone, Default)]
pub struct Program {
    /// Indexed by [`FileId`].
    pub files: Vec<SourceFile>,
    /// Indexed by [`TypeId`].
    pub types: Vec<Type>,
    /// Indexed by [`VariableId`]: globals, parameters and locals of all functions.
    pub variables: Vec<Variable>,
    /// Indexed by [`FunctionId`]: host functions, kernels and device functions, one per template instantiation.
    pub functions: Vec<Function>,
    /// Whether default-stream operations of these units go to the per-thread default stream
    /// (`--default-stream per-thread`, R-25); otherwise the legacy stream.
    pub per_thread_default_stream: bool,
    /// Those of [`WRITTEN_NAMES`] that the units' own files declare as anything (macro, function, member, type, ...),
    /// wherever: a name found in a scope hides the one outside.
    pub taken_names: BTreeSet<&'static str>,
}

/// All names that an edit may bring into a file.
pub const WRITTEN_NAMES: [&str; 17] = [
    "cudaMallocManaged",
    "cudaHostAlloc",
    "cudaHostAllocMapped",
    "cudaHostRegister",
    "cudaHostRegisterDefault",
    "cudaHostRegisterMapped",
    "cudaHostUnregister",
    "cudaMemAttachGlobal",
    "cudaMemcpyDefault",
    "cudaStreamSynchronize",
    "cudaDeviceSynchronize",
    "cudaFree",
    "cudaFreeHost",
    "cudaSuccess",
    "aligned_alloc",
    "free",
    "memset",
];

impl Program {
    /// The function `id` names.
    #[must_use]
    pub fn function(&self, id: FunctionId) -> &Function {
        &self.functions[id.index()]
    }

    /// The variable `id` names.
    #[must_use]
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.index()]
    }

    /// The type `id` names.
    #[must_use]
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// The file `id` names.
    #[must_use]
    pub fn file(&self, id: FileId) -> &SourceFile {
        &self.files[id.index()]
    }

    /// The statement `at` names.
    #[must_use]
    pub fn statement(&self, at: StatementRef) -> &Statement {
        &self.function(at.function).blocks[at.block.index()].statements[at.index as usize]
    }
}
