// Built-in variables, barriers and fences of device code. The functions are in libcuda/src/block.rs and launch.rs.
#pragma once
extern "C" {
extern __device__ uint3 threadIdx, blockIdx;
extern __device__ dim3 blockDim, gridDim;
__device__ void echo_syncthreads() __attribute__((noduplicate));
__device__ int echo_syncthreads_vote(int predicate, int operation) __attribute__((noduplicate));
__device__ void echo_grid_sync() __attribute__((noduplicate));
__device__ long long echo_device_clock();
__device__ void echo_unsupported(const char *what) __attribute__((noreturn));
}
#define warpSize 32
// clang knows this name as an intrinsic of NVPTX.
#define __syncthreads echo_syncthreads
ECHO_DEVICE int __syncthreads_count(int p) { return echo_syncthreads_vote(p, 0); }
ECHO_DEVICE int __syncthreads_or(int p) { return echo_syncthreads_vote(p, 1); }
ECHO_DEVICE int __syncthreads_and(int p) { return echo_syncthreads_vote(p, 2); }
ECHO_DEVICE void __threadfence() { __asm__ volatile("" ::: "memory"); }
ECHO_DEVICE void __threadfence_block() { __asm__ volatile("" ::: "memory"); }
ECHO_DEVICE void __threadfence_system() { __asm__ volatile("" ::: "memory"); }
ECHO_DEVICE void __nanosleep(unsigned) {}
ECHO_DEVICE long long clock64() { return echo_device_clock(); }
ECHO_DEVICE clock_t echo_clock32() { return (clock_t)echo_device_clock(); }
ECHO_DEVICE unsigned long long __globaltimer() { return (unsigned long long)echo_device_clock(); }
ECHO_DEVICE void __trap() { __builtin_trap(); }
ECHO_DEVICE void __brkpt() {}
ECHO_BOTH void __prof_trigger(int) {}
#define __builtin_assume_aligned_cuda __builtin_assume_aligned
ECHO_DEVICE size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
ECHO_DEVICE size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }
ECHO_DEVICE unsigned __isShared(const void *) { return 1; }
ECHO_DEVICE unsigned __isGlobal(const void *) { return 1; }
