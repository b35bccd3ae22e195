// A parameter written as an array is a pointer: `total` reads `h_v`, whose old value is needed.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

static double total(const float values[], int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += values[i];
  return sum;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  printf("%.1f\n", total(h_v, n));
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_v[5]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
