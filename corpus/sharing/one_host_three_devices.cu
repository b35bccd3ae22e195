// The same array is uploaded into three device buffers that are only read. One of the three is
// merged.
// Case T-06.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void dot3(const float* a, const float* b, const float* c, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += a[i] * b[i] + c[i];
  *out = s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 3;
  float *d_a, *d_b, *d_c, *d_sum;
  cudaMalloc(&d_a, bytes);  //~ MERGE h_v/d_a
  cudaMalloc(&d_b, bytes);  //~ DECLINE m:n h_v/d_b
  cudaMalloc(&d_c, bytes);  //~ DECLINE m:n h_v/d_c
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_a, h_v, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, h_v, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_c, h_v, bytes, cudaMemcpyHostToDevice);
  dot3<<<1, 1>>>(d_a, d_b, d_c, n, d_sum);
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", sum);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  cudaFree(d_sum);
  free(h_v);
  return 0;
}
