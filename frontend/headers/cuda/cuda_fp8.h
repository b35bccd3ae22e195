// 8-bit floating point.
#ifndef ECHO_CUDA_FP8_H
#define ECHO_CUDA_FP8_H
#include "cuda_bf16.h"
#ifdef __cplusplus
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
#define ECHO_FP8(type, storage)                                                                                       \
    struct type {                                                                                                     \
        storage __x;                                                                                                  \
        type() = default;                                                                                             \
        template <class T> ECHO_HD explicit type(T x);                                                                \
        ECHO_HD explicit operator float() const;                                                                      \
        ECHO_HD explicit operator double() const;                                                                     \
        ECHO_HD explicit operator __half() const;                                                                     \
        ECHO_HD explicit operator __nv_bfloat16() const;                                                              \
        ECHO_HD explicit operator float2() const;                                                                     \
        ECHO_HD explicit operator float4() const;                                                                     \
        ECHO_HD explicit operator __half2() const;                                                                    \
    };
ECHO_FP8(__nv_fp8_e4m3, __nv_fp8_storage_t)
ECHO_FP8(__nv_fp8_e5m2, __nv_fp8_storage_t)
ECHO_FP8(__nv_fp8x2_e4m3, __nv_fp8x2_storage_t)
ECHO_FP8(__nv_fp8x2_e5m2, __nv_fp8x2_storage_t)
ECHO_FP8(__nv_fp8x4_e4m3, __nv_fp8x4_storage_t)
ECHO_FP8(__nv_fp8x4_e5m2, __nv_fp8x4_storage_t)
ECHO_HD __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t s, __nv_fp8_interpretation_t i);
ECHO_HD __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t i);
#endif
#endif
