// The device buffers are called `h_src` and `h_dst`, the host arrays `d_src` and `d_dst`. Names
// carry no information.
// Case G-17.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* d_src = (float*)malloc(bytes);
  float* d_dst = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) d_src[i] = i % 13;
  float *h_src, *h_dst;
  cudaMalloc(&h_src, bytes);  //~ MERGE d_src/h_src
  cudaMalloc(&h_dst, bytes);  //~ MERGE d_dst/h_dst
  cudaMemcpy(h_src, d_src, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(h_src, h_dst, n);
  cudaMemcpy(d_dst, h_dst, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(d_dst, n));
  cudaFree(h_src);
  cudaFree(h_dst);
  free(d_src);
  free(d_dst);
  return 0;
}
