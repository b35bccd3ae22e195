// The host array goes to constant memory, whose layout and address are the compiler's.
// Case P-o.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__constant__ float weights[64];

__global__ void weigh(float* out) { out[threadIdx.x] = weights[threadIdx.x] * 2.0f; }

int main() {
  const int n = 64;
  float* h_weights = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_weights[i] = i % 13;
  float* h_out = (float*)malloc(n * sizeof(float));
  float* d_out;
  cudaMalloc(&d_out, n * sizeof(float));  //~ MERGE h_out/d_out
  cudaMemcpyToSymbol(weights, h_weights, n * sizeof(float));
  weigh<<<1, n>>>(d_out);
  cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_out[i] * (i % 7 + 1);
  printf("%.1f\n", sum);
  cudaFree(d_out);
  free(h_weights);
  free(h_out);
  return 0;
}
