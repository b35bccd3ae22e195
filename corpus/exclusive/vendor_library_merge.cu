// The host waits for the library before it fills the buffer.
// A library without an effect model may have started work on the device, whatever its header is.
#include <cuda_runtime.h>
#include <nccl.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float *d_a, *d_b;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_b, bytes);
  float* h_v = (float*)malloc(bytes);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  ncclComm_t ring = nullptr;
  ncclAllReduce(d_a, d_b, n, ncclFloat, ncclSum, ring, 0);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
