// One array initialises two device buffers, and the result of the first comes back into it before
// the second is used: it may be merged with the first only.
// Case G-16.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_c = (float*)malloc(bytes);
  float* h_r = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_c[i] = i % 13;
  float *d_c, *d_r;
  cudaMalloc(&d_c, bytes);  //~ MERGE h_c/d_c
  cudaMalloc(&d_r, bytes);  //~ DECLINE S1 h_c/d_r
                            //~^ MERGE h_r/d_r
  cudaMemcpy(d_c, h_c, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_r, h_c, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_c, n);
  cudaMemcpy(h_c, d_c, bytes, cudaMemcpyDeviceToHost);
  shift<<<(n + 255) / 256, 256>>>(d_r, d_r, n);
  cudaMemcpy(h_r, d_r, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(h_c, n), checksum(h_r, n));
  cudaFree(d_c);
  cudaFree(d_r);
  free(h_c);
  free(h_r);
  return 0;
}
