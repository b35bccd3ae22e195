// The vector grows after its storage was uploaded, so the storage moves.
// Case C-53.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  std::vector<float> samples;
  for (int i = 0; i < n; i++) samples.push_back(i % 13);
  float *d_samples, *d_sum;
  cudaMalloc(&d_samples, bytes);  //~ NONE the host side is not a heap allocation of the program
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_samples, samples.data(), bytes, cudaMemcpyHostToDevice);
  samples.push_back(1.0f);
  total<<<1, 1>>>(d_samples, n, d_sum);
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", sum, samples.back());
  cudaFree(d_samples);
  cudaFree(d_sum);
  return 0;
}
