// Both sides live and die in one call, whoever calls.
#include <cuda_runtime.h>

#include <cstdlib>

#include "work.h"

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

double work(int n) {
  size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;  //~ DECLINE[any-uma] S5 h_v/d_v
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE[thor] h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  cudaFree(d_v);
  free(h_v);
  return sum;
}
