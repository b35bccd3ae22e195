//! The byte prefilter: most files of most repositories are dismissed here, at memory speed, without parsing.

use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, MatchKind};
use memchr::memmem;

/// What the raw bytes of a file promise. Comments and strings still count here; parsing takes them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Promise {
    /// No trace of CUDA.
    Nothing,
    /// Uses CUDA (a header, a launch), but names no memory call: tier T0 without parsing.
    Cuda,
    /// Names a CUDA memory call or a shared buffer: must be parsed.
    Memory,
}

/// Substrings that any name of [`crate::api`] except malloc and calloc contains.
const MEMORY: [&str; 18] = [
    "cudaMalloc",
    "cudaMemcpy",
    "cudaMapped",
    "cudaHost",
    "cudaAlloc",
    "cudaDeviceMapHost",
    "__managed__",
    "NvBuf",
    "NvSciBuf",
    "NvEGLImage",
    "EGLImage",
    "cudaGraphicsEGL",
    "cuGraphicsEGL",
    "cudaEGL",
    "cudaEgl",
    "CUegl",
    "cuMemAlloc",
    "cuMemcpy",
];
/// Substrings of code that uses CUDA in another way.
const OTHER: [&str; 6] =
    ["cuda_runtime", "<cuda.h>", "cudaStream", "cudaMem", "cudaFree", "cudaEvent"];

/// Reads the file once.
pub(crate) fn promise(bytes: &[u8]) -> Promise {
    static SEARCH: OnceLock<AhoCorasick> = OnceLock::new();
    #[expect(
        clippy::expect_used,
        reason = "a few constant patterns: building cannot exceed any limit"
    )]
    let search = SEARCH.get_or_init(|| {
        // Longest, so that `cudaMem` does not swallow the beginning of `cudaMemcpy`.
        AhoCorasick::builder()
            .match_kind(MatchKind::LeftmostLongest)
            .build(MEMORY.iter().chain(&OTHER))
            .expect("constant patterns")
    });
    let mut best = Promise::Nothing;
    for found in search.find_iter(bytes) {
        if found.pattern().as_usize() < MEMORY.len() {
            return Promise::Memory;
        }
        best = Promise::Cuda;
    }
    best
}

/// The definition by raw text: all the words in one file, comments and strings and look-alikes included.
/// Kept beside the parsed one because earlier surveys count so.
pub(crate) fn raw_words(bytes: &[u8]) -> RawWords {
    let has = |word: &str| memmem::find(bytes, word.as_bytes()).is_some();
    RawWords {
        device: has("cudaMalloc"),
        copy: has("cudaMemcpy") && (has("cudaMemcpyHostToDevice") || has("cudaMemcpyDeviceToHost")),
        host: has("malloc") || has("calloc") || has_word(bytes, b"new"),
    }
}

/// The three ingredients by raw text.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct RawWords {
    /// `cudaMalloc`, also as the start of a longer name.
    pub(crate) device: bool,
    /// `cudaMemcpy` with a direction.
    pub(crate) copy: bool,
    /// `malloc`, `calloc` or the word `new`.
    pub(crate) host: bool,
}

impl RawWords {
    /// All three in one file.
    pub(crate) fn all(self) -> bool {
        self.device && self.copy && self.host
    }
}

/// Whether the file could allocate host memory at all (used before a file outside CUDA is parsed for it).
pub(crate) fn may_allocate_host(bytes: &[u8]) -> bool {
    memmem::find(bytes, b"alloc").is_some() || has_word(bytes, b"new")
}

fn has_word(bytes: &[u8], word: &[u8]) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    memmem::find_iter(bytes, word).any(|start| {
        let before = start.checked_sub(1).is_none_or(|at| !is_word(bytes[at]));
        let after = bytes.get(start + word.len()).is_none_or(|&byte| !is_word(byte));
        before && after
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn promises() {
        assert_eq!(promise(b"int main() { return 0; }"), Promise::Nothing);
        assert_eq!(promise(b"#include <cuda_runtime.h>\n"), Promise::Cuda);
        assert_eq!(promise(b"cudaMemset(d, 0, 4);"), Promise::Cuda);
        assert_eq!(promise(b"#include <cuda_runtime.h>\nx = cudaMalloc(&d, 4);"), Promise::Memory);
    }

    #[test]
    fn every_name_of_the_table_passes_the_filter() {
        for name in [
            "cudaMemcpy",
            "cudaMalloc",
            "cudaMallocManaged",
            "__managed__",
            "cudaHostAllocMapped",
            "cudaDeviceMapHost",
            "cudaHostGetDevicePointer",
            "cudaHostRegister",
            "NvBufSurface",
            "NvBufferCreate",
            "NvSciBufObj",
            "EGLImageKHR",
            "cudaGraphicsEGLRegisterImage",
            "cuGraphicsEGLRegisterImage",
            "cudaEglFrame",
            "CUeglFrame",
            "NvEGLImageFromFd",
            "cudaAllocMapped",
            "cuMemAlloc",
            "cuMemcpyHtoD",
            "cudaMappedAlloc",
            "cudaEGLStream",
        ] {
            assert_eq!(promise(name.as_bytes()), Promise::Memory, "{name}");
        }
    }

    #[test]
    fn the_word_new_is_a_word() {
        assert!(raw_words(b"cudaMalloc cudaMemcpy cudaMemcpyHostToDevice new").all());
        assert!(!raw_words(b"cudaMalloc cudaMemcpy cudaMemcpyHostToDevice newer").all());
    }
}
