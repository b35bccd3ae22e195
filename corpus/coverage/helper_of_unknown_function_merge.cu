// A helper uploads for the pair only; the function that is not understood has its own upload.
// (Does not compile as it stands.)
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

static void upload(float* device, const float* host, size_t bytes) {
  cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
}

double kept_apart(int n) {
  const size_t bytes = n * sizeof(float);
  float* h_w = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_w[i] = i % 5;
  float* d_w;
  cudaMalloc(&d_w, bytes);
  TRACE_BUFFER(h_w, bytes);
  cudaMemcpy(d_w, h_w, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_w, n);
  cudaDeviceSynchronize();
  double before = checksum(h_w, n);
  cudaFree(d_w);
  free(h_w);
  return before;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  upload(d_v, h_v, bytes);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(h_v, n), kept_apart(n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
