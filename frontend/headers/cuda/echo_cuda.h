// Declarations of the CUDA runtime, enough for a host-side parse. Written for Echo; no text of any toolkit.
// Included before every file, so that `__global__`, `cudaMalloc` and `threadIdx` are known without an #include, as
// under nvcc. Works as CUDA, C++ and C (the last two see the host API and empty qualifiers).
#ifndef ECHO_CUDA_H
#define ECHO_CUDA_H
// Forced in by `-include`, which alone would make it one of the user's own files.
#pragma GCC system_header
#include "echo/qualifiers.h"
#include "echo/standard.h"
#include "echo/vector_types.h"
#include "echo/driver_types.h"
#include "echo/runtime_api.h"
#include "echo/runtime_templates.h"
#if defined(__CUDA__) && defined(__cplusplus)
#include "echo/device_math.h"
#include "echo/device_builtins.h"
#include "echo/textures.h"
#endif
#endif
