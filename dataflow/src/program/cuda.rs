//! CUDA operations: the roles of the API table.

use super::{Expr, Place, TypeId};

/// What a CUDA runtime or driver call does. Roles not in this list are [`CudaOperation::Unmodelled`].
#[derive(Debug, Clone)]
pub enum CudaOperation {
    /// Allocation.
    Allocate {
        /// What kind of memory.
        memory: DeviceMemory,
        /// Where the pointer is stored: `*(void **)&d` is the place `d`.
        target: Place,
        /// The type of the pointer as it is written there, if it is: that of `d`.
        ty: Option<TypeId>,
        /// Bytes.
        bytes: Expr,
    },
    /// Release.
    Release {
        /// By which function.
        by: DeviceRelease,
        /// What.
        pointer: Expr,
    },
    /// Copy.
    Copy {
        /// Destination.
        to: Expr,
        /// Source.
        from: Expr,
        /// Which bytes.
        shape: CopyShape,
        /// The `kind` argument.
        kind: TransferKind,
        /// `None`: the synchronous form (default stream). `Some(None)`: async in the default stream.
        stream: Option<Option<Expr>>,
    },
    /// `cudaMemset` and its kin.
    Fill {
        /// Destination.
        to: Expr,
        /// Bytes.
        bytes: Expr,
        /// As for `Copy`.
        stream: Option<Option<Expr>>,
    },
    /// The host waits.
    Synchronize(Wait),
    /// `cudaStreamQuery`, `cudaEventQuery`: orders only if it succeeded, which is not tracked.
    Query(Wait),
    /// A stream is created.
    StreamCreate {
        /// Where the handle is stored.
        target: Place,
        /// `cudaStreamNonBlocking`; `None` if the flags are not constant.
        non_blocking: Option<bool>,
    },
    /// A stream is destroyed; not a synchronization.
    StreamDestroy(Expr),
    /// An event is created.
    EventCreate(Place),
    /// An event is destroyed.
    EventDestroy(Expr),
    /// `cudaEventRecord`.
    EventRecord {
        /// The event.
        event: Expr,
        /// `None`: default stream.
        stream: Option<Expr>,
    },
    /// `cudaStreamWaitEvent`.
    StreamWaitEvent {
        /// The waiting stream.
        stream: Option<Expr>,
        /// The event.
        event: Expr,
    },
    /// `cudaEventElapsedTime`: observes durations.
    ElapsedTime {
        /// First event.
        start: Expr,
        /// Second event.
        stop: Expr,
        /// Where the milliseconds are stored.
        target: Place,
    },
    /// `cudaSetDevice` and its kin; the operand if there is one.
    SetDevice(Option<Expr>),
    /// `cudaSetDeviceFlags`, `cudaDeviceSetLimit` and the like, which act on a context that is not yet initialised.
    SetDeviceFlags,
    /// `cudaDeviceReset`.
    DeviceReset,
    /// `cudaHostRegister` / `cudaHostUnregister`.
    HostRegister(Expr),
    /// `cudaPointerGetAttributes`, `cudaHostGetDevicePointer`, `cudaIpcGetMemHandle`, `cudaGraph...` on a pointer:
    /// the address or kind of `pointer` is observed (S3, S6); a pointer result goes to `target`.
    ObservePointer {
        /// Observed.
        pointer: Expr,
        /// Where a derived pointer or handle is stored.
        target: Option<Place>,
    },
    /// Stream capture begins or ends.
    Capture(Capture),
    /// `cudaLaunchHostFunc`, `cudaStreamAddCallback`.
    HostCallback {
        /// Stream.
        stream: Option<Expr>,
        /// Callee.
        callee: Expr,
        /// User data.
        data: Expr,
    },
    /// `cudaMemPrefetchAsync`, `cudaMemAdvise`, `cudaStreamAttachMemAsync` on `pointer`.
    Hint {
        /// The range's start.
        pointer: Expr,
    },
    /// `cudaMemcpyToSymbol` and from: host memory against a device variable.
    SymbolCopy {
        /// The host (or device-buffer) side.
        pointer: Expr,
        /// Bytes.
        bytes: Expr,
        /// The pointer side is read (to the symbol) rather than written.
        to_symbol: bool,
        /// As for `Copy`.
        stream: Option<Option<Expr>>,
    },
    /// Binds `pointer` to a texture or another descriptor that device code reads later.
    Bind {
        /// Bound device pointer.
        pointer: Expr,
    },
    /// Reads or sets state that no memory and no order depends on: `cudaGetLastError`,
    /// `cudaGetDeviceProperties`, occupancy queries. `writes` are plain results.
    Neutral {
        /// Result places.
        writes: Vec<Place>,
    },
    /// `cudaMemGetInfo`: how much memory the program has left. `writes` are its results.
    MemoryInfo {
        /// Result places.
        writes: Vec<Place>,
    },
    /// In the API but not modelled; `arguments` may be read, written and retained.
    Unmodelled {
        /// All arguments.
        arguments: Vec<Expr>,
    },
}

impl CudaOperation {
    /// Whether it may change what other operations mean: reset the device, make another the current one, capture streams.
    #[must_use]
    pub fn controls(&self) -> bool {
        match self {
            Self::SetDevice(_)
            | Self::SetDeviceFlags
            | Self::DeviceReset
            | Self::Capture(_)
            | Self::HostCallback { .. }
            | Self::Unmodelled { .. } => true,
            Self::Allocate { .. }
            | Self::Release { .. }
            | Self::Copy { .. }
            | Self::Fill { .. }
            | Self::Synchronize(_)
            | Self::Query(_)
            | Self::StreamCreate { .. }
            | Self::StreamDestroy(_)
            | Self::EventCreate(_)
            | Self::EventDestroy(_)
            | Self::EventRecord { .. }
            | Self::StreamWaitEvent { .. }
            | Self::ElapsedTime { .. }
            | Self::HostRegister(_)
            | Self::ObservePointer { .. }
            | Self::Hint { .. }
            | Self::SymbolCopy { .. }
            | Self::Bind { .. }
            | Self::MemoryInfo { .. }
            | Self::Neutral { .. } => false,
        }
    }
}

/// Kinds of memory CUDA allocates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DeviceMemory {
    /// `cudaMalloc`, `cuMemAlloc`.
    Device,
    /// `cudaMallocManaged`.
    Managed,
    /// `cudaMallocHost`, `cudaHostAlloc` without the mapped flag.
    Pinned,
    /// `cudaHostAlloc` with `cudaHostAllocMapped` (or flags that are not constant).
    Mapped,
    /// `cudaMallocPitch`, `cudaMalloc3D`: the row pitch is chosen at run time.
    Pitched,
    /// `cudaMallocAsync`, pools: lifetime in stream order.
    StreamOrdered,
    /// `cudaMallocArray` and the like: opaque layout.
    Array,
}

/// Functions that release CUDA memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeviceRelease {
    /// `cudaFree`.
    Free,
    /// `cudaFreeHost`.
    FreeHost,
    /// `cudaFreeAsync` in a stream.
    FreeAsync(Option<Expr>),
    /// `cudaFreeArray` and the like.
    FreeArray,
}

/// The bytes a copy moves.
#[derive(Debug, Clone)]
pub enum CopyShape {
    /// `bytes` contiguous bytes.
    Linear {
        /// How many.
        bytes: Expr,
    },
    /// `height` rows of `width` bytes.
    Rows(Box<Rows>),
}

/// The bytes of a copy by rows.
#[derive(Debug, Clone)]
pub struct Rows {
    /// Bytes from row to row in the destination.
    pub to_pitch: Expr,
    /// Bytes from row to row in the source.
    pub from_pitch: Expr,
    /// Bytes of a row.
    pub width: Expr,
    /// Number of rows.
    pub height: Expr,
}

/// The `cudaMemcpyKind` argument as written; the direction itself is inferred from the operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "named after the enumerators")]
pub enum TransferKind {
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    Default,
    /// Not a constant.
    Unknown,
}

/// What the host waits for.
#[derive(Debug, Clone)]
pub enum Wait {
    /// `cudaDeviceSynchronize`.
    Device,
    /// `cudaStreamSynchronize`; `None` is the default stream.
    Stream(Option<Expr>),
    /// `cudaEventSynchronize`.
    Event(Expr),
}

/// Stream capture.
#[derive(Debug, Clone)]
#[allow(missing_docs, reason = "named after the functions")]
pub enum Capture {
    Begin(Option<Expr>),
    End,
    /// `cudaGraphLaunch` of a graph in a stream: device work that is not described.
    Launch(Option<Expr>),
}
