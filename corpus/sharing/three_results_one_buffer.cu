// Three results come back from one device buffer into three arrays that are all read at the end.
// Only the last may share with the device.
// Case G-09.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void power(float* out, int n, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + k * 100;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_1 = (float*)malloc(bytes);
  float* h_2 = (float*)malloc(bytes);
  float* h_3 = (float*)malloc(bytes);
  float* d_out;
  cudaMalloc(&d_out, bytes);  //~ DECLINE S1 h_1/d_out
                              //~^ DECLINE S1 h_2/d_out
                              //~^^ MERGE h_3/d_out
  power<<<(n + 255) / 256, 256>>>(d_out, n, 1);
  cudaMemcpy(h_1, d_out, bytes, cudaMemcpyDeviceToHost);
  power<<<(n + 255) / 256, 256>>>(d_out, n, 2);
  cudaMemcpy(h_2, d_out, bytes, cudaMemcpyDeviceToHost);
  power<<<(n + 255) / 256, 256>>>(d_out, n, 3);
  cudaMemcpy(h_3, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", checksum(h_1, n), checksum(h_2, n), checksum(h_3, n));
  cudaFree(d_out);
  free(h_1);
  free(h_2);
  free(h_3);
  return 0;
}
