// One of two host arrays is freed, always the one with the device buffer.
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

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float* h_w = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  for (int i = 0; i < n; i++) h_w[i] = i % 5;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum_v = checksum(h_v, n), sum_w = checksum(h_w, n);
  printf("%.1f %.1f\n", sum_v, sum_w);
  cudaFree(d_v);
  free(h_v);
  printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  return 0;
}
