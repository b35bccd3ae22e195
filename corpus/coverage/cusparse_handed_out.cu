// A descriptor hands out the pointer that it was given: the kernel's argument is the array, by another way.
#include <cuda_runtime.h>
#include <cusparse.h>

#include <cstdio>
#include <cstdlib>

__global__ void twice(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2;
}

int main() {
  const int n = 1 << 10;
  const size_t bytes = n * sizeof(float);
  float* h_x = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_x[i] = i % 13;
  float* d_x;
  cudaMalloc(&d_x, bytes);  //~ DECLINE C h_x/d_x
  cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice);
  cusparseDnVecDescr_t x;
  cusparseCreateDnVec(&x, n, d_x, CUDA_R_32F);
  void* held;
  cusparseDnVecGetValues(x, &held);
  twice<<<(n + 255) / 256, 256>>>((float*)held, n);
  cudaDeviceSynchronize();
  double s = 0;
  for (int i = 0; i < n; i++) s += h_x[i];
  printf("%.1f\n", s);
  cusparseDestroyDnVec(x);
  cudaFree(d_x);
  free(h_x);
  return 0;
}
