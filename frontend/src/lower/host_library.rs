//! Which functions of system headers certainly run no work on a device: the languages' own libraries, the operating
//! system's, and CUDA's declarations for arithmetic. Vendors install their headers in the same folders, so a system header
//! alone says nothing.

use crate::clang::{Cursor, file_name};
use crate::headers::ROOT;

/// Headers of C and POSIX.
const HOST_HEADERS: [&str; 67] = [
    "aio.h",
    "alloca.h",
    "assert.h",
    "complex.h",
    "cpio.h",
    "ctype.h",
    "dirent.h",
    "dlfcn.h",
    "err.h",
    "errno.h",
    "error.h",
    "execinfo.h",
    "fcntl.h",
    "features.h",
    "fenv.h",
    "float.h",
    "fnmatch.h",
    "ftw.h",
    "getopt.h",
    "glob.h",
    "grp.h",
    "iconv.h",
    "inttypes.h",
    "iso646.h",
    "langinfo.h",
    "libgen.h",
    "limits.h",
    "locale.h",
    "malloc.h",
    "math.h",
    "memory.h",
    "mqueue.h",
    "netdb.h",
    "nl_types.h",
    "omp.h",
    "poll.h",
    "pthread.h",
    "pwd.h",
    "regex.h",
    "sched.h",
    "search.h",
    "semaphore.h",
    "setjmp.h",
    "signal.h",
    "spawn.h",
    "stdalign.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "syslog.h",
    "termios.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "utime.h",
    "wchar.h",
    "wctype.h",
    "wordexp.h",
    "x86intrin.h",
];

/// Parts of the names of a toolkit's headers that hold arithmetic, vectors and intrinsics.
const ARITHMETIC_HEADERS: [&str; 15] = [
    "math_functions",
    "math_constants",
    "vector_functions",
    "vector_types",
    "device_functions",
    "device_double_functions",
    "device_atomic_functions",
    "common_functions",
    "intrinsics",
    "atomic_functions",
    "cuda_fp16",
    "cuda_bf16",
    "cuda_fp8",
    "cuComplex",
    "curand_kernel",
];

/// Our own stand-ins that may start work on a device, below the folder that stands for the toolkit.
const OWN_API_HEADERS: [&str; 5] = [
    "cuda.h",
    "cuda_gl_interop.h",
    "cuda_pipeline.h",
    "echo/runtime_api.h",
    "echo/runtime_templates.h",
];

/// Whether `target` is of a library that uses no device. Unknown is no.
pub(super) fn is_host_library(target: Cursor) -> bool {
    target.in_system_header() && is_host_header(&file_name(target.name_location().file))
}

fn is_host_header(path: &str) -> bool {
    if let Some(own) = path.strip_prefix(ROOT).map(|rest| rest.trim_start_matches('/')) {
        return match own.split_once('/') {
            Some(("builtin", _)) => true,
            Some(("cuda", header)) => !OWN_API_HEADERS.contains(&header),
            Some(("fallback", header)) => {
                matches!(header, "curand_kernel.h" | "omp.h" | "nvToolsExt.h")
            }
            Some(_) | None => false,
        };
    }
    let mut folders: Vec<&str> = path.split('/').collect();
    let name = folders.pop().unwrap_or_default();
    // libstdc++ and libc++, the C library's inner folders, the compiler's own.
    folders.iter().any(|folder| {
        matches!(*folder, "c++" | "bits" | "sys" | "asm" | "linux" | "arpa" | "netinet")
    }) || folders.windows(2).any(|pair| pair[0] == "lib" && matches!(pair[1], "clang" | "gcc"))
        || HOST_HEADERS.contains(&name)
        || ARITHMETIC_HEADERS.iter().any(|part| name.contains(part))
}

#[cfg(test)]
mod tests {
    use super::is_host_header;

    #[test]
    fn the_languages_and_the_system_use_no_device() {
        for path in [
            "/usr/include/c++/12/bits/stl_algo.h",
            "/usr/include/x86_64-linux-gnu/bits/mathcalls.h",
            "/usr/include/stdio.h",
            "/usr/lib/llvm-22/lib/clang/22/include/mmintrin.h",
            "/echo-headers/cuda/echo/device_math.h",
            "/usr/local/cuda/include/crt/math_functions.h",
        ] {
            assert!(is_host_header(path), "{path}");
        }
    }

    #[test]
    fn libraries_of_vendors_may() {
        for path in [
            "",
            "/usr/include/cudnn.h",
            "/usr/include/x86_64-linux-gnu/NvInfer.h",
            "/usr/include/opencv4/opencv2/cudaarithm.hpp",
            "/usr/local/cuda/include/cub/device/device_scan.cuh",
            "/usr/local/cuda/include/cuda_runtime_api.h",
            "/echo-headers/fallback/nccl.h",
            "/echo-headers/fallback/cub/cub.cuh",
            "/echo-headers/cuda/cuda.h",
        ] {
            assert!(!is_host_header(path), "{path}");
        }
    }
}
