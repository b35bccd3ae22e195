// The struct whose field was given the host array is assigned as a whole.
// Case F-25.
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
};

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  Buffers a = {nullptr, nullptr}, b = {nullptr, nullptr};
  a.host = (float*)malloc(bytes);
  float* first = a.host;
  b.host = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) first[i] = i % 13;
  for (int i = 0; i < n; i++) b.host[i] = i % 11;
  a = b;
  cudaMalloc(&a.device, bytes);  //~ DECLINE edit a.host/a.device
  cudaMemcpy(a.device, first, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(a.device, n);
  cudaMemcpy(first, a.device, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(first, n), checksum(b.host, n));
  cudaFree(a.device);
  free(first);
  free(b.host);
  return 0;
}
