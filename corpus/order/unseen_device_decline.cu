// A function that is not seen may make another device the current one, and the host waits for that.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

extern "C" __attribute__((weak)) void next_device();

__global__ void add(const float* v, float* w, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) w[i] = v[i];
}

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S2+S5 h_v/d_v
  float* d_w;
  cudaMalloc(&d_w, bytes);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_v, d_w, n);
  if (next_device) next_device();
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) h_v[i] = i % 5;
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_w);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
