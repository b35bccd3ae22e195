// An asynchronous download to pinned memory, waited for through an event.
// Case C-69.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

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
  cudaStream_t stream;
  cudaEvent_t downloaded;
  cudaStreamCreate(&stream);
  cudaEventCreate(&downloaded);
  float* h_out;
  cudaMallocHost(&h_out, bytes);
  float* d_out;
  cudaMalloc(&d_out, bytes);  //~ LIMIT h_out/d_out pinned host memory is not a host side yet
  ramp<<<(n + 255) / 256, 256, 0, stream>>>(d_out, n);
  cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, stream);
  cudaEventRecord(downloaded, stream);
  cudaEventSynchronize(downloaded);
  printf("%.1f\n", checksum(h_out, n));
  cudaEventDestroy(downloaded);
  cudaStreamDestroy(stream);
  cudaFree(d_out);
  cudaFreeHost(h_out);
  return 0;
}
