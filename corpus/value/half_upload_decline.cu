// The host keeps values of its own in the half that it does not upload, and reads them after the
// kernel has written that half of the device buffer.
// Case C-23.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void mirror(float* v, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < half) v[half + i] = v[i] + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  const int half = n / 2;
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes / 2, cudaMemcpyHostToDevice);
  mirror<<<(half + 255) / 256, 256>>>(d_v, half);
  cudaDeviceSynchronize();
  printf("%.1f\n", checksum(h_v + half, half));
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
