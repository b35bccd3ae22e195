// The program uses managed memory already and has no copies to remove.
// Case P-q.
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
  float* v;
  cudaMallocManaged(&v, bytes);  //~ NONE one buffer already
  for (int i = 0; i < n; i++) v[i] = i % 13;
  scale<<<(n + 255) / 256, 256>>>(v, n);
  cudaDeviceSynchronize();
  printf("%.1f\n", checksum(v, n));
  cudaFree(v);
  return 0;
}
