// The function that allocates the device buffer gets the host buffer as a parameter: the alias is that.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static void scale_on_device(float* values, int n) {
  const size_t bytes = n * sizeof(float);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, values, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(values, d_v, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_v);
}

int main() {
  const int n = 1 << 12;
  float* h_v = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  scale_on_device(h_v, n);
  printf("%.1f\n", checksum(h_v, n));
  free(h_v);
  return 0;
}
