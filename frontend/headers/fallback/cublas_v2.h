// cuBLAS.
#ifndef ECHO_CUBLAS_H
#define ECHO_CUBLAS_H
#include <cuComplex.h>
#include <cuda_fp16.h>
typedef struct cublasContext *cublasHandle_t;
typedef enum {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7, CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11,
    CUBLAS_STATUS_EXECUTION_FAILED = 13, CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15,
    CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef cublasStatus_t cublasStatus;
typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2, CUBLAS_OP_HERMITAN = 2, CUBLAS_OP_CONJG = 3 }
    cublasOperation_t;
typedef enum { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER, CUBLAS_FILL_MODE_FULL } cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
    CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_ALGO0 = 0, CUBLAS_GEMM_ALGO1, CUBLAS_GEMM_ALGO2,
    CUBLAS_GEMM_ALGO3, CUBLAS_GEMM_ALGO4, CUBLAS_GEMM_ALGO5, CUBLAS_GEMM_ALGO6, CUBLAS_GEMM_ALGO7,
    CUBLAS_GEMM_ALGO23 = 23, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99, CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
    CUBLAS_GEMM_ALGO0_TENSOR_OP = 100, CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef enum {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3,
    CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_16F_PEDANTIC = 65, CUBLAS_COMPUTE_32F = 68,
    CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_64F_PEDANTIC = 71,
    CUBLAS_COMPUTE_32I = 72, CUBLAS_COMPUTE_32I_PEDANTIC = 73, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
typedef cudaDataType cublasDataType_t;

#ifdef __cplusplus
extern "C" {
#endif
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
cublasStatus_t cublasInit(void);
cublasStatus_t cublasShutdown(void);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
const char *cublasGetStatusString(cublasStatus_t status);
const char *cublasGetStatusName(cublasStatus_t status);
cublasStatus_t cublasAlloc(int count, int element_size, void **pointer);
cublasStatus_t cublasFree(void *pointer);
cublasStatus_t cublasGetError(void);
cublasStatus_t cublasSetVector(int n, int element_size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasGetVector(int n, int element_size, const void *x, int incx, void *y, int incy);
cublasStatus_t cublasSetMatrix(int rows, int cols, int element_size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasGetMatrix(int rows, int cols, int element_size, const void *a, int lda, void *b, int ldb);
cublasStatus_t cublasSetVectorAsync(int n, int element_size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasGetVectorAsync(int n, int element_size, const void *x, int incx, void *y, int incy,
                                    cudaStream_t stream);
cublasStatus_t cublasSetMatrixAsync(int rows, int cols, int element_size, const void *a, int lda, void *b, int ldb,
                                    cudaStream_t stream);
cublasStatus_t cublasGetMatrixAsync(int rows, int cols, int element_size, const void *a, int lda, void *b, int ldb,
                                    cudaStream_t stream);

// Functions of every element type: P is the letter, T the type, R its real type.
#define ECHO_BLAS(P, T)                                                                                               \
    cublasStatus_t cublas##P##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);               \
    cublasStatus_t cublas##P##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);                     \
    cublasStatus_t cublas##P##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);                     \
    cublasStatus_t cublas##P##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y,          \
                                   int incy);                                                                         \
    cublasStatus_t cublas##P##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,      \
                                   const T *a, int lda, const T *x, int incx, const T *beta, T *y, int incy);         \
    cublasStatus_t cublas##P##gemvBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,               \
                                          const T *alpha, const T *const a[], int lda, const T *const x[], int incx,  \
                                          const T *beta, T *const y[], int incy, int count);                          \
    cublasStatus_t cublas##P##gemvStridedBatched(cublasHandle_t handle, cublasOperation_t trans, int m, int n,        \
                                                 const T *alpha, const T *a, int lda, long long stride_a, const T *x, \
                                                 int incx, long long stride_x, const T *beta, T *y, int incy,         \
                                                 long long stride_y, int count);                                      \
    cublasStatus_t cublas##P##gbmv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, int kl, int ku,      \
                                   const T *alpha, const T *a, int lda, const T *x, int incx, const T *beta, T *y,    \
                                   int incy);                                                                         \
    cublasStatus_t cublas##P##trmv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans,             \
                                   cublasDiagType_t diag, int n, const T *a, int lda, T *x, int incx);                \
    cublasStatus_t cublas##P##trsv(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans,             \
                                   cublasDiagType_t diag, int n, const T *a, int lda, T *x, int incx);                \
    cublasStatus_t cublas##P##symv(cublasHandle_t handle, cublasFillMode_t fill, int n, const T *alpha, const T *a,   \
                                   int lda, const T *x, int incx, const T *beta, T *y, int incy);                     \
    cublasStatus_t cublas##P##gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,  \
                                   int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb,            \
                                   const T *beta, T *c, int ldc);                                                     \
    cublasStatus_t cublas##P##gemm_v2(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,      \
                                      int m, int n, int k, const T *alpha, const T *a, int lda, const T *b, int ldb,  \
                                      const T *beta, T *c, int ldc);                                                  \
    cublasStatus_t cublas##P##gemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,  \
                                          int m, int n, int k, const T *alpha, const T *const a[], int lda,           \
                                          const T *const b[], int ldb, const T *beta, T *const c[], int ldc,          \
                                          int count);                                                                 \
    cublasStatus_t cublas##P##gemmStridedBatched(                                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,               \
        const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb, long long stride_b,             \
        const T *beta, T *c, int ldc, long long stride_c, int count);                                                 \
    cublasStatus_t cublas##P##symm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, \
                                   const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,     \
                                   int ldc);                                                                          \
    cublasStatus_t cublas##P##syrk(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans, int n,      \
                                   int k, const T *alpha, const T *a, int lda, const T *beta, T *c, int ldc);         \
    cublasStatus_t cublas##P##syr2k(cublasHandle_t handle, cublasFillMode_t fill, cublasOperation_t trans, int n,     \
                                    int k, const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta,   \
                                    T *c, int ldc);                                                                   \
    cublasStatus_t cublas##P##trmm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,               \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,      \
                                   const T *a, int lda, const T *b, int ldb, T *c, int ldc);                          \
    cublasStatus_t cublas##P##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,               \
                                   cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const T *alpha,      \
                                   const T *a, int lda, T *b, int ldb);                                               \
    cublasStatus_t cublas##P##trsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,        \
                                          cublasOperation_t trans, cublasDiagType_t diag, int m, int n,               \
                                          const T *alpha, const T *const a[], int lda, T *const b[], int ldb,         \
                                          int count);                                                                 \
    cublasStatus_t cublas##P##geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,  \
                                   int n, const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb,    \
                                   T *c, int ldc);                                                                    \
    cublasStatus_t cublas##P##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n, const T *a, int lda,   \
                                   const T *x, int incx, T *c, int ldc);                                              \
    cublasStatus_t cublas##P##getrfBatched(cublasHandle_t handle, int n, T *const a[], int lda, int *pivots,          \
                                           int *info, int count);                                                     \
    cublasStatus_t cublas##P##getriBatched(cublasHandle_t handle, int n, const T *const a[], int lda,                 \
                                           const int *pivots, T *const c[], int ldc, int *info, int count);           \
    cublasStatus_t cublas##P##getrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,           \
                                           const T *const a[], int lda, const int *pivots, T *const b[], int ldb,     \
                                           int *info, int count);                                                     \
    cublasStatus_t cublas##P##matinvBatched(cublasHandle_t handle, int n, const T *const a[], int lda, T *const b[],  \
                                            int ldb, int *info, int count);
ECHO_BLAS(S, float)
ECHO_BLAS(D, double)
ECHO_BLAS(C, cuComplex)
ECHO_BLAS(Z, cuDoubleComplex)
#define ECHO_BLAS_REAL(P, T)                                                                                          \
    cublasStatus_t cublas##P##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,           \
                                  T *result);                                                                         \
    cublasStatus_t cublas##P##rot(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy, const T *c,           \
                                  const T *s);                                                                        \
    cublasStatus_t cublas##P##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,          \
                                  const T *y, int incy, T *a, int lda);                                               \
    cublasStatus_t cublas##P##syr(cublasHandle_t handle, cublasFillMode_t fill, int n, const T *alpha, const T *x,    \
                                  int incx, T *a, int lda);
ECHO_BLAS_REAL(S, float)
ECHO_BLAS_REAL(D, double)
#define ECHO_BLAS_COMPLEX(P, T)                                                                                       \
    cublasStatus_t cublas##P##dotu(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,          \
                                   T *result);                                                                        \
    cublasStatus_t cublas##P##dotc(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,          \
                                   T *result);                                                                        \
    cublasStatus_t cublas##P##hemm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, int m, int n, \
                                   const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c,     \
                                   int ldc);
ECHO_BLAS_COMPLEX(C, cuComplex)
ECHO_BLAS_COMPLEX(Z, cuDoubleComplex)
#define ECHO_BLAS_NORM(name, T, R)                                                                                    \
    cublasStatus_t cublas##name(cublasHandle_t handle, int n, const T *x, int incx, R *result);
ECHO_BLAS_NORM(Snrm2, float, float)
ECHO_BLAS_NORM(Dnrm2, double, double)
ECHO_BLAS_NORM(Scnrm2, cuComplex, float)
ECHO_BLAS_NORM(Dznrm2, cuDoubleComplex, double)
ECHO_BLAS_NORM(Sasum, float, float)
ECHO_BLAS_NORM(Dasum, double, double)
ECHO_BLAS_NORM(Scasum, cuComplex, float)
ECHO_BLAS_NORM(Dzasum, cuDoubleComplex, double)
ECHO_BLAS_NORM(Isamax, float, int)
ECHO_BLAS_NORM(Idamax, double, int)
ECHO_BLAS_NORM(Icamax, cuComplex, int)
ECHO_BLAS_NORM(Izamax, cuDoubleComplex, int)
ECHO_BLAS_NORM(Isamin, float, int)
ECHO_BLAS_NORM(Idamin, double, int)
#ifdef __cplusplus
cublasStatus_t cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                           int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                           const __half *beta, __half *c, int ldc);
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const __half *alpha, const __half *a, int lda,
                                         long long stride_a, const __half *b, int ldb, long long stride_b,
                                         const __half *beta, __half *c, int ldc, long long stride_c, int count);
cublasStatus_t cublasHgemmBatched(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                                  int n, int k, const __half *alpha, const __half *const a[], int lda,
                                  const __half *const b[], int ldb, const __half *beta, __half *const c[], int ldc,
                                  int count);
#endif
cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                             int k, const float *alpha, const void *a, cudaDataType a_type, int lda, const void *b,
                             cudaDataType b_type, int ldb, const float *beta, void *c, cudaDataType c_type, int ldc);
#ifdef __cplusplus
}
#define ECHO_COMPUTE template <class Compute>
#else
#define ECHO_COMPUTE extern
typedef cublasComputeType_t Compute;
#endif
// The compute type is cudaDataType before CUDA 11 and cublasComputeType_t after: both are accepted.
ECHO_COMPUTE cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                         int m, int n, int k, const void *alpha, const void *a, cudaDataType a_type,
                                         int lda, const void *b, cudaDataType b_type, int ldb, const void *beta,
                                         void *c, cudaDataType c_type, int ldc, Compute compute,
                                         cublasGemmAlgo_t algorithm);
ECHO_COMPUTE cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                                cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                                const void *const a[], cudaDataType a_type, int lda,
                                                const void *const b[], cudaDataType b_type, int ldb, const void *beta,
                                                void *const c[], cudaDataType c_type, int ldc, int count,
                                                Compute compute, cublasGemmAlgo_t algorithm);
ECHO_COMPUTE cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k, const void *alpha,
    const void *a, cudaDataType a_type, int lda, long long stride_a, const void *b, cudaDataType b_type, int ldb,
    long long stride_b, const void *beta, void *c, cudaDataType c_type, int ldc, long long stride_c, int count,
    Compute compute, cublasGemmAlgo_t algorithm);
#endif
