// The CUDA runtime for programs that clang compiles for the emulator. See emulator/src/lib.rs for how.
#pragma once
#include "echo/base.h"
#include "vector_types.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "echo/device.h"
#include "echo/warp.h"
#include "echo/atomics.h"
#include "echo/math.h"
#include "echo/intrinsics.h"
#include "echo/simd.h"
#include "echo/texture.h"
#include "echo/runtime_templates.h"
