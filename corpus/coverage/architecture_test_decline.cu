// An architecture test selects what the kernel does; the host pass sees the other branch.
// Case F-12.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef __CUDA_ARCH__
  if (i < n) values[i] *= 2.0f;
#endif
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE S1+C h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_values, n);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_values[i];
  printf("%.1f\n", sum);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
