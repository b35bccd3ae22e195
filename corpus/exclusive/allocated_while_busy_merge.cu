// As the twin, but the host waits before it allocates.
// Cases C-16, G-15.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void ramp(float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i % 11 + 1;
}

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float *d_table, *d_in, *d_out;
  cudaMalloc(&d_table, bytes);
  cudaMalloc(&d_in, bytes);   //~ MERGE h_in/d_in
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  ramp<<<(n + 255) / 256, 256>>>(d_table, n);
  cudaDeviceSynchronize();
  float* h_in = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
  cudaDeviceSynchronize();
  float* h_out = (float*)malloc(bytes);
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  float first = 0;
  cudaMemcpy(&first, d_table, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(h_out, n), first);
  cudaFree(d_table);
  cudaFree(d_in);
  cudaFree(d_out);
  free(h_in);
  free(h_out);
  return 0;
}
