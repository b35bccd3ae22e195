// One macro uploads three pairs. Its text is shared, so the copies in it cannot be removed for some
// pairs only; one of them is also unsound.
// Case C-60.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define UPLOAD(device, host) cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice)

__global__ void combine(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] += a[i] * b[i];
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
  float* h_c = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_a[i] = i % 13, h_b[i] = i % 5, h_c[i] = 1.0f;
  float *d_a, *d_b, *d_c;
  cudaMalloc(&d_a, bytes);  //~ DECLINE edit h_a/d_a
  cudaMalloc(&d_b, bytes);  //~ DECLINE edit h_b/d_b
  cudaMalloc(&d_c, bytes);  //~ DECLINE S1 h_c/d_c
  UPLOAD(d_a, h_a);
  UPLOAD(d_b, h_b);
  UPLOAD(d_c, h_c);
  combine<<<(n + 255) / 256, 256>>>(d_a, d_b, d_c, n);
  float last = 0;
  cudaMemcpy(&last, d_c + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", last, checksum(h_c, n));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_c);
  free(h_a);
  free(h_b);
  free(h_c);
  return 0;
}
