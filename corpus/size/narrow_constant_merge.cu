// As its twin, but the constant fits.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main() {
  const int n = 70000;
  const unsigned int c = (unsigned int)n;
  float* h_v = (float*)malloc(c * 4);
  for (int i = 0; i < c; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, c * 4, cudaMemcpyHostToDevice);
  scale<<<n / 250, 250>>>(d_v, n);
  cudaMemcpy(h_v, d_v, c * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < c; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
