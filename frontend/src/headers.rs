//! The built-in headers: declarations of the CUDA runtime and of common libraries, in `headers/`.
//!
//! They exist only for clang, as files under [`ROOT`]. Three folders, searched in this order: `cuda` stands for the
//! toolkit and is always there unless `--cuda-path` names a real one; `fallback` holds third-party headers and is
//! searched after everything else, so a header the user has wins; `builtin` replaces clang's own headers where a
//! libclang came without them.

/// Folder of the built-in headers; it exists only in clang's eyes.
pub const ROOT: &str = "/echo-headers";

/// The built-in Thrust, whose functions have bodies that count like code of the program.
pub(crate) const THRUST: &str = "/echo-headers/fallback/thrust/echo_thrust.h";

/// One built-in header.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Path below [`ROOT`]: `cuda/cuda_fp16.h`.
    pub path: &'static str,
    /// Its text.
    pub text: &'static str,
}

macro_rules! headers {
    ($($path:literal)*) => {
        &[$(Header { path: $path, text: include_str!(concat!("../headers/", $path)) }),*]
    };
}

/// All headers with a text of their own.
pub const HEADERS: &[Header] = headers! {
    "builtin/float.h"
    "builtin/limits.h"
    "builtin/stdarg.h"
    "builtin/stdbool.h"
    "builtin/stddef.h"
    "builtin/stdint.h"
    "cuda/cooperative_groups.h"
    "cuda/cuComplex.h"
    "cuda/cuda.h"
    "cuda/cuda_bf16.h"
    "cuda/cuda_fp16.h"
    "cuda/cuda_fp8.h"
    "cuda/cuda_gl_interop.h"
    "cuda/cuda_pipeline.h"
    "cuda/echo/device_builtins.h"
    "cuda/echo/device_math.h"
    "cuda/echo/driver_types.h"
    "cuda/echo/narrow_float.h"
    "cuda/echo/qualifiers.h"
    "cuda/echo/runtime_api.h"
    "cuda/echo/runtime_templates.h"
    "cuda/echo/standard.h"
    "cuda/echo/textures.h"
    "cuda/echo/vector_types.h"
    "cuda/echo_cuda.h"
    "cuda/math_constants.h"
    "cuda/mma.h"
    "fallback/cub/cub.cuh"
    "fallback/cublasLt.h"
    "fallback/cublas_v2.h"
    "fallback/cufft.h"
    "fallback/cufftXt.h"
    "fallback/curand.h"
    "fallback/curand_kernel.h"
    "fallback/cusolverDn.h"
    "fallback/cusolverSp.h"
    "fallback/cusolver_common.h"
    "fallback/cusparse.h"
    "fallback/echo_cublas_names.h"
    "fallback/mpi.h"
    "fallback/nccl.h"
    "fallback/nvToolsExt.h"
    "fallback/nvrtc.h"
    "fallback/omp.h"
    "fallback/thrust/echo_thrust.h"
};

/// Headers that only lead to another one: (folder, target, names). Toolkits split their declarations over many files.
const FORWARDING: &[(&str, &str, &[&str])] = &[
    (
        "cuda",
        "echo_cuda.h",
        &[
            "builtin_types.h",
            "channel_descriptor.h",
            "cudaProfiler.h",
            "cuda_awbarrier_primitives.h",
            "cuda_device_runtime_api.h",
            "cuda_pipeline_primitives.h",
            "cuda_profiler_api.h",
            "cuda_runtime.h",
            "cuda_runtime_api.h",
            "cuda_surface_types.h",
            "cuda_texture_types.h",
            "cuda_vdpau_interop.h",
            "cutil_inline_runtime.h",
            "device_atomic_functions.h",
            "device_double_functions.h",
            "device_functions.h",
            "device_launch_parameters.h",
            "device_types.h",
            "driver_functions.h",
            "driver_types.h",
            "host_config.h",
            "host_defines.h",
            "library_types.h",
            "math_functions.h",
            "sm_20_atomic_functions.h",
            "sm_20_intrinsics.h",
            "sm_30_intrinsics.h",
            "sm_32_intrinsics.h",
            "sm_35_intrinsics.h",
            "sm_60_atomic_functions.h",
            "surface_functions.h",
            "surface_indirect_functions.h",
            "surface_types.h",
            "texture_fetch_functions.h",
            "texture_indirect_functions.h",
            "texture_types.h",
            "vector_functions.h",
            "vector_functions.hpp",
            "vector_types.h",
        ],
    ),
    (
        "cuda",
        "cooperative_groups.h",
        &[
            "cooperative_groups/memcpy_async.h",
            "cooperative_groups/reduce.h",
            "cooperative_groups/scan.h",
        ],
    ),
    (
        "cuda",
        "cuda_pipeline.h",
        &["cuda/atomic", "cuda/barrier", "cuda/pipeline", "cuda/std/atomic"],
    ),
    ("cuda", "cuda_fp16.h", &["cuda_fp16.hpp"]),
    ("cuda", "cuda_bf16.h", &["cuda_bf16.hpp"]),
    ("fallback", "cublas_v2.h", &["cublas.h", "cublas_api.h"]),
    ("fallback", "cusolverSp.h", &["cusolverSp_LOWLEVEL_PREVIEW.h"]),
    ("fallback", "nvToolsExt.h", &["nvToolsExtCuda.h", "nvtx3/nvToolsExt.h"]),
    (
        "fallback",
        "thrust/echo_thrust.h",
        &[
            "thrust/adjacent_difference.h",
            "thrust/advance.h",
            "thrust/binary_search.h",
            "thrust/complex.h",
            "thrust/copy.h",
            "thrust/count.h",
            "thrust/detail/type_traits.h",
            "thrust/device_allocator.h",
            "thrust/device_delete.h",
            "thrust/device_free.h",
            "thrust/device_malloc.h",
            "thrust/device_malloc_allocator.h",
            "thrust/device_new.h",
            "thrust/device_ptr.h",
            "thrust/device_reference.h",
            "thrust/device_vector.h",
            "thrust/distance.h",
            "thrust/equal.h",
            "thrust/execution_policy.h",
            "thrust/extrema.h",
            "thrust/fill.h",
            "thrust/find.h",
            "thrust/for_each.h",
            "thrust/functional.h",
            "thrust/gather.h",
            "thrust/generate.h",
            "thrust/host_vector.h",
            "thrust/inner_product.h",
            "thrust/iterator/constant_iterator.h",
            "thrust/iterator/counting_iterator.h",
            "thrust/iterator/discard_iterator.h",
            "thrust/iterator/iterator_traits.h",
            "thrust/iterator/permutation_iterator.h",
            "thrust/iterator/reverse_iterator.h",
            "thrust/iterator/transform_iterator.h",
            "thrust/iterator/zip_iterator.h",
            "thrust/logical.h",
            "thrust/memory.h",
            "thrust/merge.h",
            "thrust/pair.h",
            "thrust/partition.h",
            "thrust/random.h",
            "thrust/random/linear_congruential_engine.h",
            "thrust/random/uniform_int_distribution.h",
            "thrust/random/uniform_real_distribution.h",
            "thrust/reduce.h",
            "thrust/remove.h",
            "thrust/replace.h",
            "thrust/reverse.h",
            "thrust/scan.h",
            "thrust/scatter.h",
            "thrust/sequence.h",
            "thrust/set_operations.h",
            "thrust/shuffle.h",
            "thrust/sort.h",
            "thrust/swap.h",
            "thrust/system/cuda/execution_policy.h",
            "thrust/system/cuda/vector.h",
            "thrust/system/omp/execution_policy.h",
            "thrust/system_error.h",
            "thrust/tabulate.h",
            "thrust/transform.h",
            "thrust/transform_reduce.h",
            "thrust/transform_scan.h",
            "thrust/tuple.h",
            "thrust/uninitialized_fill.h",
            "thrust/unique.h",
            "thrust/version.h",
            "thrust/zip_function.h",
        ],
    ),
    (
        "fallback",
        "cub/cub.cuh",
        &[
            "cub/agent/agent_reduce.cuh",
            "cub/block/block_discontinuity.cuh",
            "cub/block/block_exchange.cuh",
            "cub/block/block_load.cuh",
            "cub/block/block_radix_sort.cuh",
            "cub/block/block_reduce.cuh",
            "cub/block/block_scan.cuh",
            "cub/block/block_store.cuh",
            "cub/device/device_histogram.cuh",
            "cub/device/device_merge_sort.cuh",
            "cub/device/device_partition.cuh",
            "cub/device/device_radix_sort.cuh",
            "cub/device/device_reduce.cuh",
            "cub/device/device_run_length_encode.cuh",
            "cub/device/device_scan.cuh",
            "cub/device/device_segmented_radix_sort.cuh",
            "cub/device/device_segmented_reduce.cuh",
            "cub/device/device_segmented_sort.cuh",
            "cub/device/device_select.cuh",
            "cub/iterator/counting_input_iterator.cuh",
            "cub/iterator/transform_input_iterator.cuh",
            "cub/thread/thread_load.cuh",
            "cub/thread/thread_operators.cuh",
            "cub/util_allocator.cuh",
            "cub/util_type.cuh",
            "cub/warp/warp_reduce.cuh",
            "cub/warp/warp_scan.cuh",
        ],
    ),
];

/// Whether the built-in headers, as text, hold the word `name`.
#[must_use]
pub fn is_declared(name: &[u8]) -> bool {
    static WORDS: std::sync::LazyLock<std::collections::HashSet<&[u8]>> =
        std::sync::LazyLock::new(|| {
            let texts = HEADERS.iter().map(|header| header.text.as_bytes());
            texts
                .flat_map(|text| text.split(|byte| !crate::text_scan::is_identifier(*byte)))
                .filter(|word| !word.is_empty())
                .collect()
        });
    WORDS.contains(name)
}

/// Every built-in file as (path, text), in a fixed order.
#[must_use]
pub fn virtual_files() -> Vec<(String, String)> {
    let own = HEADERS.iter().map(|h| (format!("{ROOT}/{}", h.path), h.text.to_owned()));
    let forwarding = FORWARDING.iter().flat_map(|&(folder, target, names)| {
        names
            .iter()
            .map(move |name| (format!("{ROOT}/{folder}/{name}"), format!("#include <{target}>\n")))
    });
    own.chain(forwarding).collect()
}

/// A folder of built-in headers, as clang sees it.
#[must_use]
pub fn folder(name: &str) -> String {
    format!("{ROOT}/{name}")
}

#[cfg(test)]
mod tests {
    use super::{HEADERS, virtual_files};
    use std::collections::BTreeSet;
    use std::path::Path;

    /// A header that is in the folder but not in the list would silently be missing for the user.
    #[test]
    fn every_header_of_the_folder_is_built_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("headers");
        let mut found = BTreeSet::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    found.insert(path.strip_prefix(&root).unwrap().to_str().unwrap().to_owned());
                }
            }
        }
        let listed: BTreeSet<String> = HEADERS.iter().map(|h| h.path.to_owned()).collect();
        assert_eq!(found, listed);
    }

    #[test]
    fn no_file_is_given_twice() {
        let files = virtual_files();
        let names: BTreeSet<_> = files.iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), files.len());
    }
}
