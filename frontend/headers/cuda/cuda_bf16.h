// bfloat16.
#ifndef ECHO_CUDA_BF16_H
#define ECHO_CUDA_BF16_H
#include "echo_cuda.h"
#define __CUDA_BF16_H__
#ifdef __cplusplus
#include "cuda_fp16.h"
struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
ECHO_NARROW_FLOAT(__nv_bfloat16, __nv_bfloat16_raw)
struct __attribute__((aligned(4))) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    ECHO_HD __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high);
    ECHO_HD __nv_bfloat162(const __nv_bfloat162_raw &raw);
};
ECHO_NARROW_PAIR(__nv_bfloat162, __nv_bfloat16)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
ECHO_NARROW_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
ECHO_HD __nv_bfloat16 __float2bfloat16(float x);
ECHO_HD __nv_bfloat16 __float2bfloat16_rn(float x);
ECHO_HD __nv_bfloat16 __float2bfloat16_rz(float x);
ECHO_HD __nv_bfloat16 __double2bfloat16(double x);
ECHO_HD __nv_bfloat16 __int2bfloat16_rn(int x);
ECHO_HD float __bfloat162float(__nv_bfloat16 x);
ECHO_HD int __bfloat162int_rn(__nv_bfloat16 x);
ECHO_HD __nv_bfloat162 __float2bfloat162_rn(float x);
ECHO_HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y);
ECHO_HD __nv_bfloat162 __float22bfloat162_rn(float2 x);
ECHO_HD float2 __bfloat1622float2(__nv_bfloat162 x);
ECHO_HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 x);
ECHO_HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
ECHO_HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y);
ECHO_HD float __low2float(__nv_bfloat162 x);
ECHO_HD float __high2float(__nv_bfloat162 x);
ECHO_HD short __bfloat16_as_short(__nv_bfloat16 x);
ECHO_HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 x);
ECHO_HD __nv_bfloat16 __short_as_bfloat16(short x);
ECHO_HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short x);
#endif
#endif
