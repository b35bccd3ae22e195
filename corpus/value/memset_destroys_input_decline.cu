// The device buffer is cleared to collect sums while the host array still holds inputs that are
// read afterwards.
// Case C-63.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void accumulate(float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += i % 11;
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
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemset(d_v, 0, bytes);
  accumulate<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  double inputs = checksum(h_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", inputs, checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
