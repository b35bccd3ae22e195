// Half precision.
#ifndef ECHO_CUDA_FP16_H
#define ECHO_CUDA_FP16_H
#include "echo_cuda.h"
#define __CUDA_FP16_H__
#ifdef __cplusplus
#include "echo/narrow_float.h"
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
ECHO_NARROW_FLOAT(__half, __half_raw)
struct __attribute__((aligned(4))) __half2 {
    __half x, y;
    __half2() = default;
    ECHO_HD __half2(const __half &low, const __half &high);
    ECHO_HD __half2(const __half2_raw &raw);
    ECHO_HD operator __half2_raw() const;
};
ECHO_NARROW_PAIR(__half2, __half)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
ECHO_NARROW_FUNCTIONS(__half, __half2)
ECHO_HD __half __float2half(float x);
ECHO_HD __half __float2half_rn(float x);
ECHO_HD __half __float2half_rz(float x);
ECHO_HD __half __float2half_rd(float x);
ECHO_HD __half __float2half_ru(float x);
ECHO_HD __half __double2half(double x);
ECHO_HD float __half2float(__half x);
ECHO_HD __half2 __float2half2_rn(float x);
ECHO_HD __half2 __floats2half2_rn(float x, float y);
ECHO_HD __half2 __float22half2_rn(float2 x);
ECHO_HD float2 __half22float2(__half2 x);
ECHO_HD __half2 __half2half2(__half x);
ECHO_HD __half2 __halves2half2(__half x, __half y);
ECHO_HD __half2 make_half2(__half x, __half y);
ECHO_HD float __low2float(__half2 x);
ECHO_HD float __high2float(__half2 x);
#define ECHO_HALF_FROM(name, type)                                                                                    \
    ECHO_HD __half __##name##2half_rn(type x);                                                                        \
    ECHO_HD __half __##name##2half_rz(type x);                                                                        \
    ECHO_HD type __half2##name##_rn(__half x);                                                                        \
    ECHO_HD type __half2##name##_rz(__half x);                                                                        \
    ECHO_HD type __half2##name##_rd(__half x);                                                                        \
    ECHO_HD type __half2##name##_ru(__half x);
ECHO_HALF_FROM(int, int)
ECHO_HALF_FROM(uint, unsigned int)
ECHO_HALF_FROM(short, short)
ECHO_HALF_FROM(ushort, unsigned short)
ECHO_HALF_FROM(ll, long long)
ECHO_HALF_FROM(ull, unsigned long long)
ECHO_HD short __half_as_short(__half x);
ECHO_HD unsigned short __half_as_ushort(__half x);
ECHO_HD __half __short_as_half(short x);
ECHO_HD __half __ushort_as_half(unsigned short x);
#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#else
typedef struct { unsigned short x; } __half;
typedef struct { __half x, y; } __half2;
#endif
#endif
