//! The CUDA API, one row per function: what it does, by argument position.

use echo_dataflow::program::DeviceMemory;

/// Where an argument stands.
pub(crate) type At = usize;

/// What a function does; positions refer to its arguments.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Role {
    /// `target` receives a pointer to `bytes` bytes.
    Allocate {
        memory: DeviceMemory,
        target: At,
        bytes: At,
    },
    /// `cudaHostAlloc`: the flags decide whether it is mapped.
    AllocateHost {
        target: At,
        bytes: At,
        flags: At,
    },
    /// Memory whose bytes are not an argument (pitched, arrays); `pitch` receives a number.
    AllocateShaped {
        memory: DeviceMemory,
        target: At,
        pitch: Option<At>,
    },
    Free(At),
    FreeHost(At),
    FreeAsync {
        pointer: At,
        stream: At,
    },
    FreeArray(At),
    /// `kind` `None`: fixed by the function.
    Copy {
        to: At,
        from: At,
        bytes: At,
        kind: Kind,
        stream: Stream,
    },
    Copy2d {
        to: At,
        to_pitch: At,
        from: At,
        from_pitch: At,
        width: At,
        height: At,
        kind: Kind,
        stream: Stream,
    },
    Fill {
        to: At,
        bytes: At,
        element_bytes: u64,
        stream: Stream,
    },
    /// Contiguous only if the pitch equals the width.
    Fill2d {
        to: At,
        pitch: At,
        width: At,
        height: At,
        stream: Stream,
    },
    WaitDevice,
    WaitStream(At),
    WaitEvent(At),
    QueryStream(At),
    QueryEvent(At),
    StreamCreate {
        target: At,
        flags: Option<At>,
    },
    StreamDestroy(At),
    EventCreate(At),
    EventDestroy(At),
    EventRecord {
        event: At,
        stream: At,
    },
    StreamWaitEvent {
        stream: At,
        event: At,
    },
    ElapsedTime {
        target: At,
        start: At,
        stop: At,
    },
    SetDevice(Option<At>),
    SetDeviceFlags,
    DeviceReset,
    HostRegister(At),
    ObservePointer {
        pointer: At,
        target: Option<At>,
    },
    CaptureBegin(At),
    CaptureEnd,
    GraphLaunch {
        stream: At,
    },
    HostCallback {
        stream: At,
        callee: At,
        data: At,
    },
    Hint(At),
    /// `pointer` is the side that is not the symbol.
    SymbolCopy {
        pointer: At,
        bytes: At,
        to_symbol: bool,
        stream: Stream,
    },
    Bind(At),
    /// Results go to what these arguments point to.
    Neutral(&'static [At]),
    /// Returns a pointer to constant text.
    Text,
    /// Known, and known not to be described.
    Unmodelled,
}

/// A copy's `kind`.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    At(At),
    HostToDevice,
    DeviceToHost,
    DeviceToDevice,
    Default,
}

/// Synchronous, or asynchronous in the stream at a position.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Stream {
    Sync,
    At(At),
}

/// The row of `name`; the `_v2`, `_ptsz` and `_ptds` forms share that of the plain one.
pub(crate) fn role(name: &str) -> Option<Role> {
    let name = name.strip_suffix("_ptsz").or_else(|| name.strip_suffix("_ptds")).unwrap_or(name);
    let plain = name
        .strip_suffix("_v2")
        .or_else(|| name.strip_suffix("_v3"))
        .or_else(|| name.strip_suffix("_v4"))
        .unwrap_or(name);
    runtime(plain).or_else(|| driver(plain))
}

/// Whether `name` is named like a function of the runtime or driver API (libraries have lower-case third letters).
pub(crate) fn is_api_name(name: &str) -> bool {
    let rest = name.strip_prefix("cuda").or_else(|| name.strip_prefix("cu"));
    rest.is_some_and(|r| r.starts_with(|c: char| c.is_ascii_uppercase()))
}

fn runtime(name: &str) -> Option<Role> {
    use DeviceMemory::{Array, Device, Managed, Pinned, Pitched, StreamOrdered};
    use Role::*;
    use Stream::{At as In, Sync};
    let kind = Kind::At;
    Some(match name {
        "cudaMalloc" => Allocate { memory: Device, target: 0, bytes: 1 },
        "cudaMallocManaged" => Allocate { memory: Managed, target: 0, bytes: 1 },
        "cudaMallocHost" => Allocate { memory: Pinned, target: 0, bytes: 1 },
        "cudaHostAlloc" => AllocateHost { target: 0, bytes: 1, flags: 2 },
        "cudaMallocAsync" | "cudaMallocFromPoolAsync" => {
            Allocate { memory: StreamOrdered, target: 0, bytes: 1 }
        }
        "cudaMallocPitch" => AllocateShaped { memory: Pitched, target: 0, pitch: Some(1) },
        "cudaMalloc3D" => AllocateShaped { memory: Pitched, target: 0, pitch: None },
        "cudaMallocArray" | "cudaMalloc3DArray" | "cudaMallocMipmappedArray" => {
            AllocateShaped { memory: Array, target: 0, pitch: None }
        }
        "cudaFree" => Free(0),
        "cudaFreeHost" => FreeHost(0),
        "cudaFreeAsync" => FreeAsync { pointer: 0, stream: 1 },
        "cudaFreeArray" | "cudaFreeMipmappedArray" => FreeArray(0),
        "cudaMemcpy" => Copy { to: 0, from: 1, bytes: 2, kind: kind(3), stream: Sync },
        "cudaMemcpyAsync" => Copy { to: 0, from: 1, bytes: 2, kind: kind(3), stream: In(4) },
        "cudaMemcpyPeer" => {
            Copy { to: 0, from: 2, bytes: 4, kind: Kind::DeviceToDevice, stream: Sync }
        }
        "cudaMemcpyPeerAsync" => {
            Copy { to: 0, from: 2, bytes: 4, kind: Kind::DeviceToDevice, stream: In(5) }
        }
        "cudaMemcpy2D" => Copy2d {
            to: 0,
            to_pitch: 1,
            from: 2,
            from_pitch: 3,
            width: 4,
            height: 5,
            kind: kind(6),
            stream: Sync,
        },
        "cudaMemcpy2DAsync" => Copy2d {
            to: 0,
            to_pitch: 1,
            from: 2,
            from_pitch: 3,
            width: 4,
            height: 5,
            kind: kind(6),
            stream: In(7),
        },
        "cudaMemcpyToSymbol" => SymbolCopy { pointer: 1, bytes: 2, to_symbol: true, stream: Sync },
        "cudaMemcpyToSymbolAsync" => {
            SymbolCopy { pointer: 1, bytes: 2, to_symbol: true, stream: In(5) }
        }
        "cudaMemcpyFromSymbol" => {
            SymbolCopy { pointer: 0, bytes: 2, to_symbol: false, stream: Sync }
        }
        "cudaMemcpyFromSymbolAsync" => {
            SymbolCopy { pointer: 0, bytes: 2, to_symbol: false, stream: In(5) }
        }
        "cudaMemset" => Fill { to: 0, bytes: 2, element_bytes: 1, stream: Sync },
        "cudaMemsetAsync" => Fill { to: 0, bytes: 2, element_bytes: 1, stream: In(3) },
        "cudaMemset2D" => Fill2d { to: 0, pitch: 1, width: 3, height: 4, stream: Sync },
        "cudaMemset2DAsync" => Fill2d { to: 0, pitch: 1, width: 3, height: 4, stream: In(5) },
        "cudaDeviceSynchronize" | "cudaThreadSynchronize" => WaitDevice,
        "cudaStreamSynchronize" => WaitStream(0),
        "cudaEventSynchronize" => WaitEvent(0),
        "cudaStreamQuery" => QueryStream(0),
        "cudaEventQuery" => QueryEvent(0),
        "cudaStreamCreate" => StreamCreate { target: 0, flags: None },
        "cudaStreamCreateWithFlags" | "cudaStreamCreateWithPriority" => {
            StreamCreate { target: 0, flags: Some(1) }
        }
        "cudaStreamDestroy" => StreamDestroy(0),
        "cudaEventCreate" | "cudaEventCreateWithFlags" => EventCreate(0),
        "cudaEventDestroy" => EventDestroy(0),
        "cudaEventRecord" | "cudaEventRecordWithFlags" => EventRecord { event: 0, stream: 1 },
        "cudaStreamWaitEvent" => StreamWaitEvent { stream: 0, event: 1 },
        "cudaEventElapsedTime" => ElapsedTime { target: 0, start: 1, stop: 2 },
        "cudaSetDevice" => SetDevice(Some(0)),
        "cudaSetValidDevices" | "cudaInitDevice" => SetDevice(None),
        "cudaSetDeviceFlags"
        | "cudaDeviceSetLimit"
        | "cudaDeviceSetCacheConfig"
        | "cudaDeviceSetSharedMemConfig"
        | "cudaThreadSetLimit"
        | "cudaThreadSetCacheConfig" => SetDeviceFlags,
        "cudaDeviceReset" | "cudaThreadExit" => DeviceReset,
        "cudaHostRegister" | "cudaHostUnregister" => HostRegister(0),
        "cudaPointerGetAttributes" => ObservePointer { pointer: 1, target: None },
        "cudaHostGetDevicePointer" => ObservePointer { pointer: 1, target: Some(0) },
        "cudaIpcGetMemHandle" => ObservePointer { pointer: 1, target: None },
        "cudaHostGetFlags" => ObservePointer { pointer: 1, target: None },
        "cudaStreamBeginCapture" => CaptureBegin(0),
        "cudaStreamEndCapture" => CaptureEnd,
        "cudaGraphLaunch" => GraphLaunch { stream: 1 },
        "cudaLaunchHostFunc" | "cudaStreamAddCallback" => {
            HostCallback { stream: 0, callee: 1, data: 2 }
        }
        "cudaMemPrefetchAsync" | "cudaMemAdvise" => Hint(0),
        "cudaStreamAttachMemAsync" => Hint(1),
        "cudaBindTexture" | "cudaBindTexture2D" => Bind(2),
        "cudaGetErrorString" | "cudaGetErrorName" => Text,
        "cudaGetLastError"
        | "cudaPeekAtLastError"
        | "cudaFuncSetAttribute"
        | "cudaFuncSetCacheConfig"
        | "cudaFuncSetSharedMemConfig"
        | "cudaDeviceEnablePeerAccess"
        | "cudaDeviceDisablePeerAccess"
        | "cudaProfilerStart"
        | "cudaProfilerStop"
        | "cudaCtxResetPersistingL2Cache"
        | "cudaCreateChannelDesc"
        | "cudaUnbindTexture"
        | "cudaGraphDestroy"
        | "cudaGraphExecDestroy"
        | "cudaDestroyTextureObject"
        | "cudaDestroySurfaceObject" => Neutral(&[]),
        "cudaGetDevice"
        | "cudaGetDeviceCount"
        | "cudaGetDeviceProperties"
        | "cudaDeviceGetAttribute"
        | "cudaDriverGetVersion"
        | "cudaRuntimeGetVersion"
        | "cudaFuncGetAttributes"
        | "cudaDeviceCanAccessPeer"
        | "cudaChooseDevice"
        | "cudaDeviceGetByPCIBusId"
        | "cudaDeviceGetPCIBusId"
        | "cudaDeviceGetLimit"
        | "cudaDeviceGetCacheConfig"
        | "cudaDeviceGetSharedMemConfig"
        | "cudaDeviceGetP2PAttribute"
        | "cudaGetDeviceFlags"
        | "cudaGetSymbolSize"
        | "cudaOccupancyMaxActiveBlocksPerMultiprocessor"
        | "cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"
        | "cudaOccupancyAvailableDynamicSMemPerBlock"
        | "cudaOccupancyMaxActiveClusters"
        | "cudaOccupancyMaxPotentialClusterSize" => Neutral(&[0]),
        "cudaMemGetInfo"
        | "cudaDeviceGetStreamPriorityRange"
        | "cudaOccupancyMaxPotentialBlockSize"
        | "cudaOccupancyMaxPotentialBlockSizeVariableSMem"
        | "cudaOccupancyMaxPotentialBlockSizeWithFlags" => Neutral(&[0, 1]),
        "cudaStreamGetPriority" | "cudaStreamGetFlags" | "cudaStreamIsCapturing" => Neutral(&[1]),
        // Deep descriptions of copies and launches that are not followed.
        "cudaMemcpyToArray"
        | "cudaMemcpyFromArray"
        | "cudaMemcpyArrayToArray"
        | "cudaMemcpy2DToArray"
        | "cudaMemcpy2DFromArray"
        | "cudaMemcpy3D"
        | "cudaMemcpy3DAsync"
        | "cudaMemcpy3DPeer"
        | "cudaMemset3D"
        | "cudaLaunchKernel"
        | "cudaLaunchKernelExC"
        | "cudaLaunchKernelEx"
        | "cudaLaunchCooperativeKernel"
        | "cudaLaunchCooperativeKernelMultiDevice"
        | "cudaGetSymbolAddress"
        | "cudaCreateTextureObject"
        | "cudaCreateSurfaceObject"
        | "cudaBindTextureToArray"
        | "cudaGraphInstantiate"
        | "cudaGraphCreate"
        | "cudaGraphAddKernelNode"
        | "cudaGraphAddMemcpyNode"
        | "cudaGraphicsMapResources"
        | "cudaGraphicsUnmapResources"
        | "cudaGraphicsResourceGetMappedPointer"
        | "cudaIpcOpenMemHandle" => Unmodelled,
        _ => return None,
    })
}

/// The driver API's twins. Device pointers are integers there (`CUdeviceptr`).
fn driver(name: &str) -> Option<Role> {
    use DeviceMemory::{Array, Device, Managed, Pinned, Pitched, StreamOrdered};
    use Role::*;
    use Stream::{At as In, Sync};
    let copy = |kind, stream| Copy { to: 0, from: 1, bytes: 2, kind, stream };
    Some(match name {
        "cuMemAlloc" => Allocate { memory: Device, target: 0, bytes: 1 },
        "cuMemAllocManaged" => Allocate { memory: Managed, target: 0, bytes: 1 },
        "cuMemAllocHost" => Allocate { memory: Pinned, target: 0, bytes: 1 },
        "cuMemHostAlloc" => AllocateHost { target: 0, bytes: 1, flags: 2 },
        "cuMemAllocAsync" => Allocate { memory: StreamOrdered, target: 0, bytes: 1 },
        "cuMemAllocPitch" => AllocateShaped { memory: Pitched, target: 0, pitch: Some(1) },
        "cuArrayCreate" | "cuArray3DCreate" => {
            AllocateShaped { memory: Array, target: 0, pitch: None }
        }
        "cuMemFree" => Free(0),
        "cuMemFreeHost" => FreeHost(0),
        "cuMemFreeAsync" => FreeAsync { pointer: 0, stream: 1 },
        "cuArrayDestroy" => FreeArray(0),
        "cuMemcpy" => copy(Kind::Default, Sync),
        "cuMemcpyAsync" => copy(Kind::Default, In(3)),
        "cuMemcpyHtoD" => copy(Kind::HostToDevice, Sync),
        "cuMemcpyHtoDAsync" => copy(Kind::HostToDevice, In(3)),
        "cuMemcpyDtoH" => copy(Kind::DeviceToHost, Sync),
        "cuMemcpyDtoHAsync" => copy(Kind::DeviceToHost, In(3)),
        "cuMemcpyDtoD" => copy(Kind::DeviceToDevice, Sync),
        "cuMemcpyDtoDAsync" => copy(Kind::DeviceToDevice, In(3)),
        "cuMemsetD8" => Fill { to: 0, bytes: 2, element_bytes: 1, stream: Sync },
        "cuMemsetD16" => Fill { to: 0, bytes: 2, element_bytes: 2, stream: Sync },
        "cuMemsetD32" => Fill { to: 0, bytes: 2, element_bytes: 4, stream: Sync },
        "cuMemsetD8Async" => Fill { to: 0, bytes: 2, element_bytes: 1, stream: In(3) },
        "cuMemsetD16Async" => Fill { to: 0, bytes: 2, element_bytes: 2, stream: In(3) },
        "cuMemsetD32Async" => Fill { to: 0, bytes: 2, element_bytes: 4, stream: In(3) },
        "cuCtxSynchronize" => WaitDevice,
        "cuStreamSynchronize" => WaitStream(0),
        "cuEventSynchronize" => WaitEvent(0),
        "cuStreamQuery" => QueryStream(0),
        "cuEventQuery" => QueryEvent(0),
        "cuStreamCreate" => StreamCreate { target: 0, flags: Some(1) },
        "cuStreamDestroy" => StreamDestroy(0),
        "cuEventCreate" => EventCreate(0),
        "cuEventDestroy" => EventDestroy(0),
        "cuEventRecord" => EventRecord { event: 0, stream: 1 },
        "cuStreamWaitEvent" => StreamWaitEvent { stream: 0, event: 1 },
        "cuEventElapsedTime" => ElapsedTime { target: 0, start: 1, stop: 2 },
        "cuCtxSetCurrent" | "cuCtxPushCurrent" | "cuDevicePrimaryCtxRetain" | "cuCtxCreate" => {
            SetDevice(None)
        }
        "cuCtxDestroy" | "cuDevicePrimaryCtxReset" | "cuDevicePrimaryCtxRelease" => DeviceReset,
        "cuMemHostRegister" | "cuMemHostUnregister" => HostRegister(0),
        "cuMemHostGetDevicePointer" => ObservePointer { pointer: 1, target: Some(0) },
        "cuPointerGetAttribute" => ObservePointer { pointer: 2, target: None },
        "cuMemPrefetchAsync" | "cuMemAdvise" => Hint(0),
        "cuInit"
        | "cuCtxSetCacheConfig"
        | "cuModuleUnload"
        | "cuFuncSetAttribute"
        | "cuFuncSetCacheConfig" => Neutral(&[]),
        "cuDeviceGet"
        | "cuDeviceGetCount"
        | "cuDeviceGetAttribute"
        | "cuDeviceGetName"
        | "cuDeviceGetUuid"
        | "cuDeviceTotalMem"
        | "cuDriverGetVersion"
        | "cuCtxGetDevice"
        | "cuCtxGetCurrent"
        | "cuModuleLoad"
        | "cuModuleLoadData"
        | "cuModuleLoadDataEx"
        | "cuModuleLoadFatBinary"
        | "cuModuleGetFunction"
        | "cuFuncGetAttribute"
        | "cuOccupancyMaxActiveBlocksPerMultiprocessor" => Neutral(&[0]),
        "cuMemGetInfo" | "cuDeviceComputeCapability" => Neutral(&[0, 1]),
        "cuGetErrorString" | "cuGetErrorName" => Neutral(&[1]),
        "cuLaunchKernel"
        | "cuLaunchCooperativeKernel"
        | "cuModuleGetGlobal"
        | "cuMemcpy2D"
        | "cuMemcpy3D"
        | "cuTexObjectCreate"
        | "cuSurfObjectCreate" => Unmodelled,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_name_has_one_row() {
        assert!(matches!(role("cuMemAlloc_v2"), Some(Role::Allocate { .. })));
        assert!(matches!(role("cudaMemcpyAsync_ptsz"), Some(Role::Copy { .. })));
        assert!(role("cudaNoSuchThing").is_none());
    }

    #[test]
    fn library_names_are_not_api_names() {
        for name in ["cublasSgemm_v2", "cufftExecC2C", "cusparseCreate", "curandGenerate", "cut"] {
            assert!(!is_api_name(name), "{name}");
        }
        for name in ["cudaMalloc", "cuMemAlloc", "cudaFutureFunction"] {
            assert!(is_api_name(name), "{name}");
        }
    }
}
