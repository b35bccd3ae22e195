// Both pointers are kept in a structure, and every exit releases them through one function.
// Case T-11.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Buffers {
  float* host;
  float* device;
};

static int leave(Buffers* buffers, int status) {
  if (buffers->device) cudaFree(buffers->device);
  if (buffers->host) free(buffers->host);
  return status;
}

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  Buffers buffers = {nullptr, nullptr};
  buffers.host = (float*)malloc(bytes);
  if (!buffers.host) return leave(&buffers, 1);
  if (cudaMalloc(&buffers.device, bytes) != cudaSuccess) return leave(&buffers, 2);
  //~^ MERGE buffers.host/buffers.device
  for (int i = 0; i < n; i++) buffers.host[i] = i % 13;
  cudaMemcpy(buffers.device, buffers.host, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(buffers.device, n);
  cudaMemcpy(buffers.host, buffers.device, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(buffers.host, n));
  return leave(&buffers, 0);
}
