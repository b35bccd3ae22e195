// Code that rewrites the device buffer exists only in a branch that is switched off. The verdict is
// about the configuration that was analysed.
// Case G-13.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + 1;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
#ifdef REGENERATE
  ramp<<<(n + 255) / 256, 256>>>(d_v, n);
#endif
  float first = 0;
  cudaMemcpy(&first, d_v, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", first, checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
