// The kernel gets the host array through its mapped address and the device buffer as well, both
// `__restrict__`. Merged, the two would be one.
// Case C-87.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void blend(const float* __restrict__ a, float* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[n - 1 - i] + b[i];
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
  cudaHostRegister(h_v, bytes, cudaHostRegisterMapped);
  float* mapped;
  cudaHostGetDevicePointer(&mapped, h_v, 0);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S2b h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  blend<<<(n + 255) / 256, 256>>>(mapped, d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaHostUnregister(h_v);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
