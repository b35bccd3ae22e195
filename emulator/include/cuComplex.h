// Complex numbers of CUDA's C interface.
#pragma once
#include "cuda_runtime.h"
#define ECHO_COMPLEX(C, P, T, V)                                                                                    \
    typedef V C;                                                                                                    \
    ECHO_BOTH C make_##C(T x, T y) { return make_##V(x, y); }                                                       \
    ECHO_BOTH T cuCreal##P(C a) { return a.x; }                                                                     \
    ECHO_BOTH T cuCimag##P(C a) { return a.y; }                                                                     \
    ECHO_BOTH C cuConj##P(C a) { return make_##V(a.x, -a.y); }                                                      \
    ECHO_BOTH C cuCadd##P(C a, C b) { return make_##V(a.x + b.x, a.y + b.y); }                                      \
    ECHO_BOTH C cuCsub##P(C a, C b) { return make_##V(a.x - b.x, a.y - b.y); }                                      \
    ECHO_BOTH C cuCmul##P(C a, C b) { return make_##V(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }              \
    ECHO_BOTH C cuCdiv##P(C a, C b) {                                                                               \
        T s = (b.x < 0 ? -b.x : b.x) + (b.y < 0 ? -b.y : b.y), o = 1 / s;                                           \
        T ar = a.x * o, ai = a.y * o, br = b.x * o, bi = b.y * o, d = 1 / (br * br + bi * bi);                      \
        return make_##V((ar * br + ai * bi) * d, (ai * br - ar * bi) * d);                                          \
    }
ECHO_COMPLEX(cuFloatComplex, f, float, float2)
ECHO_COMPLEX(cuDoubleComplex, , double, double2)
#undef ECHO_COMPLEX
ECHO_BOTH float cuCabsf(cuFloatComplex a) { return hypotf(a.x, a.y); }
ECHO_BOTH double cuCabs(cuDoubleComplex a) { return hypot(a.x, a.y); }
ECHO_BOTH cuFloatComplex cuCfmaf(cuFloatComplex a, cuFloatComplex b, cuFloatComplex c) { return cuCaddf(cuCmulf(a, b), c); }
ECHO_BOTH cuDoubleComplex cuCfma(cuDoubleComplex a, cuDoubleComplex b, cuDoubleComplex c) { return cuCadd(cuCmul(a, b), c); }
typedef cuFloatComplex cuComplex;
ECHO_BOTH cuComplex make_cuComplex(float x, float y) { return make_float2(x, y); }
ECHO_BOTH cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return make_double2(a.x, a.y); }
ECHO_BOTH cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return make_float2((float)a.x, (float)a.y); }
