// The host still reads its own earlier values after the kernel has written the device buffer,
// before the copy back.
// Case C-02.
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
  float* h_out = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_out[i] = -1.0f;
  float* d_out;
  cudaMalloc(&d_out, bytes);  //~ DECLINE S1 h_out/d_out
  ramp<<<(n + 255) / 256, 256>>>(d_out, n);
  cudaDeviceSynchronize();
  printf("before %.1f\n", checksum(h_out, n));
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("after %.1f\n", checksum(h_out, n));
  cudaFree(d_out);
  free(h_out);
  return 0;
}
