// The result of the first kernel is kept on the host and compared with that of the second, which
// reuses the device buffer. Merging the first array would make the comparison one of a buffer with
// itself.
// Cases T-03, G-03.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void reference(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (i % 11) * 2.0f;
}

__global__ void optimised(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (i % 11) + (i % 11) + (i == 77);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_ref = (float*)malloc(bytes);
  float* h_opt = (float*)malloc(bytes);
  float *d_out, *d_opt;
  cudaMalloc(&d_out, bytes);  //~ DECLINE S1 h_ref/d_out
                              //~^ MERGE h_opt/d_out
  cudaMalloc(&d_opt, bytes);
  reference<<<(n + 255) / 256, 256>>>(d_out, n);
  cudaMemcpy(h_ref, d_out, bytes, cudaMemcpyDeviceToHost);
  optimised<<<(n + 255) / 256, 256>>>(d_out, n);
  cudaMemcpy(h_opt, d_out, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += h_ref[i] != h_opt[i];
  printf("wrong %d\n", wrong);
  cudaFree(d_out);
  cudaFree(d_opt);
  free(h_ref);
  free(h_opt);
  return 0;
}
