// bfloat16. Stored as the upper half of a float, rounded to nearest even.
#pragma once
#include "cuda_runtime.h"
#include "echo/small_float.h"
struct __nv_bfloat16_raw { unsigned short x; };
struct __nv_bfloat162_raw { unsigned short x, y; };
struct echo_bfloat {
    unsigned short bits;
    echo_bfloat() = default;
    ECHO_BOTH explicit echo_bfloat(float f) {
        unsigned u = echo_bits<unsigned>(f);
        bits = f != f ? 0x7fff : (unsigned short)((u + 0x7fff + (u >> 16 & 1)) >> 16);
    }
    ECHO_BOTH explicit operator float() const { return echo_bits<float>((unsigned)bits << 16); }
};
ECHO_SMALL_CLASS(__nv_bfloat16, __nv_bfloat162, echo_bfloat)
ECHO_SMALL_FUNCTIONS(__nv_bfloat16, __nv_bfloat162)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
ECHO_BOTH float __bfloat162float(__nv_bfloat16 h) { return h; }
ECHO_BOTH __nv_bfloat16 __float2bfloat16(float f) { return __nv_bfloat16(f); }
ECHO_BOTH __nv_bfloat16 __float2bfloat16_rn(float f) { return __nv_bfloat16(f); }
ECHO_BOTH __nv_bfloat16 __double2bfloat16(double d) { return __nv_bfloat16((float)d); }
ECHO_BOTH __nv_bfloat162 __float2bfloat162_rn(float f) { return __nv_bfloat162(f, f); }
ECHO_BOTH __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(a, b); }
ECHO_BOTH __nv_bfloat162 __float22bfloat162_rn(float2 f) { return __nv_bfloat162(f.x, f.y); }
ECHO_BOTH float2 __bfloat1622float2(__nv_bfloat162 a) { return make_float2(a.x, a.y); }
ECHO_BOTH __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162(a, a); }
ECHO_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
ECHO_BOTH __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
ECHO_BOTH __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) { return a.x; }
ECHO_BOTH __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) { return a.y; }
ECHO_BOTH __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.x, a.x); }
ECHO_BOTH __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) { return __nv_bfloat162(a.y, a.y); }
ECHO_BOTH int __bfloat162int_rn(__nv_bfloat16 h) { return (int)rintf(h); }
ECHO_BOTH int __bfloat162int_rz(__nv_bfloat16 h) { return (int)(float)h; }
ECHO_BOTH __nv_bfloat16 __int2bfloat16_rn(int i) { return __nv_bfloat16(i); }
ECHO_BOTH __nv_bfloat16 __uint2bfloat16_rn(unsigned i) { return __nv_bfloat16(i); }
ECHO_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 h) { return ((__nv_bfloat16_raw)h).x; }
ECHO_BOTH short __bfloat16_as_short(__nv_bfloat16 h) { return (short)((__nv_bfloat16_raw)h).x; }
ECHO_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short b) { return __nv_bfloat16(__nv_bfloat16_raw{b}); }
ECHO_BOTH __nv_bfloat16 __short_as_bfloat16(short b) { return __nv_bfloat16(__nv_bfloat16_raw{(unsigned short)b}); }
