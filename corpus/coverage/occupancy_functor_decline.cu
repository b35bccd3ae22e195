// CUDA asks a function of the program for the shared memory of a block: it changes the host array.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static float* input;

static size_t shared_bytes(int) {
  input[3] = 77;
  return 0;
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
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1+S4+C h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  input = h_v;
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  int grid, block;
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, scale, shared_bytes);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
