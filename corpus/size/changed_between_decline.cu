// The count is rounded up between the two allocations, so the same expression means two sizes.
// Case C-29.
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

int main(int argc, char** argv) {
  int n = argc > 1 ? atoi(argv[1]) : 4000;
  float* h_v = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  int count = n;
  n = (n + 255) / 256 * 256;
  float* d_v;
  cudaMalloc(&d_v, n * sizeof(float));  //~ DECLINE size h_v/d_v
  cudaMemcpy(d_v, h_v, count * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(count + 255) / 256, 256>>>(d_v, count);
  cudaMemcpy(h_v, d_v, count * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, count));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
