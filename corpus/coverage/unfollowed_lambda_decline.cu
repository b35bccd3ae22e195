// An algorithm runs a lambda that is not understood and has captured the host side.
#include <cuda_runtime.h>

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <cstdlib>

static jmp_buf place;

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE S1 h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  int steps[2] = {1, 2};
  std::for_each(steps, steps + 2, [&](int by) {
    if (setjmp(place) == 0) h_values[3] += by;
  });
  float before = h_values[3];
  scale<<<n / 256, 256>>>(d_values, n);
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", before, h_values[3], h_values[n - 1]);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
