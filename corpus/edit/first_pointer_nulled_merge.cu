// The function returns the pointer it is given.
// Case F-26.
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

static float* chosen(float* v, bool keep) { return keep ? v : v; }

int main(int argc, char**) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float* first = h_v;
  for (int i = 0; i < n; i++) first[i] = i % 13;
  h_v = chosen(h_v, argc > 1);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, first, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(first, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(first, n));
  cudaFree(d_v);
  free(first);
  return 0;
}
