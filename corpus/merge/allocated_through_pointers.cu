// One function allocates both buffers and hands them out through its parameters: as pointers to
// pointers, and as references.
// Case F-29.
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

static void allocate(float** host, float** device, size_t bytes) {
  *host = (float*)malloc(bytes);
  cudaMalloc((void**)device, bytes);  //~ MERGE h_a/d_a
}

static void allocate_more(float*& host, float*& device, size_t bytes) {
  host = (float*)malloc(bytes);
  cudaMalloc(&device, bytes);  //~ MERGE h_b/d_b
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float *h_a, *d_a, *h_b, *d_b;
  allocate(&h_a, &d_a, bytes);
  allocate_more(h_b, d_b, bytes);
  for (int i = 0; i < n; i++) h_a[i] = i % 13, h_b[i] = i % 11;
  cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_a, n);
  scale<<<(n + 255) / 256, 256>>>(d_b, n);
  cudaMemcpy(h_a, d_a, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(h_b, d_b, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(h_a, n), checksum(h_b, n));
  cudaFree(d_a);
  cudaFree(d_b);
  free(h_a);
  free(h_b);
  return 0;
}
