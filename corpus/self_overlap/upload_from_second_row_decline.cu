// The upload starts at the second row of the host array, so equal elements have different places.
// Case G-14.
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

int main() {
  const int columns = 64, rows = 64, n = columns * rows;
  float* h_v = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, n * sizeof(float));  //~ DECLINE S2b h_v/d_v
  cudaMemcpy(d_v, h_v + columns, (n - columns) * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n - columns);
  cudaMemcpy(h_v, d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n - columns));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
