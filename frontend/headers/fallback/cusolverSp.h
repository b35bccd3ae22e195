// cuSOLVER, sparse.
#ifndef ECHO_CUSOLVER_SP_H
#define ECHO_CUSOLVER_SP_H
#include "cusolver_common.h"
#include "cusparse.h"
typedef struct cusolverSpContext *cusolverSpHandle_t;
typedef struct csrqrInfo *csrqrInfo_t;
#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t *handle);
cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle);
cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream);
#define ECHO_SPARSE_SOLVER(name, T)                                                                                   \
    cusolverStatus_t cusolverSp##name(cusolverSpHandle_t handle, int m, int nnz, const cusparseMatDescr_t a,          \
                                      const T *values, const int *row_offsets, const int *columns, const T *b,        \
                                      T tolerance, int reorder, T *x, int *singularity);
ECHO_SPARSE_SOLVER(Scsrlsvchol, float)
ECHO_SPARSE_SOLVER(Dcsrlsvchol, double)
ECHO_SPARSE_SOLVER(Scsrlsvqr, float)
ECHO_SPARSE_SOLVER(Dcsrlsvqr, double)
ECHO_SPARSE_SOLVER(ScsrlsvcholHost, float)
ECHO_SPARSE_SOLVER(DcsrlsvcholHost, double)
ECHO_SPARSE_SOLVER(DcsrlsvqrHost, double)
ECHO_SPARSE_SOLVER(DcsrlsvluHost, double)
#ifdef __cplusplus
}
#endif
#endif
