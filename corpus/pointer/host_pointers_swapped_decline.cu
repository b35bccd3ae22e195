// Two host arrays take turns as source of one device buffer: neither is its partner, and uniting
// one would let the kernel's write reach the other's round.
// Case C-18.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

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
  float* h_now = (float*)malloc(bytes);
  float* h_next = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_now[i] = i % 13;
  for (int i = 0; i < n; i++) h_next[i] = i % 5;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ NONE every copy may join the device buffer with either array
  for (int round = 0; round < 4; round++) {
    cudaMemcpy(d_v, h_now, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_v, n);
    cudaMemcpy(h_now, d_v, bytes, cudaMemcpyDeviceToHost);
    std::swap(h_now, h_next);
  }
  printf("%.1f %.1f\n", checksum(h_now, n), checksum(h_next, n));
  cudaFree(d_v);
  free(h_now);
  free(h_next);
  return 0;
}
