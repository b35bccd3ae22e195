// The buffer is filled by `cudaMemset`, which is only known to run in the order of its stream where the
// memory is CUDA's; the other buffer is used by kernels alone.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void add(float* total, const float* part, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) total[i] += part[i];
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_total = (float*)malloc(bytes);
  float* h_part = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_part[i] = i % 13;
  float *d_total, *d_part;
  cudaMalloc(&d_total, bytes);         //~ MERGE[any-uma,thor+registered] h_total/d_total
                                       //~^ DECLINE[thor+system] S6 h_total/d_total
  cudaMemset(d_total, 0, bytes);
  cudaMalloc(&d_part, bytes);          //~ MERGE[any-uma,thor+registered,thor+system] h_part/d_part
  cudaMemcpy(d_part, h_part, bytes, cudaMemcpyHostToDevice);
  add<<<(n + 255) / 256, 256>>>(d_total, d_part, n);
  cudaMemcpy(h_total, d_total, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_total[7], h_part[7]);
  cudaFree(d_total);
  cudaFree(d_part);
  free(h_total);
  free(h_part);
  return 0;
}
