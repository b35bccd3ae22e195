// A host array and a device buffer of the same size that never meet.
// Case P-i.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + 1;
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
  float *d_v, *d_sum;
  cudaMalloc(&d_v, bytes);  //~ NONE no copy joins the two
  cudaMalloc(&d_sum, sizeof(float));
  ramp<<<(n + 255) / 256, 256>>>(d_v, n);
  total<<<1, 1>>>(d_v, n, d_sum);
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", sum, checksum(h_v, n));
  cudaFree(d_v);
  cudaFree(d_sum);
  free(h_v);
  return 0;
}
