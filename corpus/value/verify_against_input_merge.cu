// As the twin, but the kernel writes a second device buffer.
// Cases C-05, T-04, G-10.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_in = (float*)malloc(bytes);
  float* h_out = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  float *d_x, *d_y;
  cudaMalloc(&d_x, bytes);  //~ MERGE h_in/d_x
  cudaMalloc(&d_y, bytes);  //~ MERGE h_out/d_y
  cudaMemcpy(d_x, h_in, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(d_x, d_y, n);
  cudaMemcpy(h_out, d_y, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += h_out[i] != h_in[i] + 3.0f;
  printf("wrong %d\n", wrong);
  cudaFree(d_x);
  cudaFree(d_y);
  free(h_in);
  free(h_out);
  return 0;
}
