//! The CUDA API table: what each runtime function does, as a role with the positions of its arguments.
//!
//! A function that is declared in the CUDA headers and is not in the table is [`CudaOperation::Unmodelled`].
//!
//! [`CudaOperation::Unmodelled`]: echo_dataflow::program::CudaOperation::Unmodelled

use echo_dataflow::program::{DeviceMemory, TransferKind};

/// Roles; numbers are argument positions.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Allocate {
        memory: DeviceMemory,
        target: usize,
        bytes: usize,
    },
    AllocateFlags {
        target: usize,
        bytes: usize,
        flags: usize,
    },
    AllocateRows {
        target: usize,
    },
    Release(By),
    Copy {
        to: usize,
        from: usize,
        bytes: usize,
        kind: usize,
        stream: Option<usize>,
    },
    CopyFixed {
        to: usize,
        from: usize,
        bytes: usize,
        kind: TransferKind,
        stream: Option<usize>,
    },
    Copy2D {
        stream: Option<usize>,
    },
    Fill {
        stream: Option<usize>,
    },
    FillElements {
        bytes: i128,
        stream: Option<usize>,
    },
    Fill2D {
        stream: Option<usize>,
    },
    DeviceSync,
    StreamSync,
    EventSync,
    StreamQuery,
    EventQuery,
    StreamCreate {
        flags: Option<usize>,
    },
    StreamDestroy,
    EventCreate,
    EventDestroy,
    EventRecord,
    StreamWaitEvent,
    Elapsed,
    SetDevice,
    SetDeviceFlags,
    Reset,
    HostRegister,
    /// `value`: what is stored at `target` is an address of the same memory.
    Observe {
        pointer: usize,
        target: Option<usize>,
        value: bool,
    },
    CaptureBegin,
    CaptureEnd,
    GraphLaunch,
    HostCallback {
        stream: usize,
        callee: usize,
        data: usize,
    },
    Hint,
    ToSymbol {
        stream: Option<usize>,
    },
    FromSymbol {
        stream: Option<usize>,
    },
    LaunchKernel,
    Neutral,
}

#[derive(Clone, Copy)]
pub(super) enum By {
    Free,
    FreeHost,
    FreeAsync,
    FreeArray,
}

impl Role {
    /// The position of the stream of work that is queued.
    pub(super) fn stream(self) -> Option<usize> {
        match self {
            Role::Copy { stream, .. }
            | Role::CopyFixed { stream, .. }
            | Role::Copy2D { stream }
            | Role::Fill { stream }
            | Role::FillElements { stream, .. }
            | Role::Fill2D { stream }
            | Role::ToSymbol { stream }
            | Role::FromSymbol { stream } => stream,
            Role::Allocate { .. }
            | Role::AllocateFlags { .. }
            | Role::AllocateRows { .. }
            | Role::Release(_)
            | Role::DeviceSync
            | Role::StreamSync
            | Role::EventSync
            | Role::StreamQuery
            | Role::EventQuery
            | Role::StreamCreate { .. }
            | Role::StreamDestroy
            | Role::EventCreate
            | Role::EventDestroy
            | Role::EventRecord
            | Role::StreamWaitEvent
            | Role::Elapsed
            | Role::SetDevice
            | Role::SetDeviceFlags
            | Role::Reset
            | Role::HostRegister
            | Role::Observe { .. }
            | Role::CaptureBegin
            | Role::CaptureEnd
            | Role::GraphLaunch
            | Role::HostCallback { .. }
            | Role::Hint
            | Role::LaunchKernel
            | Role::Neutral => None,
        }
    }
}

const fn device(target: usize, bytes: usize) -> Role {
    Role::Allocate { memory: DeviceMemory::Device, target, bytes }
}

/// The role of the runtime or driver function `name`.
pub(super) fn role(name: &str) -> Option<Role> {
    use DeviceMemory as M;
    use TransferKind as T;
    let base = name.strip_suffix("_ptsz").or_else(|| name.strip_suffix("_ptds")).unwrap_or(name);
    // The headers of a toolkit rename functions whose type changed: `cuStreamBeginCapture` is `..._v2` there.
    let base = match base.rsplit_once("_v") {
        Some((first, "2" | "3" | "4")) => first,
        Some(_) | None => base,
    };
    Some(match base {
        "cudaMalloc" | "cuMemAlloc" => device(0, 1),
        "cudaMallocManaged" | "cuMemAllocManaged" => {
            Role::Allocate { memory: M::Managed, target: 0, bytes: 1 }
        }
        "cudaMallocHost" | "cuMemAllocHost" => {
            Role::Allocate { memory: M::Pinned, target: 0, bytes: 1 }
        }
        "cudaHostAlloc" | "cuMemHostAlloc" => Role::AllocateFlags { target: 0, bytes: 1, flags: 2 },
        "cudaMallocAsync" | "cudaMallocFromPoolAsync" | "cuMemAllocAsync" => {
            Role::Allocate { memory: M::StreamOrdered, target: 0, bytes: 1 }
        }
        "cudaMallocPitch" | "cudaMalloc3D" | "cuMemAllocPitch" => Role::AllocateRows { target: 0 },
        "cudaMallocArray" | "cudaMalloc3DArray" | "cudaMallocMipmappedArray" => {
            Role::Allocate { memory: M::Array, target: 0, bytes: usize::MAX }
        }
        "cudaFree" | "cuMemFree" => Role::Release(By::Free),
        "cudaFreeHost" | "cuMemFreeHost" => Role::Release(By::FreeHost),
        "cudaFreeAsync" | "cuMemFreeAsync" => Role::Release(By::FreeAsync),
        "cudaFreeArray" | "cudaFreeMipmappedArray" => Role::Release(By::FreeArray),
        "cudaMemcpy" => Role::Copy { to: 0, from: 1, bytes: 2, kind: 3, stream: None },
        "cudaMemcpyAsync" => Role::Copy { to: 0, from: 1, bytes: 2, kind: 3, stream: Some(4) },
        "cuMemcpyHtoD" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::HostToDevice, stream: None }
        }
        "cuMemcpyDtoH" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::DeviceToHost, stream: None }
        }
        "cuMemcpyDtoD" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::DeviceToDevice, stream: None }
        }
        "cuMemcpyHtoDAsync" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::HostToDevice, stream: Some(3) }
        }
        "cuMemcpyDtoHAsync" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::DeviceToHost, stream: Some(3) }
        }
        "cuMemcpy" => Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::Default, stream: None },
        "cuMemcpyAsync" => {
            Role::CopyFixed { to: 0, from: 1, bytes: 2, kind: T::Default, stream: Some(3) }
        }
        "cudaMemcpy2D" => Role::Copy2D { stream: None },
        "cudaMemcpy2DAsync" => Role::Copy2D { stream: Some(7) },
        "cudaMemset" => Role::Fill { stream: None },
        "cudaMemsetAsync" => Role::Fill { stream: Some(3) },
        "cudaMemset2D" => Role::Fill2D { stream: None },
        "cudaMemset2DAsync" => Role::Fill2D { stream: Some(5) },
        "cuMemsetD8" => Role::FillElements { bytes: 1, stream: None },
        "cuMemsetD32" => Role::FillElements { bytes: 4, stream: None },
        "cudaDeviceSynchronize" | "cudaThreadSynchronize" | "cuCtxSynchronize" => Role::DeviceSync,
        "cudaStreamSynchronize" | "cuStreamSynchronize" => Role::StreamSync,
        "cudaEventSynchronize" | "cuEventSynchronize" => Role::EventSync,
        "cudaStreamQuery" | "cuStreamQuery" => Role::StreamQuery,
        "cudaEventQuery" | "cuEventQuery" => Role::EventQuery,
        "cudaStreamCreate" => Role::StreamCreate { flags: None },
        "cudaStreamCreateWithFlags" | "cudaStreamCreateWithPriority" | "cuStreamCreate" => {
            Role::StreamCreate { flags: Some(1) }
        }
        "cudaStreamDestroy" | "cuStreamDestroy" => Role::StreamDestroy,
        "cudaEventCreate" | "cudaEventCreateWithFlags" | "cuEventCreate" => Role::EventCreate,
        "cudaEventDestroy" | "cuEventDestroy" => Role::EventDestroy,
        "cudaEventRecord" | "cudaEventRecordWithFlags" | "cuEventRecord" => Role::EventRecord,
        "cudaStreamWaitEvent" | "cuStreamWaitEvent" => Role::StreamWaitEvent,
        "cudaEventElapsedTime" | "cuEventElapsedTime" => Role::Elapsed,
        "cudaSetDevice"
        | "cudaInitDevice"
        | "cuCtxSetCurrent"
        | "cuCtxPushCurrent"
        | "cuCtxPopCurrent"
        | "cudaSetValidDevices" => Role::SetDevice,
        "cudaSetDeviceFlags" | "cudaDeviceSetLimit" => Role::SetDeviceFlags,
        "cudaDeviceReset"
        | "cudaThreadExit"
        | "cuDevicePrimaryCtxReset"
        | "cuDevicePrimaryCtxRelease"
        | "cuCtxDestroy"
        | "cuCtxDetach" => Role::Reset,
        "cudaHostRegister" | "cudaHostUnregister" | "cuMemHostRegister" | "cuMemHostUnregister" => {
            Role::HostRegister
        }
        "cudaPointerGetAttributes" | "cudaHostGetFlags" | "cudaIpcGetMemHandle" => {
            Role::Observe { pointer: 1, target: Some(0), value: false }
        }
        "cudaHostGetDevicePointer" => Role::Observe { pointer: 1, target: Some(0), value: true },
        "cudaIpcCloseMemHandle" => Role::Observe { pointer: 0, target: None, value: false },
        "cudaStreamBeginCapture"
        | "cuStreamBeginCapture"
        | "cudaStreamBeginCaptureToGraph"
        | "cuStreamBeginCaptureToGraph"
        | "cudaStreamBeginRecaptureToGraph"
        | "cuStreamBeginRecaptureToGraph" => Role::CaptureBegin,
        "cudaStreamEndCapture" | "cuStreamEndCapture" => Role::CaptureEnd,
        "cudaGraphLaunch" | "cuGraphLaunch" => Role::GraphLaunch,
        "cudaLaunchHostFunc" => Role::HostCallback { stream: 0, callee: 1, data: 2 },
        "cudaStreamAddCallback" => Role::HostCallback { stream: 0, callee: 1, data: 2 },
        "cudaMemPrefetchAsync" | "cudaMemAdvise" => Role::Hint,
        "cudaMemcpyToSymbol" => Role::ToSymbol { stream: None },
        "cudaMemcpyToSymbolAsync" => Role::ToSymbol { stream: Some(5) },
        "cudaMemcpyFromSymbol" => Role::FromSymbol { stream: None },
        "cudaMemcpyFromSymbolAsync" => Role::FromSymbol { stream: Some(5) },
        "cudaLaunchKernel" | "cudaLaunchCooperativeKernel" => Role::LaunchKernel,
        "cudaGetLastError"
        | "cudaPeekAtLastError"
        | "cudaGetErrorString"
        | "cudaGetErrorName"
        | "cudaGetDevice"
        | "cudaGetDeviceCount"
        | "cudaGetDeviceProperties"
        | "cudaDeviceGetAttribute"
        | "cudaDriverGetVersion"
        | "cudaRuntimeGetVersion"
        | "cudaMemGetInfo"
        | "cudaDeviceGetLimit"
        | "cudaDeviceGetCacheConfig"
        | "cudaDeviceSetCacheConfig"
        | "cudaThreadSetCacheConfig"
        | "cudaDeviceSetSharedMemConfig"
        | "cudaDeviceGetSharedMemConfig"
        | "cudaFuncSetCacheConfig"
        | "cudaFuncSetSharedMemConfig"
        | "cudaFuncSetAttribute"
        | "cudaFuncGetAttributes"
        | "cudaOccupancyMaxActiveBlocksPerMultiprocessor"
        | "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"
        | "cudaOccupancyMaxPotentialBlockSize"
        | "cudaOccupancyMaxPotentialBlockSizeWithFlags"
        | "cudaDeviceGetStreamPriorityRange"
        | "cudaDeviceGetPCIBusId"
        | "cudaDeviceCanAccessPeer"
        | "cudaChooseDevice"
        | "cudaProfilerStart"
        | "cudaProfilerStop"
        | "cudaCtxResetPersistingL2Cache"
        | "cudaDestroyTextureObject"
        | "cudaDestroySurfaceObject"
        | "cudaCreateChannelDesc"
        | "cudaGraphCreate"
        | "cudaGraphDestroy"
        | "cudaGraphExecDestroy"
        | "cudaGraphInstantiate"
        | "cudaStreamIsCapturing"
        | "cudaDeviceGetName"
        | "cuInit"
        | "cuDeviceGet"
        | "cuDeviceGetCount"
        | "cuDeviceGetName"
        | "cuDeviceGetAttribute"
        | "cuCtxGetCurrent"
        | "cuCtxGetDevice"
        | "cuDriverGetVersion"
        | "cuGetErrorString"
        | "cuGetErrorName"
        | "cuModuleUnload"
        | "cuMemGetInfo"
        | "make_cudaExtent"
        | "make_cudaPos" => Role::Neutral,
        _ => return None,
    })
}

/// Whether a system function of this name belongs to the CUDA runtime or driver.
pub(super) fn is_cuda_api(name: &str) -> bool {
    let after = |prefix: &str| {
        name.strip_prefix(prefix)
            .and_then(|rest| rest.chars().next())
            .is_some_and(char::is_uppercase)
    };
    after("cuda") || after("cu")
}
