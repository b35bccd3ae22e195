// The host array is allocated on both paths, and filled on one.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

__global__ void fill(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = i % 5;
}

int main(int argc, char**) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  static float out[n];
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  if (argc > 1) {
    for (int i = 0; i < n; i++) h_v[i] = i % 13;
    cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  } else {
    fill<<<(n + 255) / 256, 256>>>(d_v, n);
  }
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(out, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(out, n));
  free(h_v);
  cudaFree(d_v);
  return 0;
}
