// cuFFT: the entry points that emulator/libraries implements.
#pragma once
#include "cuComplex.h"
typedef enum {
    CUFFT_SUCCESS = 0, CUFFT_INVALID_PLAN = 1, CUFFT_ALLOC_FAILED = 2, CUFFT_INVALID_TYPE = 3, CUFFT_INVALID_VALUE = 4,
    CUFFT_INTERNAL_ERROR = 5, CUFFT_EXEC_FAILED = 6, CUFFT_SETUP_FAILED = 7, CUFFT_INVALID_SIZE = 8,
    CUFFT_UNALIGNED_DATA = 9, CUFFT_NOT_SUPPORTED = 16
} cufftResult;
typedef cufftResult cufftResult_t;
typedef enum { CUFFT_R2C = 0x2a, CUFFT_C2R = 0x2c, CUFFT_C2C = 0x29, CUFFT_D2Z = 0x6a, CUFFT_Z2D = 0x6c, CUFFT_Z2Z = 0x69 } cufftType;
typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1
extern "C" {
cufftResult cufftPlan1d(cufftHandle *p, int nx, cufftType t, int batch);
cufftResult cufftPlan2d(cufftHandle *p, int nx, int ny, cufftType t);
cufftResult cufftPlan3d(cufftHandle *p, int nx, int ny, int nz, cufftType t);
cufftResult cufftPlanMany(cufftHandle *p, int rank, int *n, int *inembed, int istride, int idist, int *onembed, int ostride, int odist, cufftType t, int batch);
cufftResult cufftSetStream(cufftHandle p, cudaStream_t s);
cufftResult cufftDestroy(cufftHandle p);
cufftResult cufftGetVersion(int *v);
cufftResult cufftExecC2C(cufftHandle p, cufftComplex *in, cufftComplex *out, int direction);
cufftResult cufftExecR2C(cufftHandle p, cufftReal *in, cufftComplex *out);
cufftResult cufftExecC2R(cufftHandle p, cufftComplex *in, cufftReal *out);
cufftResult cufftExecZ2Z(cufftHandle p, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction);
cufftResult cufftExecD2Z(cufftHandle p, cufftDoubleReal *in, cufftDoubleComplex *out);
cufftResult cufftExecZ2D(cufftHandle p, cufftDoubleComplex *in, cufftDoubleReal *out);
}
