// An upload is called a download, which fails: the kernel must not get the values.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S6 h_v/d_v
  const cudaError_t status = cudaMemcpy(d_v, h_v, bytes, cudaMemcpyDeviceToHost);
  if (status != cudaSuccess) {
    printf("not copied\n");
    return 0;
  }
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_v[3]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
