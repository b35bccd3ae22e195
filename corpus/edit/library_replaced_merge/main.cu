// As its twin, but the other file only has a function of its own.
#include <cstdio>
#include <cstdlib>

extern size_t allocated;

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = new float[n];
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f %zu\n", sum, allocated);
  cudaFree(d_v);
  delete[] h_v;
  return 0;
}
