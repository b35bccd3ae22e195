// The library call returns a scalar to the host and so waits for the work; nothing else does.
// Case C-85.
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
  float* h_x = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_x[i] = i % 13;
  float *d_x, *d_y;
  cudaMalloc(&d_x, bytes);  //~ MERGE h_x/d_x
  cudaMalloc(&d_y, bytes);
  cudaMemset(d_y, 0, bytes);
  cudaDeviceSynchronize();
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  float norm = 0;
  const float two = 2.0f;
  cublasSaxpy(handle, n, &two, d_x, 1, d_y, 1);
  cublasSdot(handle, n, d_x, 1, d_x, 1, &norm);
  for (int i = 0; i < n; i++) h_x[i] = i % 5 + 1;
  float last = 0;
  cudaMemcpy(&last, d_y + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", norm, last, checksum(h_x, n));
  cublasDestroy(handle);
  cudaFree(d_x);
  cudaFree(d_y);
  free(h_x);
  return 0;
}
