// In host pointer mode a dot product waits for its result: the host may refill what it has read.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  float* h_x = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_x[i] = i % 13;
  float* d_x;
  cudaMalloc(&d_x, bytes);  //~ MERGE h_x/d_x
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  float norm = 0;
  cublasSdot(handle, n, d_x, 1, d_x, 1, &norm);
  for (int i = 0; i < n; i++) h_x[i] = i % 5 + 1;
  printf("%.1f %.1f\n", norm, checksum(h_x, n));
  cublasDestroy(handle);
  cudaFree(d_x);
  free(h_x);
  return 0;
}
