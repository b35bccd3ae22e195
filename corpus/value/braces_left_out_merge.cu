// A list of initialisers leaves out the braces of the array in it.
#include <cstdio>
#include <cstdlib>

struct Parts {
  float* values[2];
  float* more;
};

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float other[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  Parts parts = {other, h_v};
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", parts.values[1][3]);
  printf("%.1f\n", h_v[5]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
