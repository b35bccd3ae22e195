// A function is called that another call returns, and writes the host side.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static float* seen;
static float step;

static void mark() { seen[3] = 77; }

static void (*pick())() { return mark; }

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  seen = h_values;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE C h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  pick()();
  scale<<<n / 256, 256>>>(d_values, n);
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_values[3], step);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
