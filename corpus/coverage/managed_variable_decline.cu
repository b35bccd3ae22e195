// A kernel finds the device side in a managed variable and writes it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__managed__ float* shared_values;

__global__ void set(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) shared_values[i] = 5;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE C h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  shared_values = d_values;
  set<<<n / 256, 256>>>(n);
  cudaDeviceSynchronize();
  float before = h_values[7];
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", before, h_values[3], h_values[n - 1]);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
