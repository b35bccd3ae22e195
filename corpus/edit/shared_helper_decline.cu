// Two pairs are uploaded by one helper. One of them must keep its copy, so the helper's text cannot
// change for the other.
// Case C-89.
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

template <typename T>
static void upload(T* device, const T* host, int n) {
  cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_a = (float*)malloc(bytes);
  float* h_b = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_a[i] = i % 13, h_b[i] = i % 5 + 1;
  float *d_a, *d_b, *d_sum;
  cudaMalloc(&d_a, bytes);  //~ DECLINE edit h_a/d_a
  cudaMalloc(&d_b, bytes);  //~ DECLINE S1 h_b/d_b
  cudaMalloc(&d_sum, 2 * sizeof(float));
  upload(d_a, h_a, n);
  upload(d_b, h_b, n);
  scale<<<(n + 255) / 256, 256>>>(d_b, n);
  total<<<1, 1>>>(d_a, n, d_sum);
  total<<<1, 1>>>(d_b, n, d_sum + 1);
  float sums[2];
  cudaMemcpy(sums, d_sum, sizeof(sums), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", sums[0], sums[1], checksum(h_b, n));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_sum);
  free(h_a);
  free(h_b);
  return 0;
}
