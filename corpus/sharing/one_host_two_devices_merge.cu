// As the twin, but both device buffers are only read: one of them is merged, the other keeps its
// upload.
// Cases C-21, C-22, P-m.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float *d_first, *d_second, *d_sum;
  cudaMalloc(&d_first, bytes);   //~ MERGE h_v/d_first
  cudaMalloc(&d_second, bytes);  //~ DECLINE m:n h_v/d_second
  cudaMalloc(&d_sum, 2 * sizeof(float));
  cudaMemcpy(d_first, h_v, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_second, h_v, bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_first, n, d_sum);
  total<<<1, 1>>>(d_second, n, d_sum + 1);
  float sums[2];
  cudaMemcpy(sums, d_sum, sizeof(sums), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", sums[0], sums[1]);
  cudaFree(d_first);
  cudaFree(d_second);
  cudaFree(d_sum);
  free(h_v);
  return 0;
}
