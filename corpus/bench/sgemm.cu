// Single-precision matrix product 2048 x 2048 (paper table 4, M1).
#include "common.h"
#include <cublas_v2.h>
int main(int argc, char **argv) {
  const int n = 2048;
  const size_t bytes = sizeof(float) * n * n;
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  float *weights;
  CHECK(cudaMalloc(&weights, bytes));
  {
    std::vector<float> host((size_t)n * n, 0.01f);
    CHECK(cudaMemcpy(weights, host.data(), bytes, cudaMemcpyHostToDevice));
  }
  bench("sgemm", bytes, bytes, argc, argv, [&](void *in, void *out) {
    float one = 1, zero = 0;
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, (float *)in, n, weights, n, &zero, (float *)out, n));
  });
  CHECK(cudaFree(weights));
  CHECK(cublasDestroy(handle));
}
