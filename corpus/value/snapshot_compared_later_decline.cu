// A snapshot is taken after the first step; the device goes on, and the snapshot is read at the
// end.
// Case G-02.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

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
  float* h_first = (float*)malloc(bytes);
  float* d_state;
  cudaMalloc(&d_state, bytes);  //~ DECLINE S1 h_first/d_state
  cudaMemset(d_state, 0, bytes);
  scale<<<(n + 255) / 256, 256>>>(d_state, n);
  cudaMemcpy(h_first, d_state, bytes, cudaMemcpyDeviceToHost);
  for (int step = 0; step < 3; step++) scale<<<(n + 255) / 256, 256>>>(d_state, n);
  float last = 0;
  cudaMemcpy(&last, d_state, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_first, n));
  printf("%.1f\n", last);
  cudaFree(d_state);
  free(h_first);
  return 0;
}
