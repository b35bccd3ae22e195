// The host does not repeat the step.
// Case G-01.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void step(float* p, float* m, const float* g, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    m[i] = 0.5f * m[i] + 0.5f * g[i];
    p[i] -= m[i];
  }
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_p = (float*)malloc(bytes);
  float* h_m = (float*)malloc(bytes);
  float* h_g = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_p[i] = i % 13, h_m[i] = i % 5, h_g[i] = i % 7;
  float *d_p, *d_m, *d_g;
  cudaMalloc(&d_p, bytes);  //~ MERGE h_p/d_p
  cudaMalloc(&d_m, bytes);  //~ MERGE h_m/d_m
  cudaMalloc(&d_g, bytes);  //~ MERGE h_g/d_g
  cudaMemcpy(d_p, h_p, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_m, h_m, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_g, h_g, bytes, cudaMemcpyHostToDevice);
  step<<<(n + 255) / 256, 256>>>(d_p, d_m, d_g, n);
  cudaMemcpy(h_p, d_p, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_p, n));
  cudaFree(d_p);
  cudaFree(d_m);
  cudaFree(d_g);
  free(h_p);
  free(h_m);
  free(h_g);
  return 0;
}
