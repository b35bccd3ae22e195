// A histogram with floating-point atomics. Fine on CUDA devices; on the MI300A hardware atomics on
// fine-grained memory may lose updates.
// Case C-80.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void histogram(const unsigned char* samples, float* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[samples[i]], 1.0f);
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12, buckets = 256;
  unsigned char* h_samples = (unsigned char*)malloc(n);
  float* h_bins = (float*)malloc(buckets * sizeof(float));
  for (int i = 0; i < n; i++) h_samples[i] = i * 7 % 256;
  for (int i = 0; i < buckets; i++) h_bins[i] = 0;
  unsigned char* d_samples;
  float* d_bins;
  cudaMalloc(&d_samples, n);                      //~ MERGE h_samples/d_samples
  cudaMalloc(&d_bins, buckets * sizeof(float));  //~ MERGE[any-uma] h_bins/d_bins
                                                 //~^ DECLINE[mi300a] S6 h_bins/d_bins
  cudaMemcpy(d_samples, h_samples, n, cudaMemcpyHostToDevice);
  cudaMemcpy(d_bins, h_bins, buckets * sizeof(float), cudaMemcpyHostToDevice);
  histogram<<<n / 256, 256>>>(d_samples, d_bins, n);
  cudaMemcpy(h_bins, d_bins, buckets * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_bins, buckets));
  cudaFree(d_samples);
  cudaFree(d_bins);
  free(h_samples);
  free(h_bins);
  return 0;
}
