// The only thing that orders the second fill of `h_a` after the kernel that reads it is the
// download of another pair. Both are merged, and the download's wait stays.
// Cases C-92, T-16, G-12.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + 1;
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
  for (int i = 0; i < n; i++) h_a[i] = i % 13;
  float *d_a, *d_b, *d_sum;
  cudaMalloc(&d_a, bytes);  //~ MERGE h_a/d_a
  cudaMalloc(&d_b, bytes);  //~ MERGE h_b/d_b
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_a, n, d_sum);
  ramp<<<(n + 255) / 256, 256>>>(d_b, n);
  cudaMemcpy(h_b, d_b, bytes, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; i++) h_a[i] = h_b[i] + 1.0f;
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", sum, checksum(h_a, n));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_sum);
  free(h_a);
  free(h_b);
  return 0;
}
