//! The built-in headers: declarations of the CUDA runtime and of common libraries, in `headers/`.
//!
//! They exist only for clang, as files under [`ROOT`]. Three folders, searched in this order: `cuda` stands for the
//! toolkit and is always there unless `--cuda-path` names a real one; `fallback` holds third-party headers and is
//! searched after everything else, so a header the user has wins; `builtin` replaces clang's own headers where a
//! libclang came without them.

/// Folder of the built-in headers; it exists only in clang's eyes.
pub const ROOT: &str = "/echo-headers";

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
    "cuda/echo/device_builtins.h"
    "cuda/echo/device_math.h"
    "cuda/echo/driver_types.h"
    "cuda/echo/qualifiers.h"
    "cuda/echo/runtime_api.h"
    "cuda/echo/runtime_templates.h"
    "cuda/echo/standard.h"
    "cuda/echo/textures.h"
    "cuda/echo/vector_types.h"
    "cuda/echo_cuda.h"
};

/// Headers of the toolkit that declare nothing beyond `echo_cuda.h`.
const FORWARDING: &[&str] = &[
    "builtin_types.h",
    "channel_descriptor.h",
    "cudaProfiler.h",
    "cuda_device_runtime_api.h",
    "cuda_profiler_api.h",
    "cuda_runtime.h",
    "cuda_runtime_api.h",
    "cuda_surface_types.h",
    "cuda_texture_types.h",
    "cuda_vdpau_interop.h",
    "cuda_awbarrier_primitives.h",
    "cuda_pipeline_primitives.h",
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
];

/// Every built-in file as (path, text), in a fixed order.
#[must_use]
pub fn virtual_files() -> Vec<(String, String)> {
    let own = HEADERS.iter().map(|h| (format!("{ROOT}/{}", h.path), h.text.to_owned()));
    let forwarding = FORWARDING
        .iter()
        .map(|name| (format!("{ROOT}/cuda/{name}"), "#include \"echo_cuda.h\"\n".to_owned()));
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
