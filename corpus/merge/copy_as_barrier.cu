// A copy in the default stream is also a barrier between two blocking streams: what replaces it
// must be one too.
// Case C-66.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + 1;
}

__global__ void combine(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i];
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cudaStream_t first, second;
  cudaStreamCreate(&first);
  cudaStreamCreate(&second);
  float* h_v = (float*)malloc(bytes);
  float* h_out = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float *d_v, *d_ramp, *d_out;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMalloc(&d_ramp, bytes);
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  ramp<<<(n + 255) / 256, 256, 0, first>>>(d_ramp, n);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  combine<<<(n + 255) / 256, 256, 0, second>>>(d_v, d_ramp, d_out, n);
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_out, n));
  cudaStreamDestroy(first);
  cudaStreamDestroy(second);
  cudaFree(d_v);
  cudaFree(d_ramp);
  cudaFree(d_out);
  free(h_v);
  free(h_out);
  return 0;
}
