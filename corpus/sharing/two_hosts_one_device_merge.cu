// As the twin, but the second array is filled only when the first has been used: it may be merged,
// the first upload stays a real copy.
// Case C-20.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

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
  float* h_a = (float*)malloc(bytes);
  float* h_b = (float*)malloc(bytes);
  float *d_v, *d_sum;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_a/d_v
                            //~^ MERGE h_b/d_v
  cudaMalloc(&d_sum, sizeof(float));
  for (int i = 0; i < n; i++) h_a[i] = i % 13;
  float sum_a = 0, sum_b = 0;
  cudaMemcpy(d_v, h_a, bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_v, n, d_sum);
  cudaMemcpy(&sum_a, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) h_b[i] = i % 5;
  cudaMemcpy(d_v, h_b, bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_v, n, d_sum);
  cudaMemcpy(&sum_b, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f %.1f\n", sum_a, sum_b, checksum(h_a, n), checksum(h_b, n));
  cudaFree(d_v);
  cudaFree(d_sum);
  free(h_a);
  free(h_b);
  return 0;
}
