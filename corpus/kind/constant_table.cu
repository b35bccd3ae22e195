// The host side is a constant table of the program. There is no allocation to change; only a device
// that reads pageable memory could use the table where it lies.
// Case C-91.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void total(const float* v, int n, float* out) {
  float s = 0;
  for (int i = 0; i < n; i++) s += v[i];
  *out = s;
}

static const float table[8] = {1, 1, 2, 3, 5, 8, 13, 21};

int main() {
  float *d_table, *d_sum;
  cudaMalloc(&d_table, sizeof(table));  //~ NONE the host side is not a heap allocation of the program
  cudaMalloc(&d_sum, sizeof(float));
  cudaMemcpy(d_table, table, sizeof(table), cudaMemcpyHostToDevice);
  total<<<1, 1>>>(d_table, 8, d_sum);
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", sum);
  cudaFree(d_table);
  cudaFree(d_sum);
  return 0;
}
