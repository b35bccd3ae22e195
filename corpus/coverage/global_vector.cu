// The host side is a global vector, destroyed after `main` when the driver may be gone. A vector
// owns its memory through an allocator, so there is nothing to merge by changing an allocation.
// Case C-52.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

static std::vector<float> weights(1 << 12, 0.5f);

int main() {
  const int n = weights.size();
  const size_t bytes = n * sizeof(float);
  float *d_weights, *d_sum;
  cudaMalloc(&d_weights, bytes);  //~ NONE the host side is not a heap allocation of the program
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_weights, weights.data(), bytes, cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_weights, n, d_sum);
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", sum);
  cudaFree(d_weights);
  cudaFree(d_sum);
  return 0;
}
