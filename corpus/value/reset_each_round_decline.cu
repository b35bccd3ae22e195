// Every round starts from the same unchanged host array, although the kernel works in place: the
// upload restores values that a merged buffer no longer has.
// Case C-06.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

static void fill(float* v, int n, int round) {
  for (int i = 0; i < n; i++) v[i] = (i + round * 5) % 13;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float *d_v, *d_sum;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMalloc(&d_sum, sizeof(float));
  fill(h_v, n, 0);
  float sum = 0;
  for (int round = 0; round < 3; round++) {
    cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_v, n);
    total<<<1, 1>>>(d_v, n, d_sum);
    cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.1f\n", sum);
  }
  cudaFree(d_v);
  cudaFree(d_sum);
  free(h_v);
  return 0;
}
