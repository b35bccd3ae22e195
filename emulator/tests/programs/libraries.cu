// cuBLAS, cuFFT and cuRAND.
//= 6 9 12 | 32 | 2 | 58 64 139 154 | 50 122 | 10 -2 -2 -2 2 | 1 2 3 4 | 1 1 1
#include <cmath>
#include <cstdio>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
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
    float *x = on_device<float>({1, 2, 3}), *y = on_device<float>({4, 5, 6}), two = 2, one = 1, zero = 0, dot;
    int most;
    cublasSdot(blas, 3, x, 1, y, 1, &dot);
    cublasSaxpy(blas, 3, &two, x, 1, y, 1);
    auto r = on_host(y, 3);
    cublasIsamax(blas, 3, on_device<float>({1, -5, 3}), 1, &most);
    printf("%g %g %g | %g | %d | ", r[0], r[1], r[2], dot, most);
    // Row-major (1 2 3; 4 5 6) (7 8; 9 10; 11 12), computed as the product of the transposes.
    float *a = on_device<float>({1, 2, 3, 4, 5, 6}), *b = on_device<float>({7, 8, 9, 10, 11, 12}), *c;
    cudaMalloc(&c, 4 * sizeof(float));
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, b, 2, a, 3, &zero, c, 2);
    r = on_host(c, 4);
    printf("%g %g %g %g | ", r[0], r[1], r[2], r[3]);
    float *v = on_device<float>({7, 8, 9});
    cublasSgemv(blas, CUBLAS_OP_T, 3, 2, &one, a, 3, v, 1, &zero, c, 1);
    r = on_host(c, 2);
    printf("%g %g | ", r[0], r[1]);
    cufftHandle forward, back;
    cufftPlan1d(&forward, 4, CUFFT_R2C, 1);
    cufftPlan1d(&back, 4, CUFFT_C2R, 1);
    float *signal = on_device<float>({1, 2, 3, 4}), *again;
    cufftComplex *spectrum;
    cudaMalloc(&spectrum, 3 * sizeof(cufftComplex));
    cudaMalloc(&again, 4 * sizeof(float));
    cufftExecR2C(forward, signal, spectrum);
    auto f = on_host(spectrum, 3);
    printf("%g %g %g %g %g | ", f[0].x, f[1].x, f[2].x, -f[1].y, f[1].y);
    cufftExecC2R(back, spectrum, again);
    r = on_host(again, 4);
    printf("%g %g %g %g | ", r[0] / 4, r[1] / 4, r[2] / 4, r[3] / 4);
    const int n = 20000;
    float *u;
    cudaMalloc(&u, n * sizeof(float));
    curandGenerator_t g;
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 42);
    curandGenerateUniform(g, u, n);
    auto numbers = on_host(u, n);
    double mean = 0, square = 0;
    bool inside = true;
    for (float k : numbers) mean += k / n, inside &= k > 0 && k <= 1;
    curandGenerateNormal(g, u, n, 3, 2);
    for (float k : on_host(u, n)) square += (k - 3) * (k - 3) / n;
    printf("%d %d %d\n", inside, fabs(mean - 0.5) < 0.01, fabs(square - 4) < 0.2);
}
