// Single-precision matrix product 2048 x 2048 (paper table 4, M1).
#include "measure.h"
#include <cublas_v2.h>

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const int n = 2048;
  const size_t count = (size_t)n * n, bytes = count * sizeof(float);
  float *h_a = (float *)malloc(bytes);
  float *h_c = (float *)malloc(bytes);
  float *d_a, *d_weights, *d_c;
  CHECK(cudaMalloc(&d_a, bytes));
  CHECK(cudaMalloc(&d_c, bytes));
  CHECK(cudaMalloc(&d_weights, bytes));
  std::vector<float> weights(count, 0.01f);
  CHECK(cudaMemcpy(d_weights, weights.data(), bytes, cudaMemcpyHostToDevice));
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  const float one = 1, zero = 0;

  std::vector<float> image = make_image(count);
  Times times(rounds);
  CHECK(cudaDeviceSynchronize()); // the weights have arrived
  double sum = 0;
  for (int round = 0; round < times.warm + rounds; round++) {
    double start = now_ms();
    memcpy(h_a, image.data(), bytes);
    h_a[round % 64] += round * 0.001f;
    double filled = now_ms();
    CHECK(cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice));
    CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_a, n, d_weights, n, &zero, d_c, n));
    CHECK(cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost));
    double computed = now_ms();
    sum += checksum(h_c, count);
    times.add(round, start, filled, computed, now_ms());
  }
  report("sgemm", times, 2 * bytes, sum, digest_of(h_c, count));

  CHECK(cublasDestroy(handle));
  CHECK(cudaFree(d_weights));
  CHECK(cudaFree(d_c));
  CHECK(cudaFree(d_a));
  free(h_c);
  free(h_a);
  return 0;
}
