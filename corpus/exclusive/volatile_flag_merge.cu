// The host looks after the kernel has ended.
// Case C-90.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  volatile float* h_v = (volatile float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float *d_v, *d_sum;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_v, (const void*)h_v, bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_v, n, d_sum);
  cudaDeviceSynchronize();
  int watched = 0;
  while (h_v[watched] < 12.0f) watched++;
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d %.1f\n", watched, sum);
  cudaFree(d_v);
  cudaFree(d_sum);
  free((void*)h_v);
  return 0;
}
