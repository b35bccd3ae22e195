// The helper that loses its copy is called from this file only: the other one has its own.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "util.h"

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static void upload(float* device, const float* host, size_t bytes) {
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  upload(d_v, h_v, bytes);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_v[5]);
  cudaFree(d_v);
  free(h_v);
  printf("%.1f\n", other(n));
  return 0;
}
