// The host refills its array while a product that reads it through a descriptor may still run.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>
#include <cstdlib>

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 10;
  const size_t bytes = n * sizeof(float);
  const size_t offset_bytes = (n + 1) * sizeof(int);
  const size_t index_bytes = n * sizeof(int);
  int* h_offsets = (int*)malloc(offset_bytes);
  int* h_columns = (int*)malloc(index_bytes);
  float* h_x = (float*)malloc(bytes);
  float* y = (float*)malloc(bytes);
  for (int i = 0; i <= n; i++) h_offsets[i] = i;
  for (int i = 0; i < n; i++) h_columns[i] = n - 1 - i;
  for (int i = 0; i < n; i++) h_x[i] = i % 13;
  int *d_offsets, *d_columns;
  float *d_values, *d_x, *d_y;
  cudaMalloc(&d_offsets, offset_bytes);  //~ MERGE h_offsets/d_offsets
  cudaMalloc(&d_columns, index_bytes);  //~ MERGE h_columns/d_columns
  cudaMalloc(&d_x, bytes);  //~ DECLINE S2 h_x/d_x
  cudaMalloc(&d_values, bytes);
  cudaMalloc(&d_y, bytes);  //~ MERGE y/d_y
  cudaMemset(d_values, 0, bytes);
  cudaMemcpy(d_offsets, h_offsets, offset_bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_columns, h_columns, index_bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cusparseHandle_t handle;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  cusparseCreate(&handle);
  cusparseCreateCsr(&a, n, n, n, d_offsets, d_columns, d_values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&vx, n, d_x, CUDA_R_32F);
  cusparseCreateDnVec(&vy, n, d_y, CUDA_R_32F);
  const float one = 1, zero = 0;
  size_t size = 0;
  cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, CUDA_R_32F,
                          CUSPARSE_SPMV_ALG_DEFAULT, &size);
  void* buffer;
  cudaMalloc(&buffer, size);
  cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  for (int i = 0; i < n; i++) h_x[i] = i % 5 + 1;
  cudaDeviceSynchronize();
  cudaMemcpy(y, d_y, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(y, n), checksum(h_x, n));
  cusparseDestroyDnVec(vx);
  cusparseDestroyDnVec(vy);
  cusparseDestroySpMat(a);
  cusparseDestroy(handle);
  cudaFree(buffer);
  cudaFree(d_offsets);
  cudaFree(d_columns);
  cudaFree(d_values);
  cudaFree(d_x);
  cudaFree(d_y);
  free(h_offsets);
  free(h_columns);
  free(h_x);
  free(y);
  return 0;
}
