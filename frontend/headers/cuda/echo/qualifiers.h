// Version macros and the execution and memory-space qualifiers.
#ifndef ECHO_QUALIFIERS_H
#define ECHO_QUALIFIERS_H

#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 4
#define __CUDACC_VER_BUILD__ 131
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040
#define __CUDART_API_VERSION 12040

// Guards of the toolkit's headers: projects test them to see whether CUDA is there (`helper_cuda.h` does), and a
// toolkit header reached in spite of everything must not declare things twice.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__
#define __DRIVER_FUNCTIONS_H__
#define __VECTOR_TYPES_H__
#define __VECTOR_FUNCTIONS_H__
#define __HOST_DEFINES_H__
#define __BUILTIN_TYPES_H__
#define __CHANNEL_DESCRIPTOR_H__
#define __TEXTURE_TYPES_H__
#define __SURFACE_TYPES_H__
#define __DEVICE_TYPES_H__
#define __LIBRARY_TYPES_H__

#if defined(__CUDA__)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#define __NVCC__ 1
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
// The annotation keeps `__managed__` visible to the lowering: clang ignores the attribute itself.
#define __managed__ __attribute__((device)) __attribute__((annotate("cuda_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__ __attribute__((grid_constant))
#define ECHO_HD __attribute__((host)) __attribute__((device))
#define ECHO_D __attribute__((device))
#else
#define __host__
#define __device__
#define __global__
#define __shared__ static
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__
#define ECHO_HD
#define ECHO_D
#endif

// `__noinline__` is also an attribute name in GNU spelling (`__attribute__((__noinline__))`), so it stays a
// spelling that works in both places.
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __inline_hint__
#define __nv_pure__
#define __cudart_builtin__
#define __device_builtin__
#define __specialization_static static
#define __cluster_dims__(...)
#define __block_size__(...)
#define __maxnreg__(...)
#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB
#define CUDART_DEVICE ECHO_HD
#define __CUDA_HOSTDEVICE__ ECHO_HD

#ifdef __cplusplus
#define ECHO_C extern "C"
#define ECHO_DEFAULT(value) = value
#else
#define ECHO_C extern
#define ECHO_DEFAULT(value)
#endif

#ifdef __cplusplus
// nvcc predefines these names of its extended lambdas' traits.
#define __nv_is_extended_device_lambda_closure_type(X) false
#define __nv_is_extended_host_device_lambda_closure_type(X) false
#endif
#endif
