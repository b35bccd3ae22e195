// The method sets another field.
// Case F-24.
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

struct Buffers {
  float* host;
  float* device;
  float* extra;
  void use(float* other) { extra = other; }
};

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  Buffers b;
  b.host = (float*)malloc(bytes);
  float* first = b.host;
  float* other = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) first[i] = i % 13;
  for (int i = 0; i < n; i++) other[i] = i % 11;
  b.use(other);
  cudaMalloc(&b.device, bytes);  //~ MERGE b.host/b.device
  cudaMemcpy(b.device, first, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(b.device, n);
  cudaMemcpy(first, b.device, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(first, n), checksum(other, n));
  cudaFree(b.device);
  free(first);
  free(other);
  return 0;
}
