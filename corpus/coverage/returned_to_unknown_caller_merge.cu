// The function is static and its only caller, in this file, frees the array.
// Cases C-41, T-09, P-g.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static float* shifted(int n) {
  size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(d_v, d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_v);
  return h_v;
}

int main() {
  float* result = shifted(1 << 12);
  printf("%.1f\n", checksum(result, 1 << 12));
  free(result);
  return 0;
}
