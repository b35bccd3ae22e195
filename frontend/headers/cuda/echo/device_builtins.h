// What device code has without an #include: coordinates, barriers, atomics, warp functions, loads with cache hints.
// `threadIdx` and its kin are plain structs, so that `threadIdx.x` is an ordinary member reference.
#ifndef ECHO_DEVICE_BUILTINS_H
#define ECHO_DEVICE_BUILTINS_H

extern const ECHO_D __attribute__((weak)) uint3 threadIdx;
extern const ECHO_D __attribute__((weak)) uint3 blockIdx;
extern const ECHO_D __attribute__((weak)) dim3 blockDim;
extern const ECHO_D __attribute__((weak)) dim3 gridDim;
extern const ECHO_D __attribute__((weak)) int warpSize;

ECHO_D void __syncthreads();
ECHO_D int __syncthreads_count(int predicate);
ECHO_D int __syncthreads_and(int predicate);
ECHO_D int __syncthreads_or(int predicate);
ECHO_D void __syncwarp(unsigned int mask = 0xffffffffu);
ECHO_D void __threadfence();
ECHO_D void __threadfence_block();
ECHO_D void __threadfence_system();
ECHO_D void __trap();
ECHO_D void __brkpt(int code = 0);
ECHO_D void __prof_trigger(int counter);
ECHO_D void __nanosleep(unsigned int nanoseconds);
ECHO_D long long clock64();
ECHO_D unsigned long long __globaltimer();
ECHO_D unsigned int __activemask();
ECHO_D unsigned int __lane_id();

#define ECHO_ATOMIC(name)                                                                                             \
    template <class T, class U> ECHO_D T name(T *address, U value);                                                   \
    template <class T, class U> ECHO_D T name##_block(T *address, U value);                                           \
    template <class T, class U> ECHO_D T name##_system(T *address, U value);
ECHO_ATOMIC(atomicAdd)
ECHO_ATOMIC(atomicSub)
ECHO_ATOMIC(atomicExch)
ECHO_ATOMIC(atomicMin)
ECHO_ATOMIC(atomicMax)
ECHO_ATOMIC(atomicInc)
ECHO_ATOMIC(atomicDec)
ECHO_ATOMIC(atomicAnd)
ECHO_ATOMIC(atomicOr)
ECHO_ATOMIC(atomicXor)
template <class T, class U, class V> ECHO_D T atomicCAS(T *address, U compare, V value);
template <class T, class U, class V> ECHO_D T atomicCAS_block(T *address, U compare, V value);
template <class T, class U, class V> ECHO_D T atomicCAS_system(T *address, U compare, V value);

#define ECHO_SHUFFLE(name)                                                                                            \
    template <class T> ECHO_D T name##_sync(unsigned int mask, T value, int lane, int width = 32);                    \
    template <class T> ECHO_D T name(T value, int lane, int width = 32);
ECHO_SHUFFLE(__shfl)
ECHO_SHUFFLE(__shfl_up)
ECHO_SHUFFLE(__shfl_down)
ECHO_SHUFFLE(__shfl_xor)
ECHO_D unsigned int __ballot_sync(unsigned int mask, int predicate);
ECHO_D int __any_sync(unsigned int mask, int predicate);
ECHO_D int __all_sync(unsigned int mask, int predicate);
ECHO_D int __uni_sync(unsigned int mask, int predicate);
ECHO_D unsigned int __ballot(int predicate);
ECHO_D int __any(int predicate);
ECHO_D int __all(int predicate);
template <class T> ECHO_D unsigned int __match_any_sync(unsigned int mask, T value);
template <class T> ECHO_D unsigned int __match_all_sync(unsigned int mask, T value, int *predicate);
#define ECHO_REDUCE(name)                                                                                             \
    ECHO_D unsigned int name(unsigned int mask, unsigned int value);                                                  \
    ECHO_D int name(unsigned int mask, int value);
ECHO_REDUCE(__reduce_add_sync)
ECHO_REDUCE(__reduce_min_sync)
ECHO_REDUCE(__reduce_max_sync)
ECHO_REDUCE(__reduce_and_sync)
ECHO_REDUCE(__reduce_or_sync)
ECHO_REDUCE(__reduce_xor_sync)

#define ECHO_LOAD(name) template <class T> ECHO_D T name(const T *address);
ECHO_LOAD(__ldg)
ECHO_LOAD(__ldcg)
ECHO_LOAD(__ldca)
ECHO_LOAD(__ldcs)
ECHO_LOAD(__ldlu)
ECHO_LOAD(__ldcv)
#define ECHO_STORE(name) template <class T, class U> ECHO_D void name(T *address, U value);
ECHO_STORE(__stwb)
ECHO_STORE(__stcg)
ECHO_STORE(__stcs)
ECHO_STORE(__stwt)
ECHO_D size_t __cvta_generic_to_shared(const void *pointer);
ECHO_D size_t __cvta_generic_to_global(const void *pointer);
ECHO_D size_t __cvta_generic_to_constant(const void *pointer);
ECHO_D size_t __cvta_generic_to_local(const void *pointer);
ECHO_D void *__cvta_shared_to_generic(size_t pointer);
ECHO_D void *__cvta_global_to_generic(size_t pointer);
ECHO_D unsigned int __isGlobal(const void *pointer);
ECHO_D unsigned int __isShared(const void *pointer);
ECHO_D unsigned int __isLocal(const void *pointer);
ECHO_D unsigned int __isConstant(const void *pointer);
ECHO_D void __pipeline_memcpy_async(void *to, const void *from, size_t size, size_t zero_fill = 0);
ECHO_D void __pipeline_commit();
ECHO_D void __pipeline_wait_prior(size_t prior);

// The C library inside kernels.
ECHO_D void *malloc(size_t size);
ECHO_D void free(void *pointer);
ECHO_D void *memcpy(void *to, const void *from, size_t size);
ECHO_D void *memmove(void *to, const void *from, size_t size);
ECHO_D void *memset(void *pointer, int value, size_t size);
ECHO_D int memcmp(const void *left, const void *right, size_t size);
ECHO_D size_t strlen(const char *text);
ECHO_D int strcmp(const char *left, const char *right);
ECHO_D int strncmp(const char *left, const char *right, size_t size);
ECHO_D char *strcpy(char *to, const char *from);
ECHO_D char *strncpy(char *to, const char *from, size_t size);
ECHO_D int printf(const char *format, ...);
ECHO_D int puts(const char *text);
ECHO_D int putchar(int character);
ECHO_D clock_t clock();
ECHO_D void abort();
ECHO_D void __assert_fail(const char *assertion, const char *file, unsigned int line, const char *function);
namespace std {
using ::clock;
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::printf;
using ::strlen;
}

// Launches from device code.
ECHO_D void *cudaGetParameterBuffer(size_t alignment, size_t size);
ECHO_D void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block, unsigned int shared_bytes);
ECHO_D cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);
ECHO_D void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value);
ECHO_D cudaGraphExec_t cudaGetCurrentGraphExec();
ECHO_D void cudaGridDependencySynchronize();
ECHO_D void cudaTriggerProgrammaticLaunchCompletion();
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x0100000000000000)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x0200000000000000)
#endif
