// Short vectors and dim3, with CUDA's sizes and alignments, and their make_ functions.
#pragma once
#include "echo/base.h"
#define ECHO_VECTORS(NAME, T, ALIGN2, ALIGN4)                                                                       \
    struct NAME##1 { T x; };                                                                                        \
    struct __align__(ALIGN2) NAME##2 { T x, y; };                                                                   \
    struct NAME##3 { T x, y, z; };                                                                                  \
    struct __align__(ALIGN4) NAME##4 { T x, y, z, w; };                                                             \
    typedef struct NAME##1 NAME##1; typedef struct NAME##2 NAME##2;                                                 \
    typedef struct NAME##3 NAME##3; typedef struct NAME##4 NAME##4;
ECHO_VECTORS(char, signed char, 2, 4)
ECHO_VECTORS(uchar, unsigned char, 2, 4)
ECHO_VECTORS(short, short, 4, 8)
ECHO_VECTORS(ushort, unsigned short, 4, 8)
ECHO_VECTORS(int, int, 8, 16)
ECHO_VECTORS(uint, unsigned int, 8, 16)
ECHO_VECTORS(long, long, 16, 16)
ECHO_VECTORS(ulong, unsigned long, 16, 16)
ECHO_VECTORS(longlong, long long, 16, 16)
ECHO_VECTORS(ulonglong, unsigned long long, 16, 16)
ECHO_VECTORS(float, float, 8, 16)
ECHO_VECTORS(double, double, 16, 16)
#undef ECHO_VECTORS
#ifdef __cplusplus
#define ECHO_MAKE(NAME, T)                                                                                          \
    __host__ __device__ inline constexpr NAME##1 make_##NAME##1(T x) { return NAME##1{x}; }                         \
    __host__ __device__ inline constexpr NAME##2 make_##NAME##2(T x, T y) { return NAME##2{x, y}; }                 \
    __host__ __device__ inline constexpr NAME##3 make_##NAME##3(T x, T y, T z) { return NAME##3{x, y, z}; }         \
    __host__ __device__ inline constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { return NAME##4{x, y, z, w}; }
ECHO_MAKE(char, signed char)
ECHO_MAKE(uchar, unsigned char)
ECHO_MAKE(short, short)
ECHO_MAKE(ushort, unsigned short)
ECHO_MAKE(int, int)
ECHO_MAKE(uint, unsigned int)
ECHO_MAKE(long, long)
ECHO_MAKE(ulong, unsigned long)
ECHO_MAKE(longlong, long long)
ECHO_MAKE(ulonglong, unsigned long long)
ECHO_MAKE(float, float)
ECHO_MAKE(double, double)
#undef ECHO_MAKE
struct dim3 {
    unsigned int x, y, z;
    __host__ __device__ constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1) : x(x), y(y), z(z) {}
    __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    __host__ __device__ constexpr operator uint3() const { return uint3{x, y, z}; }
};
typedef struct dim3 dim3;
#else
typedef struct dim3 { unsigned int x, y, z; } dim3;
#endif
