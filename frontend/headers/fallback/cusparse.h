// cuSPARSE: the generic interface, and the legacy functions still in use.
#ifndef ECHO_CUSPARSE_H
#define ECHO_CUSPARSE_H
#define CUSPARSEAPI
#include <cuComplex.h>
#define CUSPARSE_VERSION 12300
typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseSpMatDescr const *cusparseConstSpMatDescr_t;
typedef struct cusparseDnMatDescr const *cusparseConstDnMatDescr_t;
typedef struct cusparseDnVecDescr const *cusparseConstDnVecDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;
typedef struct csrsv2Info *csrsv2Info_t;
typedef struct csrilu02Info *csrilu02Info_t;
typedef struct csric02Info *csric02Info_t;
typedef struct bsrsv2Info *bsrsv2Info_t;
typedef struct bsrsm2Info *bsrsm2Info_t;
typedef struct bsrilu02Info *bsrilu02Info_t;
typedef struct bsric02Info *bsric02Info_t;
typedef struct csru2csrInfo *csru2csrInfo_t;
typedef struct pruneInfo *pruneInfo_t;
typedef struct cusparseColorInfo *cusparseColorInfo_t;
typedef struct cusparseSpVecDescr const *cusparseConstSpVecDescr_t;
typedef enum {
    CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC, CUSPARSE_FORMAT_COO, CUSPARSE_FORMAT_BLOCKED_ELL = 5,
    CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_SLICED_ELLPACK
} cusparseFormat_t;
typedef enum { CUSPARSE_SPSM_UPDATE_GENERAL, CUSPARSE_SPSM_UPDATE_DIAGONAL } cusparseSpSMUpdate_t;
typedef enum {
    CUSPARSE_STATUS_SUCCESS = 0, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_ARCH_MISMATCH, CUSPARSE_STATUS_MAPPING_ERROR,
    CUSPARSE_STATUS_EXECUTION_FAILED, CUSPARSE_STATUS_INTERNAL_ERROR, CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED,
    CUSPARSE_STATUS_ZERO_PIVOT, CUSPARSE_STATUS_NOT_SUPPORTED, CUSPARSE_STATUS_INSUFFICIENT_RESOURCES
} cusparseStatus_t;
typedef enum { CUSPARSE_POINTER_MODE_HOST, CUSPARSE_POINTER_MODE_DEVICE } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC, CUSPARSE_ACTION_NUMERIC } cusparseAction_t;
typedef enum {
    CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_MATRIX_TYPE_SYMMETRIC, CUSPARSE_MATRIX_TYPE_HERMITIAN,
    CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE } cusparseIndexBase_t;
typedef enum {
    CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN } cusparseDirection_t;
typedef enum { CUSPARSE_SOLVE_POLICY_NO_LEVEL, CUSPARSE_SOLVE_POLICY_USE_LEVEL } cusparseSolvePolicy_t;
typedef enum { CUSPARSE_CSR2CSC_ALG_DEFAULT = 1, CUSPARSE_CSR2CSC_ALG1 = 1, CUSPARSE_CSR2CSC_ALG2 = 2 } cusparseCsr2CscAlg_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
    CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_COO_ALG1, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2,
    CUSPARSE_SPMV_COO_ALG2, CUSPARSE_MV_ALG_DEFAULT = 0, CUSPARSE_SPMV_SELL_ALG1 = 5
} cusparseSpMVAlg_t;
typedef enum {
    CUSPARSE_SPMM_ALG_DEFAULT, CUSPARSE_SPMM_COO_ALG1, CUSPARSE_SPMM_COO_ALG2, CUSPARSE_SPMM_COO_ALG3,
    CUSPARSE_SPMM_CSR_ALG1, CUSPARSE_SPMM_COO_ALG4, CUSPARSE_SPMM_CSR_ALG2, CUSPARSE_SPMM_CSR_ALG3 = 12,
    CUSPARSE_SPMM_BLOCKED_ELL_ALG1 = 13
} cusparseSpMMAlg_t;
typedef enum { CUSPARSE_SPGEMM_DEFAULT, CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC, CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC, CUSPARSE_SPGEMM_ALG1, CUSPARSE_SPGEMM_ALG2, CUSPARSE_SPGEMM_ALG3 } cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;
typedef enum { CUSPARSE_SPSV_UPDATE_GENERAL, CUSPARSE_SPSV_UPDATE_DIAGONAL } cusparseSpSVUpdate_t;
#ifdef __cplusplus
extern "C" {
#endif
cusparseStatus_t cusparseCreate(cusparseHandle_t *handle);
cusparseStatus_t cusparseDestroy(cusparseHandle_t handle);
cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version);
const char *cusparseGetErrorString(cusparseStatus_t status);
const char *cusparseGetErrorName(cusparseStatus_t status);
cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *description);
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t description);
cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t description, cusparseMatrixType_t type);
cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t description, cusparseIndexBase_t base);
cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t description, cusparseFillMode_t mode);
cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t description, cusparseDiagType_t type);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *vector, long size, long nnz, void *indices, void *values,
                                     cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpVec(cusparseSpVecDescr_t vector);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, long size, void *values, cudaDataType type);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *matrix, long rows, long cols, long nnz, void *row_offsets,
                                   void *columns, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t column_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *matrix, long rows, long cols, long nnz, void *column_offsets,
                                   void *rows_, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t row_type, cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *matrix, long rows, long cols, long nnz, void *row_indices,
                                   void *column_indices, void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseCreateBlockedEll(cusparseSpMatDescr_t *matrix, long rows, long cols, long block, long ell_cols,
                                          void *columns, void *values, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType type);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, long *rows, long *cols, long *nnz);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix, cusparseSpMatAttribute_t attribute, void *data,
                                           size_t size);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void *row_offsets, void *columns, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void *rows, void *columns, void *values);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, long rows, long cols, long ld, void *values,
                                     cudaDataType type, cusparseOrder_t order);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);
cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count, long stride);
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count, long offsets_stride,
                                            long values_stride);

#define ECHO_SPARSE_MV                                                                                                \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,                  \
        cusparseConstDnVecDescr_t x, const void *beta, cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t alg
cusparseStatus_t cusparseSpMV(ECHO_SPARSE_MV, void *buffer);
cusparseStatus_t cusparseSpMV_bufferSize(ECHO_SPARSE_MV, size_t *size);
cusparseStatus_t cusparseSpMV_preprocess(ECHO_SPARSE_MV, void *buffer);
#define ECHO_SPARSE_MM                                                                                                \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                   \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseDnMatDescr_t c,           \
        cudaDataType type, cusparseSpMMAlg_t alg
cusparseStatus_t cusparseSpMM(ECHO_SPARSE_MM, void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(ECHO_SPARSE_MM, size_t *size);
cusparseStatus_t cusparseSpMM_preprocess(ECHO_SPARSE_MM, void *buffer);
#define ECHO_SPARSE_DDMM                                                                                              \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                   \
        cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,           \
        cudaDataType type, cusparseSDDMMAlg_t alg
cusparseStatus_t cusparseSDDMM(ECHO_SPARSE_DDMM, void *buffer);
cusparseStatus_t cusparseSDDMM_bufferSize(ECHO_SPARSE_DDMM, size_t *size);
cusparseStatus_t cusparseSDDMM_preprocess(ECHO_SPARSE_DDMM, void *buffer);
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *description);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t description);
#define ECHO_SPARSE_SV                                                                                                \
    cusparseHandle_t handle, cusparseOperation_t op, const void *alpha, cusparseConstSpMatDescr_t a,                  \
        cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y, cudaDataType type, cusparseSpSVAlg_t alg,                \
        cusparseSpSVDescr_t description
cusparseStatus_t cusparseSpSV_bufferSize(ECHO_SPARSE_SV, size_t *size);
cusparseStatus_t cusparseSpSV_analysis(ECHO_SPARSE_SV, void *buffer);
cusparseStatus_t cusparseSpSV_solve(ECHO_SPARSE_SV);
cusparseStatus_t cusparseSpSV_updateMatrix(cusparseHandle_t handle, cusparseSpSVDescr_t description, void *values,
                                           cusparseSpSVUpdate_t part);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *description);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t description);
#define ECHO_SPARSE_SM                                                                                                \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                   \
        cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType type,          \
        cusparseSpSMAlg_t alg, cusparseSpSMDescr_t description
cusparseStatus_t cusparseSpSM_bufferSize(ECHO_SPARSE_SM, size_t *size);
cusparseStatus_t cusparseSpSM_analysis(ECHO_SPARSE_SM, void *buffer);
cusparseStatus_t cusparseSpSM_solve(ECHO_SPARSE_SM);
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *description);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t description);
#define ECHO_SPARSE_GEMM                                                                                              \
    cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b, const void *alpha,                   \
        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b, const void *beta, cusparseSpMatDescr_t c,           \
        cudaDataType type, cusparseSpGEMMAlg_t alg, cusparseSpGEMMDescr_t description
cusparseStatus_t cusparseSpGEMM_workEstimation(ECHO_SPARSE_GEMM, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMM_compute(ECHO_SPARSE_GEMM, size_t *size, void *buffer);
cusparseStatus_t cusparseSpGEMM_copy(ECHO_SPARSE_GEMM);
cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                                  cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t alg, size_t *size);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a, cusparseDnMatDescr_t b,
                                       cusparseSparseToDenseAlg_t alg, void *buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                  cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg, size_t *size);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg, void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t alg, void *buffer);
#define ECHO_SPARSE_CSC                                                                                               \
    cusparseHandle_t handle, int m, int n, int nnz, const void *values, const int *row_offsets, const int *columns,   \
        void *csc_values, int *column_offsets, int *rows, cudaDataType type, cusparseAction_t action,                 \
        cusparseIndexBase_t base, cusparseCsr2CscAlg_t alg
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(ECHO_SPARSE_CSC, size_t *size);
cusparseStatus_t cusparseCsr2cscEx2(ECHO_SPARSE_CSC, void *buffer);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int *rows, int nnz, int m, int *row_offsets,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int *row_offsets, int nnz, int m, int *rows,
                                  cusparseIndexBase_t base);
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int *p);
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t handle, int m, int n, int nnz, const int *rows,
                                                const int *columns, size_t *size);
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t handle, int m, int n, int nnz, int *rows, int *columns, int *p,
                                       void *buffer);
cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t *info);
cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info);
cusparseStatus_t cusparseCreateCsric02Info(csric02Info_t *info);
cusparseStatus_t cusparseDestroyCsric02Info(csric02Info_t info);
#define ECHO_SPARSE_ILU(P, T)                                                                                         \
    cusparseStatus_t cusparse##P##csrilu02_bufferSize(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a,  \
                                                      T *values, const int *row_offsets, const int *columns,          \
                                                      csrilu02Info_t info, int *size);                                \
    cusparseStatus_t cusparse##P##csrilu02_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a,    \
                                                    const T *values, const int *row_offsets, const int *columns,      \
                                                    csrilu02Info_t info, cusparseSolvePolicy_t policy, void *buffer); \
    cusparseStatus_t cusparse##P##csrilu02(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a, T *values,  \
                                           const int *row_offsets, const int *columns, csrilu02Info_t info,           \
                                           cusparseSolvePolicy_t policy, void *buffer);                               \
    cusparseStatus_t cusparse##P##csric02_bufferSize(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a,   \
                                                     T *values, const int *row_offsets, const int *columns,           \
                                                     csric02Info_t info, int *size);                                  \
    cusparseStatus_t cusparse##P##csric02_analysis(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a,     \
                                                   const T *values, const int *row_offsets, const int *columns,       \
                                                   csric02Info_t info, cusparseSolvePolicy_t policy, void *buffer);   \
    cusparseStatus_t cusparse##P##csric02(cusparseHandle_t handle, int m, int nnz, cusparseMatDescr_t a, T *values,   \
                                          const int *row_offsets, const int *columns, csric02Info_t info,             \
                                          cusparseSolvePolicy_t policy, void *buffer);
ECHO_SPARSE_ILU(S, float)
ECHO_SPARSE_ILU(D, double)
cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info, int *position);
cusparseStatus_t cusparseXcsric02_zeroPivot(cusparseHandle_t handle, csric02Info_t info, int *position);
// P is the letter of the element type T, R its real type.
#define ECHO_SPARSE(P, T, R)                                                                                          \
    cusparseStatus_t cusparse##P##gemvi(cusparseHandle_t, cusparseOperation_t, int, int, const T *, const T *,        \
        int, int, const T *, const int *, const T *, T *, cusparseIndexBase_t, void *);                               \
    cusparseStatus_t cusparse##P##gemvi_bufferSize(cusparseHandle_t, cusparseOperation_t, int, int, int, int *);      \
    cusparseStatus_t cusparse##P##bsrmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int, int,    \
        const T *, const cusparseMatDescr_t, const T *, const int *, const int *, int, const T *, const T *, T *);    \
    cusparseStatus_t cusparse##P##bsrxmv(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int, int,        \
        int, int, const T *, const cusparseMatDescr_t, const T *, const int *, const int *, const int *,              \
        const int *, int, const T *, const T *, T *);                                                                 \
    cusparseStatus_t cusparse##P##bsrsv2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,       \
        int, int, const cusparseMatDescr_t, T *, const int *, const int *, int, bsrsv2Info_t, int *);                 \
    cusparseStatus_t cusparse##P##bsrsv2_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,    \
        int, int, const cusparseMatDescr_t, T *, const int *, const int *, int, bsrsv2Info_t, size_t *);              \
    cusparseStatus_t cusparse##P##bsrsv2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,    \
        int, const cusparseMatDescr_t, const T *, const int *, const int *, int, bsrsv2Info_t,                        \
        cusparseSolvePolicy_t, void *);                                                                               \
    cusparseStatus_t cusparse##P##bsrsv2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t, int,       \
        int, const T *, const cusparseMatDescr_t, const T *, const int *, const int *, int, bsrsv2Info_t,             \
        const T *, T *, cusparseSolvePolicy_t, void *);                                                               \
    cusparseStatus_t cusparse##P##bsrmm(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,                   \
        cusparseOperation_t, int, int, int, int, const T *, const cusparseMatDescr_t, const T *, const int *,         \
        const int *, const int, const T *, const int, const T *, T *, int);                                           \
    cusparseStatus_t cusparse##P##bsrsm2_bufferSize(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,       \
        cusparseOperation_t, int, int, int, const cusparseMatDescr_t, T *, const int *, const int *, int,             \
        bsrsm2Info_t, int *);                                                                                         \
    cusparseStatus_t cusparse##P##bsrsm2_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,    \
        cusparseOperation_t, int, int, int, const cusparseMatDescr_t, T *, const int *, const int *, int,             \
        bsrsm2Info_t, size_t *);                                                                                      \
    cusparseStatus_t cusparse##P##bsrsm2_analysis(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,         \
        cusparseOperation_t, int, int, int, const cusparseMatDescr_t, const T *, const int *, const int *, int,       \
        bsrsm2Info_t, cusparseSolvePolicy_t, void *);                                                                 \
    cusparseStatus_t cusparse##P##bsrsm2_solve(cusparseHandle_t, cusparseDirection_t, cusparseOperation_t,            \
        cusparseOperation_t, int, int, int, const T *, const cusparseMatDescr_t, const T *, const int *,              \
        const int *, int, bsrsm2Info_t, const T *, int, T *, int, cusparseSolvePolicy_t, void *);                     \
    cusparseStatus_t cusparse##P##csrilu02_bufferSizeExt(cusparseHandle_t, int, int, const cusparseMatDescr_t,        \
        T *, const int *, const int *, csrilu02Info_t, size_t *);                                                     \
    cusparseStatus_t cusparse##P##bsrilu02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,                \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsrilu02Info_t, int *);                         \
    cusparseStatus_t cusparse##P##bsrilu02_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int,             \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsrilu02Info_t, size_t *);                      \
    cusparseStatus_t cusparse##P##bsrilu02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,                  \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t,          \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##bsrilu02(cusparseHandle_t, cusparseDirection_t, int, int,                           \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsrilu02Info_t, cusparseSolvePolicy_t,          \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##csric02_bufferSizeExt(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *,    \
        const int *, const int *, csric02Info_t, size_t *);                                                           \
    cusparseStatus_t cusparse##P##bsric02_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,                 \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsric02Info_t, int *);                          \
    cusparseStatus_t cusparse##P##bsric02_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int,              \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsric02Info_t, size_t *);                       \
    cusparseStatus_t cusparse##P##bsric02_analysis(cusparseHandle_t, cusparseDirection_t, int, int,                   \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t,     \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##bsric02(cusparseHandle_t, cusparseDirection_t, int, int,                            \
        const cusparseMatDescr_t, T *, const int *, const int *, int, bsric02Info_t, cusparseSolvePolicy_t,           \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##gtsv2_bufferSizeExt(cusparseHandle_t, int, int, const T *, const T *, const T *,    \
        const T *, int, size_t *);                                                                                    \
    cusparseStatus_t cusparse##P##gtsv2(cusparseHandle_t, int, int, const T *, const T *, const T *, T *, int,        \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##gtsv2_nopivot_bufferSizeExt(cusparseHandle_t, int, int, const T *, const T *,       \
        const T *, const T *, int, size_t *);                                                                         \
    cusparseStatus_t cusparse##P##gtsv2_nopivot(cusparseHandle_t, int, int, const T *, const T *, const T *, T *,     \
        int, void *);                                                                                                 \
    cusparseStatus_t cusparse##P##gtsv2StridedBatch_bufferSizeExt(cusparseHandle_t, int, const T *, const T *,        \
        const T *, const T *, int, int, size_t *);                                                                    \
    cusparseStatus_t cusparse##P##gtsv2StridedBatch(cusparseHandle_t, int, const T *, const T *, const T *, T *,      \
        int, int, void *);                                                                                            \
    cusparseStatus_t cusparse##P##gtsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const T *,           \
        const T *, const T *, const T *, int, size_t *);                                                              \
    cusparseStatus_t cusparse##P##gtsvInterleavedBatch(cusparseHandle_t, int, int, T *, T *, T *, T *, int,           \
        void *);                                                                                                      \
    cusparseStatus_t cusparse##P##gpsvInterleavedBatch_bufferSizeExt(cusparseHandle_t, int, int, const T *,           \
        const T *, const T *, const T *, const T *, const T *, int, size_t *);                                        \
    cusparseStatus_t cusparse##P##gpsvInterleavedBatch(cusparseHandle_t, int, int, T *, T *, T *, T *, T *, T *,      \
        int, void *);                                                                                                 \
    cusparseStatus_t cusparse##P##csrgeam2_bufferSizeExt(cusparseHandle_t, int, int, const T *,                       \
        const cusparseMatDescr_t, int, const T *, const int *, const int *, const T *, const cusparseMatDescr_t,      \
        int, const T *, const int *, const int *, const cusparseMatDescr_t, const T *, const int *, const int *,      \
        size_t *);                                                                                                    \
    cusparseStatus_t cusparse##P##csrgeam2(cusparseHandle_t, int, int, const T *, const cusparseMatDescr_t, int,      \
        const T *, const int *, const int *, const T *, const cusparseMatDescr_t, int, const T *, const int *,        \
        const int *, const cusparseMatDescr_t, T *, int *, int *, void *);                                            \
    cusparseStatus_t cusparse##P##csrcolor(cusparseHandle_t, int, int, const cusparseMatDescr_t, const T *,           \
        const int *, const int *, const R *, int *, int *, int *, const cusparseColorInfo_t);                         \
    cusparseStatus_t cusparse##P##nnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,      \
        const T *, int, int *, int *);                                                                                \
    cusparseStatus_t cusparse##P##nnz_compress(cusparseHandle_t, int, const cusparseMatDescr_t, const T *,            \
        const int *, int *, int *, T);                                                                                \
    cusparseStatus_t cusparse##P##csr2csr_compress(cusparseHandle_t, int, int, const cusparseMatDescr_t,              \
        const T *, const int *, const int *, int, const int *, T *, int *, int *, T);                                 \
    cusparseStatus_t cusparse##P##csr2bsr(cusparseHandle_t, cusparseDirection_t, int, int,                            \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, const cusparseMatDescr_t, T *, int *,     \
        int *);                                                                                                       \
    cusparseStatus_t cusparse##P##bsr2csr(cusparseHandle_t, cusparseDirection_t, int, int,                            \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, const cusparseMatDescr_t, T *, int *,     \
        int *);                                                                                                       \
    cusparseStatus_t cusparse##P##gebsr2gebsc_bufferSize(cusparseHandle_t, int, int, int, const T *, const int *,     \
        const int *, int, int, int *);                                                                                \
    cusparseStatus_t cusparse##P##gebsr2gebsc_bufferSizeExt(cusparseHandle_t, int, int, int, const T *,               \
        const int *, const int *, int, int, size_t *);                                                                \
    cusparseStatus_t cusparse##P##gebsr2gebsc(cusparseHandle_t, int, int, int, const T *, const int *,                \
        const int *, int, int, T *, int *, int *, cusparseAction_t, cusparseIndexBase_t, void *);                     \
    cusparseStatus_t cusparse##P##gebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int,                          \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, const cusparseMatDescr_t, T *,       \
        int *, int *);                                                                                                \
    cusparseStatus_t cusparse##P##csr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int,               \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, int *);                              \
    cusparseStatus_t cusparse##P##csr2gebsr_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int,            \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, size_t *);                           \
    cusparseStatus_t cusparse##P##csr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int,                          \
        const cusparseMatDescr_t, const T *, const int *, const int *, const cusparseMatDescr_t, T *, int *,          \
        int *, int, int, void *);                                                                                     \
    cusparseStatus_t cusparse##P##gebsr2gebsr_bufferSize(cusparseHandle_t, cusparseDirection_t, int, int, int,        \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, int, int, int *);                    \
    cusparseStatus_t cusparse##P##gebsr2gebsr_bufferSizeExt(cusparseHandle_t, cusparseDirection_t, int, int, int,     \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, int, int, size_t *);                 \
    cusparseStatus_t cusparse##P##gebsr2gebsr(cusparseHandle_t, cusparseDirection_t, int, int, int,                   \
        const cusparseMatDescr_t, const T *, const int *, const int *, int, int, const cusparseMatDescr_t, T *,       \
        int *, int *, int, int, void *);                                                                              \
    cusparseStatus_t cusparse##P##csru2csr_bufferSizeExt(cusparseHandle_t, int, int, int, T *, const int *, int *,    \
        csru2csrInfo_t, size_t *);                                                                                    \
    cusparseStatus_t cusparse##P##csru2csr(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, T *,            \
        const int *, int *, csru2csrInfo_t, void *);                                                                  \
    cusparseStatus_t cusparse##P##csr2csru(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, T *,            \
        const int *, int *, csru2csrInfo_t, void *);
ECHO_SPARSE(S, float, float)
ECHO_SPARSE(D, double, double)
ECHO_SPARSE(C, cuComplex, float)
ECHO_SPARSE(Z, cuDoubleComplex, double)
#define ECHO_SPARSE_REAL(P, T, R)                                                                                     \
    cusparseStatus_t cusparse##P##pruneDense2csr_bufferSizeExt(cusparseHandle_t, int, int, const T *, int,            \
        const T *, const cusparseMatDescr_t, const T *, const int *, const int *, size_t *);                          \
    cusparseStatus_t cusparse##P##pruneDense2csrNnz(cusparseHandle_t, int, int, const T *, int, const T *,            \
        const cusparseMatDescr_t, int *, int *, void *);                                                              \
    cusparseStatus_t cusparse##P##pruneDense2csr(cusparseHandle_t, int, int, const T *, int, const T *,               \
        const cusparseMatDescr_t, T *, const int *, int *, void *);                                                   \
    cusparseStatus_t cusparse##P##pruneCsr2csr_bufferSizeExt(cusparseHandle_t, int, int, int,                         \
        const cusparseMatDescr_t, const T *, const int *, const int *, const T *, const cusparseMatDescr_t,           \
        const T *, const int *, const int *, size_t *);                                                               \
    cusparseStatus_t cusparse##P##pruneCsr2csrNnz(cusparseHandle_t, int, int, int, const cusparseMatDescr_t,          \
        const T *, const int *, const int *, const T *, const cusparseMatDescr_t, int *, int *, void *);              \
    cusparseStatus_t cusparse##P##pruneCsr2csr(cusparseHandle_t, int, int, int, const cusparseMatDescr_t,             \
        const T *, const int *, const int *, const T *, const cusparseMatDescr_t, T *, const int *, int *,            \
        void *);
ECHO_SPARSE_REAL(S, float, float)
ECHO_SPARSE_REAL(D, double, double)
#define ECHO_SPARSE_COMPLEX(P, T, R)                                                                                  \
    cusparseStatus_t cusparse##P##csrilu02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *,      \
        const int *, const int *, csrilu02Info_t, int *);                                                             \
    cusparseStatus_t cusparse##P##csrilu02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t,             \
        const T *, const int *, const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);                          \
    cusparseStatus_t cusparse##P##csrilu02(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,    \
        const int *, csrilu02Info_t, cusparseSolvePolicy_t, void *);                                                  \
    cusparseStatus_t cusparse##P##csric02_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *,       \
        const int *, const int *, csric02Info_t, int *);                                                              \
    cusparseStatus_t cusparse##P##csric02_analysis(cusparseHandle_t, int, int, const cusparseMatDescr_t,              \
        const T *, const int *, const int *, csric02Info_t, cusparseSolvePolicy_t, void *);                           \
    cusparseStatus_t cusparse##P##csric02(cusparseHandle_t, int, int, const cusparseMatDescr_t, T *, const int *,     \
        const int *, csric02Info_t, cusparseSolvePolicy_t, void *);
ECHO_SPARSE_COMPLEX(C, cuComplex, float)
ECHO_SPARSE_COMPLEX(Z, cuDoubleComplex, double)
cusparseStatus_t cusparseGetProperty(libraryPropertyType, int *);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t, cusparsePointerMode_t *);
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t);
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t);
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t);
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t);
cusparseStatus_t cusparseCreateBsric02Info(bsric02Info_t *);
cusparseStatus_t cusparseDestroyBsric02Info(bsric02Info_t);
cusparseStatus_t cusparseCreateBsrilu02Info(bsrilu02Info_t *);
cusparseStatus_t cusparseDestroyBsrilu02Info(bsrilu02Info_t);
cusparseStatus_t cusparseCreateBsrsv2Info(bsrsv2Info_t *);
cusparseStatus_t cusparseDestroyBsrsv2Info(bsrsv2Info_t);
cusparseStatus_t cusparseCreateBsrsm2Info(bsrsm2Info_t *);
cusparseStatus_t cusparseDestroyBsrsm2Info(bsrsm2Info_t);
cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t *);
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t);
cusparseStatus_t cusparseCreateColorInfo(cusparseColorInfo_t *);
cusparseStatus_t cusparseDestroyColorInfo(cusparseColorInfo_t);
cusparseStatus_t cusparseCreatePruneInfo(pruneInfo_t *);
cusparseStatus_t cusparseDestroyPruneInfo(pruneInfo_t);
cusparseStatus_t cusparseXbsrsv2_zeroPivot(cusparseHandle_t, bsrsv2Info_t, int *);
cusparseStatus_t cusparseXbsrsm2_zeroPivot(cusparseHandle_t, bsrsm2Info_t, int *);
cusparseStatus_t cusparseXbsrilu02_zeroPivot(cusparseHandle_t, bsrilu02Info_t, int *);
cusparseStatus_t cusparseXbsric02_zeroPivot(cusparseHandle_t, bsric02Info_t, int *);
cusparseStatus_t cusparseXcsrgeam2Nnz(cusparseHandle_t, int, int, const cusparseMatDescr_t, int, const int *,
    const int *, const cusparseMatDescr_t, int, const int *, const int *, const cusparseMatDescr_t, int *, int *,
    void *);
cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,
    const int *, const int *, int, const cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,
    const int *, const int *, int, int, const cusparseMatDescr_t, int *, int *);
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, const cusparseMatDescr_t,
    const int *, const int *, const cusparseMatDescr_t, int *, int, int, int *, void *);
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t, cusparseDirection_t, int, int, int,
    const cusparseMatDescr_t, const int *, const int *, int, int, const cusparseMatDescr_t, int *, int, int,
    int *, void *);
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t, int, int, int, int *, int *, int *, void *);
cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseXcsrsort(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, const int *, int *,
    int *, void *);
cusparseStatus_t cusparseXcscsort_bufferSizeExt(cusparseHandle_t, int, int, int, const int *, const int *,
    size_t *);
cusparseStatus_t cusparseXcscsort(cusparseHandle_t, int, int, int, const cusparseMatDescr_t, const int *, int *,
    int *, void *);
cusparseStatus_t cusparseCreateConstSpVec(cusparseConstSpVecDescr_t *, long, long, const void *, const void *,
    cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseSpVecGet(cusparseSpVecDescr_t, long *, long *, void **, void **, cusparseIndexType_t *,
    cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstSpVecGet(cusparseConstSpVecDescr_t, long *, long *, const void **, const void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t, cusparseIndexBase_t *);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t, void **);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t, const void **);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t, void *);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *, long, const void *, cudaDataType);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t, long *, void **, cudaDataType *);
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t, long *, const void **, cudaDataType *);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t, void **);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t, const void **);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t, cusparseFormat_t *);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t, cusparseIndexBase_t *);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t, void **);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t, const void **);
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t, int *);
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t, int, long);
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t, int, long, long, long);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t, cusparseSpMatAttribute_t, void *, size_t);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *, long, long, long, const void *, const void *,
    const void *, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *, long, long, long, const void *, const void *,
    const void *, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCsrGet(cusparseSpMatDescr_t, long *, long *, long *, void **, void **, void **,
    cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCsrGet(cusparseConstSpMatDescr_t, long *, long *, long *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *,
    cudaDataType *);
cusparseStatus_t cusparseCscGet(cusparseSpMatDescr_t, long *, long *, long *, void **, void **, void **,
    cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCscGet(cusparseConstSpMatDescr_t, long *, long *, long *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexType_t *, cusparseIndexBase_t *,
    cudaDataType *);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t, void *, void *, void *);
cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t *, long, long, long, long, long, void *, void *, void *,
    cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseCreateConstBsr(cusparseConstSpMatDescr_t *, long, long, long, long, long, const void *,
    const void *, const void *, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType,
    cusparseOrder_t);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *, long, long, long, const void *, const void *,
    const void *, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCooGet(cusparseSpMatDescr_t, long *, long *, long *, void **, void **, void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstCooGet(cusparseConstSpMatDescr_t, long *, long *, long *, const void **,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCreateConstBlockedEll(cusparseConstSpMatDescr_t *, long, long, long, long, const void *,
    const void *, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseBlockedEllGet(cusparseSpMatDescr_t, long *, long *, long *, long *, void **, void **,
    cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseConstBlockedEllGet(cusparseConstSpMatDescr_t, long *, long *, long *, long *,
    const void **, const void **, cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);
cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t *, long, long, long, long, long, void *, void *,
    void *, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstSlicedEll(cusparseConstSpMatDescr_t *, long, long, long, long, long,
    const void *, const void *, const void *, cusparseIndexType_t, cusparseIndexType_t, cusparseIndexBase_t,
    cudaDataType);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *, long, long, long, const void *,
    cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseDnMatGet(cusparseDnMatDescr_t, long *, long *, long *, void **, cudaDataType *,
    cusparseOrder_t *);
cusparseStatus_t cusparseConstDnMatGet(cusparseConstDnMatDescr_t, long *, long *, long *, const void **,
    cudaDataType *, cusparseOrder_t *);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t, void **);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t, const void **);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t, void *);
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t, int *, long *);
cusparseStatus_t cusparseAxpby(cusparseHandle_t, const void *, cusparseConstSpVecDescr_t, const void *,
    cusparseDnVecDescr_t);
cusparseStatus_t cusparseGather(cusparseHandle_t, cusparseConstDnVecDescr_t, cusparseSpVecDescr_t);
cusparseStatus_t cusparseScatter(cusparseHandle_t, cusparseConstSpVecDescr_t, cusparseDnVecDescr_t);
cusparseStatus_t cusparseRot(cusparseHandle_t, const void *, const void *, cusparseSpVecDescr_t,
    cusparseDnVecDescr_t);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
    cusparseConstDnVecDescr_t, const void *, cudaDataType, size_t *);
cusparseStatus_t cusparseSpVV(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
    cusparseConstDnVecDescr_t, void *, cudaDataType, void *);
cusparseStatus_t cusparseSpSM_updateMatrix(cusparseHandle_t, cusparseSpSMDescr_t, void *, cusparseSpSMUpdate_t);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t, long *);
cusparseStatus_t cusparseSpGEMM_estimateMemory(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
    const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t,
    cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t, float, size_t *, void *, size_t *);
cusparseStatus_t cusparseSpGEMMreuse_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
    cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, cusparseSpMatDescr_t, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t, size_t *, void *);
cusparseStatus_t cusparseSpGEMMreuse_nnz(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
    cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, cusparseSpMatDescr_t, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t, size_t *, void *, size_t *, void *, size_t *, void *);
cusparseStatus_t cusparseSpGEMMreuse_copy(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
    cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, cusparseSpMatDescr_t, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t, size_t *, void *);
cusparseStatus_t cusparseSpGEMMreuse_compute(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
    const void *, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t, const void *, cusparseSpMatDescr_t,
    cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t);
#ifdef __cplusplus
}
#endif
#endif
