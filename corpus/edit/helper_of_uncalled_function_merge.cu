// The host array comes from a helper; a function without any copy has an allocation of its own.
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

static float* make(int n) {
  float* v = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) v[i] = i % 13;
  return v;
}

double on_the_host(int n) {
  float* w = (float*)calloc(n, sizeof(float));
  double sum = checksum(w, n);
  free(w);
  return sum;
}

int main() {
  const int n = 1 << 12;
  float* h_v = make(n);
  float* d_v;
  cudaMalloc(&d_v, n * sizeof(float));  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, n * sizeof(float), cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
