// Complex numbers of the toolkit.
#ifndef ECHO_CU_COMPLEX_H
#define ECHO_CU_COMPLEX_H
#include "echo_cuda.h"
typedef float2 cuFloatComplex;
typedef double2 cuDoubleComplex;
typedef cuFloatComplex cuComplex;
#define ECHO_COMPLEX(type, real, suffix)                                                                              \
    ECHO_C ECHO_HD type make_##type(real x, real y);                                                                  \
    ECHO_C ECHO_HD real cuCreal##suffix(type x);                                                                      \
    ECHO_C ECHO_HD real cuCimag##suffix(type x);                                                                      \
    ECHO_C ECHO_HD type cuConj##suffix(type x);                                                                       \
    ECHO_C ECHO_HD type cuCadd##suffix(type x, type y);                                                               \
    ECHO_C ECHO_HD type cuCsub##suffix(type x, type y);                                                               \
    ECHO_C ECHO_HD type cuCmul##suffix(type x, type y);                                                               \
    ECHO_C ECHO_HD type cuCdiv##suffix(type x, type y);                                                               \
    ECHO_C ECHO_HD real cuCabs##suffix(type x);                                                                       \
    ECHO_C ECHO_HD type cuCfma##suffix(type x, type y, type z);
ECHO_COMPLEX(cuFloatComplex, float, f)
ECHO_COMPLEX(cuDoubleComplex, double, )
ECHO_C ECHO_HD cuComplex make_cuComplex(float x, float y);
ECHO_C ECHO_HD cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex x);
ECHO_C ECHO_HD cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex x);
#endif
