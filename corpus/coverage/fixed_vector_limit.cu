// A local vector of fixed size could be merged by giving it an allocator of unified memory.
// Case C-54.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  std::vector<float> samples(n, 1.5f);
  float* d_samples;
  cudaMalloc(&d_samples, bytes);  //~ LIMIT samples/d_samples a vector is not a host side yet
  cudaMemcpy(d_samples, samples.data(), bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_samples, n);
  cudaMemcpy(samples.data(), d_samples, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", samples[0] + samples[n - 1]);
  cudaFree(d_samples);
  return 0;
}
