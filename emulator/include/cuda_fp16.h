// Half precision, as _Float16 of the compiler.
#pragma once
#include "cuda_runtime.h"
#include "echo/small_float.h"
struct __half_raw { unsigned short x; };
struct __half2_raw { unsigned short x, y; };
ECHO_SMALL_CLASS(__half, __half2, _Float16)
ECHO_SMALL_FUNCTIONS(__half, __half2)
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
ECHO_BOTH float __half2float(__half h) { return h; }
ECHO_BOTH __half __float2half(float f) { return __half(f); }
ECHO_BOTH __half __float2half_rn(float f) { return __half(f); }
ECHO_BOTH __half __float2half_rz(float f) {
    __half h(f);
    // One step towards zero if rounding went away from it.
    if (fabsf((float)h) > fabsf(f)) { unsigned short b; __builtin_memcpy(&b, &h, 2); b--; __builtin_memcpy(&h, &b, 2); }
    return h;
}
ECHO_BOTH __half __double2half(double d) { __half h; h.v = (_Float16)d; return h; }
ECHO_BOTH __half2 __float2half2_rn(float f) { return __half2(__half(f), __half(f)); }
ECHO_BOTH __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
ECHO_BOTH __half2 __float22half2_rn(float2 f) { return __half2(__half(f.x), __half(f.y)); }
ECHO_BOTH float2 __half22float2(__half2 a) { return make_float2(a.x, a.y); }
ECHO_BOTH __half2 __half2half2(__half a) { return __half2(a, a); }
ECHO_BOTH __half2 __halves2half2(__half a, __half b) { return __half2(a, b); }
ECHO_BOTH __half2 make_half2(__half a, __half b) { return __half2(a, b); }
ECHO_BOTH __half __low2half(__half2 a) { return a.x; }
ECHO_BOTH __half __high2half(__half2 a) { return a.y; }
ECHO_BOTH __half2 __low2half2(__half2 a) { return __half2(a.x, a.x); }
ECHO_BOTH __half2 __high2half2(__half2 a) { return __half2(a.y, a.y); }
ECHO_BOTH __half2 __lows2half2(__half2 a, __half2 b) { return __half2(a.x, b.x); }
ECHO_BOTH __half2 __highs2half2(__half2 a, __half2 b) { return __half2(a.y, b.y); }
ECHO_BOTH __half2 __lowhigh2highlow(__half2 a) { return __half2(a.y, a.x); }
ECHO_BOTH int __half2int_rn(__half h) { return (int)rintf(h); }
ECHO_BOTH int __half2int_rz(__half h) { return (int)(float)h; }
ECHO_BOTH unsigned __half2uint_rn(__half h) { return (unsigned)rintf(h); }
ECHO_BOTH short __half2short_rn(__half h) { return (short)rintf(h); }
ECHO_BOTH __half __int2half_rn(int i) { return __half(i); }
ECHO_BOTH __half __uint2half_rn(unsigned i) { return __half(i); }
ECHO_BOTH __half __short2half_rn(short i) { return __half(i); }
ECHO_BOTH __half __ushort2half_rn(unsigned short i) { return __half(i); }
ECHO_BOTH unsigned short __half_as_ushort(__half h) { return ((__half_raw)h).x; }
ECHO_BOTH short __half_as_short(__half h) { return (short)((__half_raw)h).x; }
ECHO_BOTH __half __ushort_as_half(unsigned short b) { return __half(__half_raw{b}); }
ECHO_BOTH __half __short_as_half(short b) { return __half(__half_raw{(unsigned short)b}); }
