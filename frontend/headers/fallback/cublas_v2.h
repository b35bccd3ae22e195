// cuBLAS.
#ifndef ECHO_CUBLAS_H
#define ECHO_CUBLAS_H
#define CUBLAS_API_H_ // for programs that test for the header, here and in the others
#include <cuComplex.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
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

// P is the letter of the element type T, R its real type; X and I are the suffix and the type of sizes of the 32 and
// the 64 bit interface.
#define ECHO_BLAS(P, T, R, X, I)                                                                                      \
    cublasStatus_t cublas##P##scal_v2##X(cublasHandle_t, I, const T *, T *, I);                                       \
    cublasStatus_t cublas##P##axpy_v2##X(cublasHandle_t, I, const T *, const T *, I, T *, I);                         \
    cublasStatus_t cublas##P##copy_v2##X(cublasHandle_t, I, const T *, I, T *, I);                                    \
    cublasStatus_t cublas##P##swap_v2##X(cublasHandle_t, I, T *, I, T *, I);                                          \
    cublasStatus_t cublas##P##rot_v2##X(cublasHandle_t, I, T *, I, T *, I, const R *, const T *);                     \
    cublasStatus_t cublas##P##gemv_v2##X(cublasHandle_t, cublasOperation_t, I, I, const T *, const T *, I,            \
        const T *, I, const T *, T *, I);                                                                             \
    cublasStatus_t cublas##P##gbmv_v2##X(cublasHandle_t, cublasOperation_t, I, I, I, I, const T *, const T *, I,      \
        const T *, I, const T *, T *, I);                                                                             \
    cublasStatus_t cublas##P##trmv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        const T *, I, T *, I);                                                                                        \
    cublasStatus_t cublas##P##tbmv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        I, const T *, I, T *, I);                                                                                     \
    cublasStatus_t cublas##P##tpmv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        const T *, T *, I);                                                                                           \
    cublasStatus_t cublas##P##trsv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        const T *, I, T *, I);                                                                                        \
    cublasStatus_t cublas##P##tpsv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        const T *, T *, I);                                                                                           \
    cublasStatus_t cublas##P##tbsv_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, cublasDiagType_t, I,    \
        I, const T *, I, T *, I);                                                                                     \
    cublasStatus_t cublas##P##symv_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, const T *, T *, I);                                                                                        \
    cublasStatus_t cublas##P##syr_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, T *, I);        \
    cublasStatus_t cublas##P##syr2_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, T *, I);                                                                                                   \
    cublasStatus_t cublas##P##gemvBatched##X(cublasHandle_t, cublasOperation_t, I, I, const T *, const T *const *,    \
        I, const T *const *, I, const T *, T *const *, I, I);                                                         \
    cublasStatus_t cublas##P##gemvStridedBatched##X(cublasHandle_t, cublasOperation_t, I, I, const T *, const T *,    \
        I, long long, const T *, I, long long, const T *, T *, I, long long, I);                                      \
    cublasStatus_t cublas##P##gemm_v2##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I, const T *,    \
        const T *, I, const T *, I, const T *, T *, I);                                                               \
    cublasStatus_t cublas##P##syrk_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const T *,        \
        const T *, I, const T *, T *, I);                                                                             \
    cublasStatus_t cublas##P##syr2k_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const T *,       \
        const T *, I, const T *, I, const T *, T *, I);                                                               \
    cublasStatus_t cublas##P##syrkx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const T *,          \
        const T *, I, const T *, I, const T *, T *, I);                                                               \
    cublasStatus_t cublas##P##symm_v2##X(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, I, I, const T *,         \
        const T *, I, const T *, I, const T *, T *, I);                                                               \
    cublasStatus_t cublas##P##trsm_v2##X(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,       \
        cublasDiagType_t, I, I, const T *, const T *, I, T *, I);                                                     \
    cublasStatus_t cublas##P##trmm_v2##X(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, cublasOperation_t,       \
        cublasDiagType_t, I, I, const T *, const T *, I, const T *, I, T *, I);                                       \
    cublasStatus_t cublas##P##gemmBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,           \
        const T *, const T *const *, I, const T *const *, I, const T *, T *const *, I, I);                            \
    cublasStatus_t cublas##P##gemmStridedBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,    \
        const T *, const T *, I, long long, const T *, I, long long, const T *, T *, I, long long, I);                \
    cublasStatus_t cublas##P##geam##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, const T *,          \
        const T *, I, const T *, const T *, I, T *, I);                                                               \
    cublasStatus_t cublas##P##trsmBatched##X(cublasHandle_t, cublasSideMode_t, cublasFillMode_t,                      \
        cublasOperation_t, cublasDiagType_t, I, I, const T *, const T *const *, I, T *const *, I, I);                 \
    cublasStatus_t cublas##P##dgmm##X(cublasHandle_t, cublasSideMode_t, I, I, const T *, I, const T *, I, T *, I);
ECHO_BLAS(S, float, float, , int)
ECHO_BLAS(S, float, float, _64, long)
ECHO_BLAS(D, double, double, , int)
ECHO_BLAS(D, double, double, _64, long)
ECHO_BLAS(C, cuComplex, float, , int)
ECHO_BLAS(C, cuComplex, float, _64, long)
ECHO_BLAS(Z, cuDoubleComplex, double, , int)
ECHO_BLAS(Z, cuDoubleComplex, double, _64, long)
#define ECHO_BLAS_BATCHED(P, T, R)                                                                                    \
    cublasStatus_t cublas##P##rotg_v2(cublasHandle_t, T *, T *, R *, T *);                                            \
    cublasStatus_t cublas##P##matinvBatched(cublasHandle_t, int, const T *const *, int, T *const *, int, int *,       \
        int);                                                                                                         \
    cublasStatus_t cublas##P##geqrfBatched(cublasHandle_t, int, int, T *const *, int, T *const *, int *, int);        \
    cublasStatus_t cublas##P##gelsBatched(cublasHandle_t, cublasOperation_t, int, int, int, T *const *, int,          \
        T *const *, int, int *, int *, int);                                                                          \
    cublasStatus_t cublas##P##tpttr(cublasHandle_t, cublasFillMode_t, int, const T *, T *, int);                      \
    cublasStatus_t cublas##P##trttp(cublasHandle_t, cublasFillMode_t, int, const T *, int, T *);                      \
    cublasStatus_t cublas##P##getrfBatched(cublasHandle_t, int, T *const *, int, int *, int *, int);                  \
    cublasStatus_t cublas##P##getriBatched(cublasHandle_t, int, const T *const *, int, const int *, T *const *,       \
        int, int *, int);                                                                                             \
    cublasStatus_t cublas##P##getrsBatched(cublasHandle_t, cublasOperation_t, int, int, const T *const *, int,        \
        const int *, T *const *, int, int *, int);
ECHO_BLAS_BATCHED(S, float, float)
ECHO_BLAS_BATCHED(D, double, double)
ECHO_BLAS_BATCHED(C, cuComplex, float)
ECHO_BLAS_BATCHED(Z, cuDoubleComplex, double)
#define ECHO_BLAS_REAL(P, T, R, X, I)                                                                                 \
    cublasStatus_t cublas##P##nrm2_v2##X(cublasHandle_t, I, const T *, I, T *);                                       \
    cublasStatus_t cublas##P##dot_v2##X(cublasHandle_t, I, const T *, I, const T *, I, T *);                          \
    cublasStatus_t cublas##P##asum_v2##X(cublasHandle_t, I, const T *, I, T *);                                       \
    cublasStatus_t cublas##P##rotm_v2##X(cublasHandle_t, I, T *, I, T *, I, const T *);                               \
    cublasStatus_t cublas##P##sbmv_v2##X(cublasHandle_t, cublasFillMode_t, I, I, const T *, const T *, I,             \
        const T *, I, const T *, T *, I);                                                                             \
    cublasStatus_t cublas##P##spmv_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, const T *, I,     \
        const T *, T *, I);                                                                                           \
    cublasStatus_t cublas##P##ger_v2##X(cublasHandle_t, I, I, const T *, const T *, I, const T *, I, T *, I);         \
    cublasStatus_t cublas##P##spr_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, T *);           \
    cublasStatus_t cublas##P##spr2_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, T *);
ECHO_BLAS_REAL(S, float, float, , int)
ECHO_BLAS_REAL(S, float, float, _64, long)
ECHO_BLAS_REAL(D, double, double, , int)
ECHO_BLAS_REAL(D, double, double, _64, long)
#define ECHO_BLAS_REAL_BATCHED(P, T, R)                                                                               \
    cublasStatus_t cublas##P##rotmg_v2(cublasHandle_t, T *, T *, T *, const T *, T *);
ECHO_BLAS_REAL_BATCHED(S, float, float)
ECHO_BLAS_REAL_BATCHED(D, double, double)
#define ECHO_BLAS_COMPLEX(P, T, R, X, I)                                                                              \
    cublasStatus_t cublas##P##dotu_v2##X(cublasHandle_t, I, const T *, I, const T *, I, T *);                         \
    cublasStatus_t cublas##P##dotc_v2##X(cublasHandle_t, I, const T *, I, const T *, I, T *);                         \
    cublasStatus_t cublas##P##hemv_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, const T *, T *, I);                                                                                        \
    cublasStatus_t cublas##P##hbmv_v2##X(cublasHandle_t, cublasFillMode_t, I, I, const T *, const T *, I,             \
        const T *, I, const T *, T *, I);                                                                             \
    cublasStatus_t cublas##P##hpmv_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, const T *, I,     \
        const T *, T *, I);                                                                                           \
    cublasStatus_t cublas##P##geru_v2##X(cublasHandle_t, I, I, const T *, const T *, I, const T *, I, T *, I);        \
    cublasStatus_t cublas##P##gerc_v2##X(cublasHandle_t, I, I, const T *, const T *, I, const T *, I, T *, I);        \
    cublasStatus_t cublas##P##her_v2##X(cublasHandle_t, cublasFillMode_t, I, const R *, const T *, I, T *, I);        \
    cublasStatus_t cublas##P##hpr_v2##X(cublasHandle_t, cublasFillMode_t, I, const R *, const T *, I, T *);           \
    cublasStatus_t cublas##P##her2_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, T *, I);                                                                                                   \
    cublasStatus_t cublas##P##hpr2_v2##X(cublasHandle_t, cublasFillMode_t, I, const T *, const T *, I, const T *,     \
        I, T *);                                                                                                      \
    cublasStatus_t cublas##P##gemm3m##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I, const T *,     \
        const T *, I, const T *, I, const T *, T *, I);                                                               \
    cublasStatus_t cublas##P##herk_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const R *,        \
        const T *, I, const R *, T *, I);                                                                             \
    cublasStatus_t cublas##P##her2k_v2##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const T *,       \
        const T *, I, const T *, I, const R *, T *, I);                                                               \
    cublasStatus_t cublas##P##herkx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const T *,          \
        const T *, I, const T *, I, const R *, T *, I);                                                               \
    cublasStatus_t cublas##P##hemm_v2##X(cublasHandle_t, cublasSideMode_t, cublasFillMode_t, I, I, const T *,         \
        const T *, I, const T *, I, const T *, T *, I);
ECHO_BLAS_COMPLEX(C, cuComplex, float, , int)
ECHO_BLAS_COMPLEX(C, cuComplex, float, _64, long)
ECHO_BLAS_COMPLEX(Z, cuDoubleComplex, double, , int)
ECHO_BLAS_COMPLEX(Z, cuDoubleComplex, double, _64, long)
#define ECHO_BLAS_OTHER(X, I)                                                                                         \
    cublasStatus_t cublasNrm2Ex##X(cublasHandle_t, I, const void *, cudaDataType, I, void *, cudaDataType,            \
        cudaDataType);                                                                                                \
    cublasStatus_t cublasScnrm2_v2##X(cublasHandle_t, I, const cuComplex *, I, float *);                              \
    cublasStatus_t cublasDznrm2_v2##X(cublasHandle_t, I, const cuDoubleComplex *, I, double *);                       \
    cublasStatus_t cublasCsscal_v2##X(cublasHandle_t, I, const float *, cuComplex *, I);                              \
    cublasStatus_t cublasZdscal_v2##X(cublasHandle_t, I, const double *, cuDoubleComplex *, I);                       \
    cublasStatus_t cublasAxpyEx##X(cublasHandle_t, I, const void *, cudaDataType, const void *, cudaDataType, I,      \
        void *, cudaDataType, I, cudaDataType);                                                                       \
    cublasStatus_t cublasIsamax_v2##X(cublasHandle_t, I, const float *, I, I *);                                      \
    cublasStatus_t cublasIdamax_v2##X(cublasHandle_t, I, const double *, I, I *);                                     \
    cublasStatus_t cublasIcamax_v2##X(cublasHandle_t, I, const cuComplex *, I, I *);                                  \
    cublasStatus_t cublasIzamax_v2##X(cublasHandle_t, I, const cuDoubleComplex *, I, I *);                            \
    cublasStatus_t cublasIamaxEx##X(cublasHandle_t, I, const void *, cudaDataType, I, I *);                           \
    cublasStatus_t cublasIsamin_v2##X(cublasHandle_t, I, const float *, I, I *);                                      \
    cublasStatus_t cublasIdamin_v2##X(cublasHandle_t, I, const double *, I, I *);                                     \
    cublasStatus_t cublasIcamin_v2##X(cublasHandle_t, I, const cuComplex *, I, I *);                                  \
    cublasStatus_t cublasIzamin_v2##X(cublasHandle_t, I, const cuDoubleComplex *, I, I *);                            \
    cublasStatus_t cublasIaminEx##X(cublasHandle_t, I, const void *, cudaDataType, I, I *);                           \
    cublasStatus_t cublasAsumEx##X(cublasHandle_t, I, const void *, cudaDataType, I, void *, cudaDataType,            \
        cudaDataType);                                                                                                \
    cublasStatus_t cublasScasum_v2##X(cublasHandle_t, I, const cuComplex *, I, float *);                              \
    cublasStatus_t cublasDzasum_v2##X(cublasHandle_t, I, const cuDoubleComplex *, I, double *);                       \
    cublasStatus_t cublasCsrot_v2##X(cublasHandle_t, I, cuComplex *, I, cuComplex *, I, const float *,                \
        const float *);                                                                                               \
    cublasStatus_t cublasZdrot_v2##X(cublasHandle_t, I, cuDoubleComplex *, I, cuDoubleComplex *, I,                   \
        const double *, const double *);                                                                              \
    cublasStatus_t cublasRotEx##X(cublasHandle_t, I, void *, cudaDataType, I, void *, cudaDataType, I,                \
        const void *, const void *, cudaDataType, cudaDataType);                                                      \
    cublasStatus_t cublasRotmEx##X(cublasHandle_t, I, void *, cudaDataType, I, void *, cudaDataType, I,               \
        const void *, cudaDataType, cudaDataType);                                                                    \
    cublasStatus_t cublasDotEx##X(cublasHandle_t, I, const void *, cudaDataType, I, const void *, cudaDataType, I,    \
        void *, cudaDataType, cudaDataType);                                                                          \
    cublasStatus_t cublasDotcEx##X(cublasHandle_t, I, const void *, cudaDataType, I, const void *, cudaDataType,      \
        I, void *, cudaDataType, cudaDataType);                                                                       \
    cublasStatus_t cublasScalEx##X(cublasHandle_t, I, const void *, cudaDataType, void *, cudaDataType, I,            \
        cudaDataType);                                                                                                \
    cublasStatus_t cublasCopyEx##X(cublasHandle_t, I, const void *, cudaDataType, I, void *, cudaDataType, I);        \
    cublasStatus_t cublasSwapEx##X(cublasHandle_t, I, void *, cudaDataType, I, void *, cudaDataType, I);              \
    cublasStatus_t cublasCgemm3mEx##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,                  \
        const cuComplex *, const void *, cudaDataType, I, const void *, cudaDataType, I, const cuComplex *,           \
        void *, cudaDataType, I);                                                                                     \
    cublasStatus_t cublasSgemmEx##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I, const float *,     \
        const void *, cudaDataType, I, const void *, cudaDataType, I, const float *, void *, cudaDataType, I);        \
    cublasStatus_t cublasCgemmEx##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,                    \
        const cuComplex *, const void *, cudaDataType, I, const void *, cudaDataType, I, const cuComplex *,           \
        void *, cudaDataType, I);                                                                                     \
    cublasStatus_t cublasCsyrkEx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const cuComplex *,     \
        const void *, cudaDataType, I, const cuComplex *, void *, cudaDataType, I);                                   \
    cublasStatus_t cublasCsyrk3mEx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I,                      \
        const cuComplex *, const void *, cudaDataType, I, const cuComplex *, void *, cudaDataType, I);                \
    cublasStatus_t cublasCherkEx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const float *,         \
        const void *, cudaDataType, I, const float *, void *, cudaDataType, I);                                       \
    cublasStatus_t cublasCherk3mEx##X(cublasHandle_t, cublasFillMode_t, cublasOperation_t, I, I, const float *,       \
        const void *, cudaDataType, I, const float *, void *, cudaDataType, I);                                       \
    cublasStatus_t cublasCgemm3mBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,             \
        const cuComplex *, const cuComplex *const *, I, const cuComplex *const *, I, const cuComplex *,               \
        cuComplex *const *, I, I);                                                                                    \
    cublasStatus_t cublasCgemm3mStridedBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,      \
        const cuComplex *, const cuComplex *, I, long long, const cuComplex *, I, long long, const cuComplex *,       \
        cuComplex *, I, long long, I);
ECHO_BLAS_OTHER(, int)
ECHO_BLAS_OTHER(_64, long)
cublasStatus_t cublasRotgEx(cublasHandle_t, void *, void *, cudaDataType, void *, void *, cudaDataType,
    cudaDataType);
cublasStatus_t cublasRotmgEx(cublasHandle_t, void *, cudaDataType, void *, cudaDataType, void *, cudaDataType,
    const void *, cudaDataType, void *, cudaDataType, cudaDataType);
cublasStatus_t cublasUint8gemmBias(cublasHandle_t, cublasOperation_t, cublasOperation_t, cublasOperation_t, int,
    int, int, const unsigned char *, int, int, const unsigned char *, int, int, unsigned char *, int, int, int,
    int);
#ifdef __cplusplus
#define ECHO_BLAS_HALF(X, I)                                                                                          \
    cublasStatus_t cublasHSHgemvBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,                    \
        const __half *const *, I, const __half *const *, I, const float *, __half *const *, I, I);                    \
    cublasStatus_t cublasHSSgemvBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,                    \
        const __half *const *, I, const __half *const *, I, const float *, float *const *, I, I);                     \
    cublasStatus_t cublasTSTgemvBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,                    \
        const __nv_bfloat16 *const *, I, const __nv_bfloat16 *const *, I, const float *, __nv_bfloat16 *const *,      \
        I, I);                                                                                                        \
    cublasStatus_t cublasTSSgemvBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,                    \
        const __nv_bfloat16 *const *, I, const __nv_bfloat16 *const *, I, const float *, float *const *, I, I);       \
    cublasStatus_t cublasHSHgemvStridedBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,             \
        const __half *, I, long long, const __half *, I, long long, const float *, __half *, I, long long, I);        \
    cublasStatus_t cublasHSSgemvStridedBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,             \
        const __half *, I, long long, const __half *, I, long long, const float *, float *, I, long long, I);         \
    cublasStatus_t cublasTSTgemvStridedBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,             \
        const __nv_bfloat16 *, I, long long, const __nv_bfloat16 *, I, long long, const float *, __nv_bfloat16 *,     \
        I, long long, I);                                                                                             \
    cublasStatus_t cublasTSSgemvStridedBatched##X(cublasHandle_t, cublasOperation_t, I, I, const float *,             \
        const __nv_bfloat16 *, I, long long, const __nv_bfloat16 *, I, long long, const float *, float *, I,          \
        long long, I);                                                                                                \
    cublasStatus_t cublasHgemm##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I, const __half *,      \
        const __half *, I, const __half *, I, const __half *, __half *, I);                                           \
    cublasStatus_t cublasHgemmBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,               \
        const __half *, const __half *const *, I, const __half *const *, I, const __half *, __half *const *, I,       \
        I);                                                                                                           \
    cublasStatus_t cublasHgemmStridedBatched##X(cublasHandle_t, cublasOperation_t, cublasOperation_t, I, I, I,        \
        const __half *, const __half *, I, long long, const __half *, I, long long, const __half *, __half *, I,      \
        long long, I);
ECHO_BLAS_HALF(, int)
ECHO_BLAS_HALF(_64, long)
#endif
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
#include <echo_cublas_names.h>
#endif
