//! Result codes (`CUresult`).

/// `CUDA_SUCCESS`.
pub(super) const SUCCESS: i32 = 0;
/// `CUDA_ERROR_INVALID_VALUE`.
pub(super) const INVALID_VALUE: i32 = 1;
/// `CUDA_ERROR_OUT_OF_MEMORY`.
pub(super) const OUT_OF_MEMORY: i32 = 2;
/// `CUDA_ERROR_NOT_INITIALIZED`.
pub(super) const NOT_INITIALIZED: i32 = 3;
/// `CUDA_ERROR_INVALID_DEVICE`.
pub(super) const INVALID_DEVICE: i32 = 101;
/// `CUDA_ERROR_INVALID_IMAGE`.
pub(super) const INVALID_IMAGE: i32 = 200;
/// `CUDA_ERROR_INVALID_CONTEXT`.
pub(super) const INVALID_CONTEXT: i32 = 201;
/// `CUDA_ERROR_FILE_NOT_FOUND`.
pub(super) const FILE_NOT_FOUND: i32 = 301;
/// `CUDA_ERROR_INVALID_HANDLE`.
pub(super) const INVALID_HANDLE: i32 = 400;
/// `CUDA_ERROR_NOT_FOUND`.
pub(super) const NOT_FOUND: i32 = 500;
/// `CUDA_ERROR_NOT_READY`.
pub(super) const NOT_READY: i32 = 600;
/// `CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED`.
pub(super) const ALREADY_REGISTERED: i32 = 712;
/// `CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED`.
pub(super) const NOT_REGISTERED: i32 = 713;
/// `CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE`.
pub(super) const COOPERATIVE_TOO_LARGE: i32 = 720;
/// `CUDA_ERROR_NOT_SUPPORTED`.
pub(super) const NOT_SUPPORTED: i32 = 801;

/// `CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED`.
pub(super) const CAPTURE_UNSUPPORTED: i32 = 900;

/// Names and sentences, for `cuGetErrorName` and `cuGetErrorString`.
pub(super) const TEXTS: [(i32, &std::ffi::CStr, &std::ffi::CStr); 17] = [
    (SUCCESS, c"CUDA_SUCCESS", c"no error"),
    (INVALID_VALUE, c"CUDA_ERROR_INVALID_VALUE", c"invalid argument"),
    (OUT_OF_MEMORY, c"CUDA_ERROR_OUT_OF_MEMORY", c"out of memory"),
    (NOT_INITIALIZED, c"CUDA_ERROR_NOT_INITIALIZED", c"initialization error"),
    (INVALID_DEVICE, c"CUDA_ERROR_INVALID_DEVICE", c"invalid device ordinal"),
    (INVALID_IMAGE, c"CUDA_ERROR_INVALID_IMAGE", c"device kernel image is invalid"),
    (INVALID_CONTEXT, c"CUDA_ERROR_INVALID_CONTEXT", c"invalid device context"),
    (FILE_NOT_FOUND, c"CUDA_ERROR_FILE_NOT_FOUND", c"file not found"),
    (INVALID_HANDLE, c"CUDA_ERROR_INVALID_HANDLE", c"invalid resource handle"),
    (NOT_FOUND, c"CUDA_ERROR_NOT_FOUND", c"named symbol not found"),
    (NOT_READY, c"CUDA_ERROR_NOT_READY", c"device not ready"),
    (
        ALREADY_REGISTERED,
        c"CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
        c"part or all of the requested memory range is already mapped",
    ),
    (
        NOT_REGISTERED,
        c"CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
        c"pointer does not correspond to a registered memory region",
    ),
    (
        COOPERATIVE_TOO_LARGE,
        c"CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
        c"too many blocks in cooperative launch",
    ),
    (NOT_SUPPORTED, c"CUDA_ERROR_NOT_SUPPORTED", c"operation not supported"),
    (
        CAPTURE_UNSUPPORTED,
        c"CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
        c"operation not permitted when stream is capturing",
    ),
    (999, c"CUDA_ERROR_UNKNOWN", c"unknown error"),
];
