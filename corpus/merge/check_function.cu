// The result of every call is an argument of a check function.
// Case F-02.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static inline void check(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  exit(1);
}

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
  float* h_v = new float[n];
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  check(cudaMalloc(reinterpret_cast<void**>(&d_v), bytes), "allocate");  //~ MERGE h_v/d_v
  check(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice), "upload");
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  check(cudaGetLastError(), "launch");
  check(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost), "download");
  printf("%.1f\n", checksum(h_v, n));
  check(cudaFree(d_v), "free");
  delete[] h_v;
  return 0;
}
