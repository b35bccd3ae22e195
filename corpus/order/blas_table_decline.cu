// The host refills its table of matrices while a batched product may still read the device's.
#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 32, count = 4;
  const size_t bytes = count * n * n * sizeof(float);
  cublasHandle_t handle;
  cublasCreate(&handle);
  float *d_a, *d_c;
  cudaMalloc(&d_a, bytes);
  cudaMalloc(&d_c, bytes);
  cudaMemset(d_a, 0, bytes);
  cudaMemset(d_c, 0, bytes);
  cudaDeviceSynchronize();
  const size_t table_bytes = count * sizeof(float*);
  float** a = (float**)malloc(table_bytes);
  float** c = (float**)malloc(table_bytes);
  for (int i = 0; i < count; i++) a[i] = d_a + i * n * n;
  for (int i = 0; i < count; i++) c[i] = d_c + i * n * n;
  float **d_table_a, **d_table_c;
  cudaMalloc(&d_table_a, table_bytes);  //~ DECLINE S2 a/d_table_a
  cudaMalloc(&d_table_c, table_bytes);  //~ MERGE c/d_table_c
  cudaMemcpy(d_table_a, a, table_bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_table_c, c, table_bytes, cudaMemcpyHostToDevice);
  const float one = 1, half = 0.5f;
  cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, d_table_a, n, d_table_a, n,
                     &half, d_table_c, n, count);
  for (int i = 0; i < count; i++) a[i] = nullptr;
  cudaDeviceSynchronize();
  float last = 0;
  cudaMemcpy(&last, d_c + count * n * n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", last);
  cublasDestroy(handle);
  cudaFree(d_table_a);
  cudaFree(d_table_c);
  cudaFree(d_a);
  cudaFree(d_c);
  free(a);
  free(c);
  return 0;
}
