// A kernel's parameter written as an array is a pointer: the kernel writes what `h_v` was copied to.
#include <cstdio>
#include <cstdlib>

__global__ void pass(float rows[][8], float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) rows[i][0] = 2.0f * rows[i][1];
}

int main() {
  const int n = 512;
  const size_t bytes = n * 8 * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n * 8; i++) h_v[i] = i % 17;
  float *d_v, *d_sum;
  cudaMalloc((void**)&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMalloc((void**)&d_sum, sizeof(float));
  cudaMemset(d_sum, 0, sizeof(float));
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  pass<<<n / 256, 256>>>((float(*)[8])d_v, d_sum, n);
  cudaDeviceSynchronize();
  double total = 0;
  for (int i = 0; i < n * 8; i++) total += h_v[i];
  float sum = 0;
  cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", total, sum);
  cudaFree(d_v);
  cudaFree(d_sum);
  free(h_v);
  return 0;
}
