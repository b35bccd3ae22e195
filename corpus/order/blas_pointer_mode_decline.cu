// In device pointer mode a dot product does not wait for its result: the host refills what it may still read.
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
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  float* h_x = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_x[i] = i % 13;
  float *d_x, *d_norm;
  cudaMalloc(&d_x, bytes);  //~ DECLINE S2 h_x/d_x
  cudaMalloc(&d_norm, sizeof(float));
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cublasSdot(handle, n, d_x, 1, d_x, 1, d_norm);
  for (int i = 0; i < n; i++) h_x[i] = i % 5 + 1;
  float norm = 0;
  cudaMemcpy(&norm, d_norm, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", norm, checksum(h_x, n));
  cublasDestroy(handle);
  cudaFree(d_x);
  cudaFree(d_norm);
  free(h_x);
  return 0;
}
