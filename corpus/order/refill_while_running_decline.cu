// The upload staged the batch, so the host may refill its array while the kernel runs. With one
// buffer the refill races with the kernel.
// Cases C-09, T-01, P-b, P-f.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void accumulate(const float* in, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sums[i] += in[i];
}

static void fill(float* v, int n, int round) {
  for (int i = 0; i < n; i++) v[i] = (i + round * 5) % 13;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_batch = (float*)malloc(bytes);
  float* h_sums = (float*)malloc(bytes);
  float *d_batch, *d_sums;
  cudaMalloc(&d_batch, bytes);  //~ DECLINE S2 h_batch/d_batch
  cudaMalloc(&d_sums, bytes);   //~ MERGE h_sums/d_sums
  cudaMemset(d_sums, 0, bytes);
  cudaDeviceSynchronize();
  fill(h_batch, n, 0);
  for (int batch = 0; batch < 3; batch++) {
    cudaMemcpy(d_batch, h_batch, bytes, cudaMemcpyHostToDevice);
    accumulate<<<(n + 255) / 256, 256>>>(d_batch, d_sums, n);
    fill(h_batch, n, batch + 1);  //~ REPAIR Synchronize
  }
  cudaMemcpy(h_sums, d_sums, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_sums, n));
  cudaFree(d_batch);
  cudaFree(d_sums);
  free(h_batch);
  free(h_sums);
  return 0;
}
