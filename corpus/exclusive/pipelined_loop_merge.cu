// As the twin, but the host waits before it fills the second array.
// Case C-97.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

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
  float* h_a = (float*)malloc(bytes);
  float* h_b = (float*)malloc(bytes);
  float *d_a, *d_b, *d_out;
  cudaMalloc(&d_a, bytes);  //~ MERGE h_a/d_a
  cudaMalloc(&d_b, bytes);  //~ MERGE h_b/d_b
  cudaMalloc(&d_out, 2 * bytes);
  for (int i = 0; i < n; i++) h_a[i] = i % 13;
  cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(d_a, d_out, n);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i++) h_b[i] = i % 5 + 1;
  cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256>>>(d_b, d_out + n, n);
  float last[2];
  cudaMemcpy(&last[0], d_out + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&last[1], d_out + 2 * n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", last[0], last[1]);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_out);
  free(h_a);
  free(h_b);
  return 0;
}
