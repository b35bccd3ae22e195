// Products of many matrices, of mixed types, and LU factorizations.
//= 7 10 15 22 | 2 0 0 2 | 19 22 43 50 | 32 | 6 0.5 8 1 | 2 2 0 | 0 3 | 1
#include <cstdio>
#include <cublas_v2.h>
#include <vector>
template <class T> T *on_device(const std::vector<T> &h) {
    T *d;
    cudaMalloc(&d, h.size() * sizeof(T));
    cudaMemcpy(d, h.data(), h.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}
template <class T> std::vector<T> on_host(const T *d, size_t n) {
    std::vector<T> h(n);
    cudaMemcpy(h.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
    return h;
}
int main() {
    cublasHandle_t blas;
    cublasCreate(&blas);
    // Two matrices, one after the other, by their squares; columns are (1 3) (2 4) and the unit matrix times root two.
    std::vector<__half> two = {1.f, 3.f, 2.f, 4.f, 1.f, -1.f, 1.f, 1.f};
    __half *a = on_device(two), *c, one = 1.f, zero = 0.f;
    cudaMalloc(&c, 8 * sizeof(__half));
    cublasHgemmStridedBatched(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 2, 0, a, 2, 0, &zero, c, 2, 4, 1);
    auto r = on_host(c, 4);
    printf("%g %g %g %g | ", (float)r[0], (float)r[2], (float)r[1], (float)r[3]);
    __half *left[] = {a + 4}, *right[] = {a + 4}, *result[] = {c};
    auto on = [](__half **list) { return on_device(std::vector<__half *>(list, list + 1)); };
    cublasHgemmBatched(blas, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 2, &one, on(left), 2, on(right), 2, &zero, on(result), 2, 1);
    r = on_host(c, 4);
    printf("%g %g %g %g | ", (float)r[0], (float)r[2], (float)r[1], (float)r[3]);
    float *f, fone = 1, fzero = 0, dot;
    cudaMalloc(&f, 4 * sizeof(float));
    __half *b = on_device(std::vector<__half>{5.f, 7.f, 6.f, 8.f});
    cublasGemmStridedBatchedEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &fone, a, CUDA_R_16F, 2, 4, b, CUDA_R_16F, 2, 4, &fzero, f, CUDA_R_32F, 2, 4, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
    auto g = on_host(f, 4);
    printf("%g %g %g %g | ", g[0], g[2], g[1], g[3]);
    cublasDotEx(blas, 3, on_device(std::vector<__half>{1.f, 2.f, 3.f}), CUDA_R_16F, 1, on_device(std::vector<float>{6, 5, 4}), CUDA_R_32F, -1, &dot, CUDA_R_32F, CUDA_R_32F);
    printf("%g | ", dot);
    // Columns (3 6) and (5 8): the larger first element comes up.
    double *lu = on_device(std::vector<double>{3, 6, 5, 8}), *singular = on_device(std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0});
    double *one_lu[] = {lu}, *zeros[] = {singular};
    auto list = [](double **list) { return on_device(std::vector<double *>(list, list + 1)); };
    int *pivots, *info;
    cudaMalloc(&pivots, 3 * sizeof(int));
    cudaMalloc(&info, sizeof(int));
    cublasDgetrfBatched(blas, 2, list(one_lu), 2, pivots, info, 1);
    auto d = on_host(lu, 4);
    auto p = on_host(pivots, 2);
    printf("%g %g %g %g | %d %d %d | ", d[0], d[1], d[2], d[3], p[0], p[1], on_host(info, 1)[0]);
    cublasDgetrfBatched(blas, 3, list(zeros), 3, pivots, info, 1);
    printf("%g %d | %d\n", on_host(singular, 1)[0], on_host(pivots, 3)[2], on_host(info, 1)[0]);
}
