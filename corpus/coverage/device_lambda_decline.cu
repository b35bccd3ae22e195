// A lambda that a kernel runs has captured the device side and writes it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

template <class F>
__global__ void each(F f, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(i);
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE S1+C h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  each<<<n / 256, 256>>>([=] __device__(int i) { d_values[i] = 5; }, n);
  cudaDeviceSynchronize();
  float before = h_values[7];
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f %.1f\n", before, h_values[3], h_values[n - 1]);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
