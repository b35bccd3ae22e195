// Macros, and the C library made callable from both sides.
#pragma once
#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 6
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __CUDACC_RELAXED_CONSTEXPR__ 1
#define __DRIVER_TYPES_H__ 1
#define __CUDA_RUNTIME_H__ 1
#define __CUDA_RUNTIME_API_H__ 1
#define CUDART_VERSION 12060
#define CUDA_VERSION 12060
#define CUDART_CB
#define CUDARTAPI
#define CUDAAPI
#define CUDA_CB

// These templates must be seen before the block below: made host-and-device they would no longer overload.
#ifdef __cplusplus
#include <bits/c++config.h>
#include <ext/numeric_traits.h>
#include <bits/stl_algobase.h>
#include <initializer_list>
#include <limits>
#include <type_traits>
#include <utility>
#pragma clang force_cuda_host_device begin
#endif
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
// Declares posix_memalign again, from headers that <random> includes on newer processors.
#include <mm_malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __cplusplus
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#pragma clang force_cuda_host_device end
#endif

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// The compile driver finds these by the annotation; the runtime keeps host and device copy equal.
#define __managed__ __attribute__((device, annotate("echo_managed")))
#define __forceinline__ inline __attribute__((always_inline))
#define __inline_hint__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __nv_pure__ __attribute__((pure))
#define __restrict__ __restrict
#define __cudart_builtin__
#define __device_builtin__
#define __thread__ __thread
#define __CUDA_INTRINSIC_H 1
#define ECHO_BOTH __host__ __device__ inline
#define ECHO_DEVICE __device__ inline
