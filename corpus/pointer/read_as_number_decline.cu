// The address is read as a number through another member of a union.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S3 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  union {
    float* pointer;
    size_t number;
  } host, device;
  host.pointer = h_v;
  device.pointer = d_v;
  if (host.number == device.number) printf("one buffer\n");
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
