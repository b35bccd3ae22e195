// The device buffer is padded to a multiple of the block size and the kernel writes the padding
// too; the host array has no room for it.
// Case C-27.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void ramp(float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i % 11 + 1;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 4000;
  const int padded = (n + 255) / 256 * 256;
  float* h_v = (float*)malloc(n * sizeof(float));
  float* d_v;
  cudaMalloc(&d_v, padded * sizeof(float));  //~ DECLINE size h_v/d_v
  ramp<<<padded / 256, 256>>>(d_v);
  cudaMemcpy(h_v, d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
