// A failure ends the program.
// Case C-49.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static void require(bool ok) {
  if (!ok) exit(1);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float* d_v = nullptr;
    for (int i = 0; i < n; i++) h_v[i] = i % 13;
    require(cudaMalloc(&d_v, bytes) == cudaSuccess);  //~ MERGE h_v/d_v
    require(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    scale<<<(n + 255) / 256, 256>>>(d_v, n);
    require(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost) == cudaSuccess);
    printf("%.1f\n", checksum(h_v, n));
    cudaFree(d_v);
    free(h_v);
  return 0;
}
