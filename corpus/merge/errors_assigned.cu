// The result of every call is assigned to a variable and tested, or tested at once.
// Case F-01.
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
  float* h_v = (float*)malloc(bytes);
  if (h_v == NULL) return 1;
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v = NULL;
  cudaError_t err = cudaMalloc((void**)&d_v, bytes);  //~ MERGE h_v/d_v
  if (err != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
  err = cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  if (err != cudaSuccess) exit(EXIT_FAILURE);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  if (cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost) != cudaSuccess) {
    fprintf(stderr, "download failed\n");
    exit(EXIT_FAILURE);
  }
  printf("%.1f\n", checksum(h_v, n));
  err = cudaFree(d_v);
  if (err != cudaSuccess) exit(EXIT_FAILURE);
  free(h_v);
  return 0;
}
