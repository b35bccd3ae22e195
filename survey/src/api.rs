//! The names the survey looks for: one table from a CUDA (or libc) name to what its presence says.

use serde::{Deserialize, Serialize};

/// What one occurrence of a name in code (never in a comment or a string) says about a file.
///
/// The order is the order of columns in every report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// A copy call whose direction is host to device or device to host (paper section 2.4).
    ExplicitCopy,
    /// `cudaMemcpyDefault`, or a copy call whose direction this file does not show.
    UndirectedCopy,
    /// `cudaMalloc` and nothing that merely starts like it.
    DeviceAllocation,
    /// `cudaMallocAsync`, `cudaMallocPitch`, `cudaMalloc3D`, arrays: device memory, but not the paper's pattern.
    OtherDeviceAllocation,
    /// `malloc`, `calloc`, or `new T[n]`.
    HostArray,
    /// `new T` of a single object; the paper's "malloc (or new)" counts it too.
    HostObject,
    /// `cudaMallocManaged` or `__managed__`.
    Managed,
    /// Zero-copy: `cudaHostAllocMapped`, `cudaHostGetDevicePointer`, `cudaHostRegisterMapped`, `cudaDeviceMapHost`.
    Mapped,
    /// `cudaMallocHost`, `cudaHostAlloc`, `cudaHostRegister`.
    Pinned,
    /// Shared camera and codec buffers: `NvBufSurface…`, `NvBuffer…`, `EGLImage…`, `NvSciBuf…`.
    SharedBuffer,
    /// A known wrapper around one of the paths above (`cudaAllocMapped` of jetson-utils and its relatives).
    Wrapper,
    /// The driver API's `cuMemAlloc` and `cuMemcpyHtoD` and relatives: outside the paper's definition, counted apart.
    DriverApi,
}

impl Signal {
    /// Every signal, in report order.
    pub const ALL: [Self; 12] = [
        Self::ExplicitCopy,
        Self::UndirectedCopy,
        Self::DeviceAllocation,
        Self::OtherDeviceAllocation,
        Self::HostArray,
        Self::HostObject,
        Self::Managed,
        Self::Mapped,
        Self::Pinned,
        Self::SharedBuffer,
        Self::Wrapper,
        Self::DriverApi,
    ];

    /// Position in [`Signal::ALL`].
    pub(crate) fn index(self) -> usize {
        self as usize
    }

    /// The name used in rows and tables.
    pub fn code(self) -> &'static str {
        match self {
            Self::ExplicitCopy => "explicit-copy",
            Self::UndirectedCopy => "undirected-copy",
            Self::DeviceAllocation => "device-allocation",
            Self::OtherDeviceAllocation => "other-device-allocation",
            Self::HostArray => "host-array",
            Self::HostObject => "host-object",
            Self::Managed => "managed",
            Self::Mapped => "mapped",
            Self::Pinned => "pinned",
            Self::SharedBuffer => "shared-buffer",
            Self::Wrapper => "wrapper",
            Self::DriverApi => "driver-api",
        }
    }
}

/// The direction of a copy, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// `cudaMemcpyHostToDevice`
    H2d,
    /// `cudaMemcpyDeviceToHost`
    D2h,
}

/// What a name means to the scanner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Name {
    /// A copy function.
    Copy(CopyShape),
    /// `cudaMemcpyHostToDevice` or `cudaMemcpyDeviceToHost`.
    Kind(Direction),
    /// A name that counts wherever it is called.
    Call(Signal),
    /// A name that counts wherever it is mentioned in code (flags, types, specifiers).
    Mention(Signal),
    /// `malloc`: the size is the first argument.
    Malloc,
    /// `calloc`: the size is the product of both arguments.
    Calloc,
}

/// How a copy function takes its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CopyShape {
    /// `(destination, source, bytes, kind, …)`
    Linear {
        /// The call returns before the copy is done.
        asynchronous: bool,
    },
    /// Pitched, array, symbol or parameter-block copies: they copy, but no whole buffer can be read off them.
    Other,
}

/// The meaning of `name`, if it has one. Exact words only: `safeCudaMalloc` and `cudaMallocHost` are not `cudaMalloc`.
pub(crate) fn lookup(name: &str) -> Option<Name> {
    Some(match name {
        "cudaMemcpy" => Name::Copy(CopyShape::Linear { asynchronous: false }),
        "cudaMemcpyAsync" => Name::Copy(CopyShape::Linear { asynchronous: true }),
        "cudaMemcpy2D"
        | "cudaMemcpy2DAsync"
        | "cudaMemcpy3D"
        | "cudaMemcpy3DAsync"
        | "cudaMemcpyToSymbol"
        | "cudaMemcpyToSymbolAsync"
        | "cudaMemcpyFromSymbol"
        | "cudaMemcpyFromSymbolAsync"
        | "cudaMemcpyToArray"
        | "cudaMemcpyToArrayAsync"
        | "cudaMemcpyFromArray"
        | "cudaMemcpyFromArrayAsync"
        | "cudaMemcpy2DToArray"
        | "cudaMemcpy2DToArrayAsync"
        | "cudaMemcpy2DFromArray"
        | "cudaMemcpy2DFromArrayAsync" => Name::Copy(CopyShape::Other),
        "cudaMemcpyHostToDevice" => Name::Kind(Direction::H2d),
        "cudaMemcpyDeviceToHost" => Name::Kind(Direction::D2h),
        "cudaMemcpyDefault" => Name::Mention(Signal::UndirectedCopy),
        "cudaMalloc" => Name::Call(Signal::DeviceAllocation),
        "cudaMallocAsync"
        | "cudaMallocFromPoolAsync"
        | "cudaMallocPitch"
        | "cudaMalloc3D"
        | "cudaMallocArray"
        | "cudaMalloc3DArray" => Name::Call(Signal::OtherDeviceAllocation),
        "malloc" => Name::Malloc,
        "calloc" => Name::Calloc,
        "cudaMallocManaged" => Name::Call(Signal::Managed),
        "__managed__" => Name::Mention(Signal::Managed),
        "cudaHostAllocMapped" | "cudaHostRegisterMapped" | "cudaDeviceMapHost" => {
            Name::Mention(Signal::Mapped)
        }
        "cudaHostGetDevicePointer" => Name::Call(Signal::Mapped),
        "cudaMallocHost" | "cudaHostAlloc" | "cudaHostRegister" => Name::Call(Signal::Pinned),
        "cudaAllocMapped" | "cudaMappedAlloc" | "cudaAllocManaged" | "cudaMallocMapped"
        | "cudaAllocZeroCopy" => Name::Call(Signal::Wrapper),
        "cuMemAlloc" | "cuMemAlloc_v2" | "cuMemcpyHtoD" | "cuMemcpyDtoH" | "cuMemcpyHtoDAsync"
        | "cuMemcpyDtoHAsync" => Name::Call(Signal::DriverApi),
        other if is_shared_buffer(other) => Name::Mention(Signal::SharedBuffer),
        _ => return None,
    })
}

/// Names of the buffer-sharing libraries of the platform: a family with one prefix each.
fn is_shared_buffer(name: &str) -> bool {
    const PREFIXES: [&str; 7] = [
        "NvBufSurf",
        "NvBuffer",
        "NvSciBuf",
        "NvEGLImage",
        "cudaGraphicsEGL",
        "cuGraphicsEGL",
        "cudaEGL",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
        || matches!(name, "EGLImageKHR" | "EGLImage" | "cudaEglFrame" | "CUeglFrame")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_not_the_name_they_contain() {
        for name in
            ["safeCudaMalloc", "cudaMallocX", "_aligned_malloc", "mallocator", "cudaMemcpyKind"]
        {
            assert_eq!(lookup(name), None, "{name}");
        }
        assert_eq!(lookup("cudaMalloc"), Some(Name::Call(Signal::DeviceAllocation)));
        assert_eq!(lookup("cudaMallocHost"), Some(Name::Call(Signal::Pinned)));
    }

    #[test]
    fn index_is_the_position_in_the_list() {
        for (position, signal) in Signal::ALL.iter().enumerate() {
            assert_eq!(signal.index(), position);
        }
    }
}
