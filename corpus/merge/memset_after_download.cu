// The host clears its array for the next use after the last download; nothing of the device is
// needed then.
// Case G-19.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

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
  float* h_out = (float*)malloc(bytes);
  float* d_out;
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  ramp<<<(n + 255) / 256, 256>>>(d_out, n);
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_out, n));
  memset(h_out, 0, bytes);
  printf("%.1f\n", checksum(h_out, n));
  cudaFree(d_out);
  free(h_out);
  return 0;
}
