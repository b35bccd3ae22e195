// More statements follow on the lines that change: they must not look as if they belonged to an `if`.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static void fill(float* v, int n) {
  for (int i = 0; i < n; i++) v[i] = i % 13;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float *h_v, *h_w;
  h_v = (float*)malloc(bytes); fill(h_v, n);
  h_w = (float*)calloc(n, sizeof(float)); fill(h_w, n / 2);
  float *d_v, *d_w;
  cudaMalloc(&d_v, bytes); cudaMalloc(&d_w, bytes);  //~ MERGE h_v/d_v
  //~^ MERGE h_w/d_w
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice); cudaMemcpy(d_w, h_w, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n); scale<<<(n + 255) / 256, 256>>>(d_w, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost); cudaMemcpy(h_w, d_w, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_v[3], h_w[n - 1]);
  cudaFree(d_v); cudaFree(d_w); free(h_v); free(h_w);
  return 0;
}
