// One array of pointers first holds the host array and then the device buffer that takes its place,
// chosen by a run-time index.
// Case T-18.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main(int argc, char**) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* bindings[2] = {h_v, h_v};
  const int slot = argc > 5;
  cudaMalloc(&bindings[slot], bytes);  //~ NONE a copy may join the host array with itself
  cudaMemcpy(bindings[slot], h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(bindings[slot], n);
  cudaMemcpy(h_v, bindings[slot], bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(bindings[slot]);
  free(h_v);
  return 0;
}
