// All but the last few elements come back, and only those are used. No copy covers the whole
// buffer.
// Case G-18.
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
  const int n = 16384, used = 16348;
  float* h_out = (float*)malloc(n * sizeof(float));
  float* d_out;
  cudaMalloc(&d_out, n * sizeof(float));  //~ DECLINE size h_out/d_out LIMIT no copy covers the whole buffer
  ramp<<<(n + 255) / 256, 256>>>(d_out, n);
  cudaMemcpy(h_out, d_out, used * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_out, used));
  cudaFree(d_out);
  free(h_out);
  return 0;
}
