// A reference into the host array is read after the in-place kernel and must still give the old
// value.
// Case C-62.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float& third = h_v[3];
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  float last = 0;
  cudaMemcpy(&last, d_v + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", third, last);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
