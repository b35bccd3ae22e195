// The host array is made once and kept for all calls; every call makes a device buffer of its own.
// One long-lived array cannot be the partner of many short-lived buffers.
// Case C-42.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static double process(int round) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  static float* h_v = (float*)malloc(bytes);  //~ NONE which array a copy joins is not the same in every call
  for (int i = 0; i < n; i++) h_v[i] = (i + round) % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_v);
  return checksum(h_v, n);
}

int main() {
  for (int round = 0; round < 3; round++) printf("%.1f\n", process(round));
  return 0;
}
