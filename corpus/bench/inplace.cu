// The program that page guards alone accept wrongly: the input stays in h, is sent again each round,
// and the kernel works in place on d.
#include "common.h"
__global__ void grow(float *a, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) a[i] = a[i] * 1.5f + 1;
}
__global__ void move(const float *a, float *b, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i];
}
__attribute__((noinline)) static void *host(size_t n) { void *p = malloc(n); return p; }
__attribute__((noinline)) static void *device(size_t n) { void *p; CHECK(cudaMalloc(&p, n)); return p; }
int main() {
  size_t bytes = 8 << 20, n = bytes / 4;
  float *hi = (float *)host(bytes), *di = (float *)device(bytes), *ho = (float *)host(bytes), *d_o = (float *)device(bytes);
  for (size_t i = 0; i < n; i++) hi[i] = i % 7;
  for (int round = 0; round < 8; round++) {
    CHECK(cudaMemcpy(di, hi, bytes, cudaMemcpyHostToDevice));
    grow<<<n / 256, 256>>>(di, n);
    move<<<n / 256, 256>>>(di, d_o, n);
    CHECK(cudaMemcpy(ho, d_o, bytes, cudaMemcpyDeviceToHost));
    double sum = 0;
    for (size_t i = 0; i < n; i += 101) sum += ho[i];
    printf("round %d: %.1f\n", round, sum);
  }
}
