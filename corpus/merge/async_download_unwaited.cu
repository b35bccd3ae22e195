// The host reads right after an asynchronous download to pageable memory, which waits in practice
// but need not. What replaces the download does wait.
// Case P-29.
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
  cudaStreamCreate(&stream);
  float* h_out = (float*)malloc(bytes);
  float* d_out;
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  ramp<<<(n + 255) / 256, 256, 0, stream>>>(d_out, n);
  cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, stream);
  printf("%.1f\n", checksum(h_out, n));
  cudaStreamDestroy(stream);
  cudaFree(d_out);
  free(h_out);
  return 0;
}
