// cuSOLVER, dense.
#ifndef ECHO_CUSOLVER_DN_H
#define ECHO_CUSOLVER_DN_H
#include "cublas_v2.h"
#include "cusolver_common.h"
typedef struct cusolverDnContext *cusolverDnHandle_t;
typedef struct syevjInfo *syevjInfo_t;
typedef struct gesvdjInfo *gesvdjInfo_t;
typedef struct cusolverDnParams *cusolverDnParams_t;
#ifdef __cplusplus
extern "C" {
#endif
cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle);
cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle);
cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream);
cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream);
cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t *params);
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params);
cusolverStatus_t cusolverDnCreateSyevjInfo(syevjInfo_t *info);
cusolverStatus_t cusolverDnDestroySyevjInfo(syevjInfo_t info);
cusolverStatus_t cusolverDnXsyevjSetTolerance(syevjInfo_t info, double tolerance);
cusolverStatus_t cusolverDnXsyevjSetMaxSweeps(syevjInfo_t info, int sweeps);
cusolverStatus_t cusolverDnXsyevjSetSortEig(syevjInfo_t info, int sort);
#define ECHO_SOLVER(P, T, R)                                                                                          \
    cusolverStatus_t cusolverDn##P##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a,   \
                                                     int lda, int *work_size);                                        \
    cusolverStatus_t cusolverDn##P##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *a, int lda,     \
                                          T *work, int work_size, int *info);                                         \
    cusolverStatus_t cusolverDn##P##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int nrhs,          \
                                          const T *a, int lda, T *b, int ldb, int *info);                             \
    cusolverStatus_t cusolverDn##P##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,          \
                                                     int *work_size);                                                 \
    cusolverStatus_t cusolverDn##P##getrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *work,            \
                                          int *pivots, int *info);                                                    \
    cusolverStatus_t cusolverDn##P##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n, int nrhs,        \
                                          const T *a, int lda, const int *pivots, T *b, int ldb, int *info);          \
    cusolverStatus_t cusolverDn##P##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n, T *a, int lda,          \
                                                     int *work_size);                                                 \
    cusolverStatus_t cusolverDn##P##geqrf(cusolverDnHandle_t handle, int m, int n, T *a, int lda, T *tau, T *work,    \
                                          int work_size, int *info);                                                  \
    cusolverStatus_t cusolverDn##P##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n, int *work_size);        \
    cusolverStatus_t cusolverDn##P##gesvd(cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m,      \
                                          int n, T *a, int lda, R *s, T *u, int ldu, T *vt, int ldvt, T *work,        \
                                          int work_size, R *rwork, int *info);
ECHO_SOLVER(S, float, float)
ECHO_SOLVER(D, double, double)
ECHO_SOLVER(C, cuComplex, float)
ECHO_SOLVER(Z, cuDoubleComplex, double)
#define ECHO_SOLVER_EIGEN(P, K, T, R)                                                                                 \
    cusolverStatus_t cusolverDn##P##K##evd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                                      cublasFillMode_t fill, int n, const T *a, int lda, const R *w,  \
                                                      int *work_size);                                                \
    cusolverStatus_t cusolverDn##P##K##evd(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,  \
                                           int n, T *a, int lda, R *w, T *work, int work_size, int *info);            \
    cusolverStatus_t cusolverDn##P##K##evj_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t mode,              \
                                                      cublasFillMode_t fill, int n, const T *a, int lda, const R *w,  \
                                                      int *work_size, syevjInfo_t params);                            \
    cusolverStatus_t cusolverDn##P##K##evj(cusolverDnHandle_t handle, cusolverEigMode_t mode, cublasFillMode_t fill,  \
                                           int n, T *a, int lda, R *w, T *work, int work_size, int *info,             \
                                           syevjInfo_t params);
ECHO_SOLVER_EIGEN(S, sy, float, float)
ECHO_SOLVER_EIGEN(D, sy, double, double)
ECHO_SOLVER_EIGEN(C, he, cuComplex, float)
ECHO_SOLVER_EIGEN(Z, he, cuDoubleComplex, double)
cusolverStatus_t cusolverDnDormqr_bufferSize(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                                             int m, int n, int k, const double *a, int lda, const double *tau,
                                             const double *c, int ldc, int *work_size);
cusolverStatus_t cusolverDnDormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m,
                                  int n, int k, const double *a, int lda, const double *tau, double *c, int ldc,
                                  double *work, int work_size, int *info);
#ifdef __cplusplus
}
#endif
#endif
