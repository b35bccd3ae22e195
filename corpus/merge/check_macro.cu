// Every CUDA call is wrapped in an error-check macro. What replaces a copy stays inside it.
// Cases C-59, P-k.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                        \
  do {                                                                     \
    cudaError_t status = (call);                                           \
    if (status != cudaSuccess) {                                           \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

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
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  CHECK(cudaMalloc(&d_v, bytes));  //~ MERGE h_v/d_v
  CHECK(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice));
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost));
  printf("%.1f\n", checksum(h_v, n));
  CHECK(cudaFree(d_v));
  free(h_v);
  return 0;
}
