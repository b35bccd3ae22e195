// Atomic operations. One thread runs at a time, so plain accesses are atomic; a barrier after each makes the compiler
// keep it, so that the race detector sees it.
#pragma once
#define ECHO_ATOMIC(NAME, EXPR)                                                                                     \
    template <class T, class U> __device__ inline T NAME(T *p, U u) {                                               \
        T v = (T)u;                                                                                                 \
        T o = *p;                                                                    \
        *p = (T)(EXPR);                                                                                             \
        __asm__ volatile("" ::: "memory");                                                                          \
        return o;                                                                                                   \
    }
#define ECHO_ATOMICS(NAME, EXPR) ECHO_ATOMIC(NAME, EXPR) ECHO_ATOMIC(NAME##_block, EXPR) ECHO_ATOMIC(NAME##_system, EXPR)
ECHO_ATOMICS(atomicAdd, o + v)
ECHO_ATOMICS(atomicSub, o - v)
ECHO_ATOMICS(atomicExch, v)
ECHO_ATOMICS(atomicMin, o < v ? o : v)
ECHO_ATOMICS(atomicMax, o > v ? o : v)
ECHO_ATOMICS(atomicAnd, o & v)
ECHO_ATOMICS(atomicOr, o | v)
ECHO_ATOMICS(atomicXor, o ^ v)
ECHO_ATOMICS(atomicInc, o >= v ? 0 : o + 1)
ECHO_ATOMICS(atomicDec, o == 0 || o > v ? v : o - 1)
#undef ECHO_ATOMICS
#undef ECHO_ATOMIC
#define ECHO_CAS(NAME)                                                                                              \
    template <class T, class U, class V> __device__ inline T NAME(T *p, U expected, V v) {                          \
        T o = *p;                                                                                                   \
        if (o == (T)expected) *p = (T)v;                                                                            \
        __asm__ volatile("" ::: "memory");                                                                          \
        return o;                                                                                                   \
    }
ECHO_CAS(atomicCAS)
ECHO_CAS(atomicCAS_block)
ECHO_CAS(atomicCAS_system)
#undef ECHO_CAS
template <class T> __device__ inline T __ldg(const T *p) { return *p; }
template <class T> __device__ inline T __ldcs(const T *p) { return *p; }
template <class T> __device__ inline T __ldcg(const T *p) { return *p; }
template <class T> __device__ inline T __ldca(const T *p) { return *p; }
template <class T> __device__ inline T __ldlu(const T *p) { return *p; }
template <class T> __device__ inline T __ldcv(const T *p) { return *p; }
template <class T> __device__ inline void __stcs(T *p, T v) { *p = v; }
template <class T> __device__ inline void __stcg(T *p, T v) { *p = v; }
template <class T> __device__ inline void __stwb(T *p, T v) { *p = v; }
template <class T> __device__ inline void __stwt(T *p, T v) { *p = v; }
