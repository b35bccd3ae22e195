// The device buffer is made here for a host array that the caller owns: a pair only if both files
// are seen together.
// Case C-95.
#include <cuda_runtime.h>

#include "process.h"

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

void process(float* samples, int n) {
  float* d_v;
  cudaMalloc(&d_v, n * sizeof(float));  //~ LIMIT samples/d_v files are analysed one by one
  cudaMemcpy(d_v, samples, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(samples, d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(d_v);
}
