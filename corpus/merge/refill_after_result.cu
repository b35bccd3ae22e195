// The copy of the result back orders the refill after the kernel. That copy disappears, so its wait
// must stay: leaving it out would race.
// Cases C-10, C-11, P-e.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
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
  float* h_out = (float*)malloc(bytes);
  float *d_batch, *d_out;
  cudaMalloc(&d_batch, bytes);  //~ MERGE h_batch/d_batch
  cudaMalloc(&d_out, bytes);    //~ MERGE h_out/d_out
  fill(h_batch, n, 0);
  for (int batch = 0; batch < 3; batch++) {
    cudaMemcpy(d_batch, h_batch, bytes, cudaMemcpyHostToDevice);
    shift<<<(n + 255) / 256, 256>>>(d_batch, d_out, n);
    cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
    fill(h_batch, n, batch + 1);
    printf("%.1f\n", checksum(h_out, n));
  }
  cudaFree(d_batch);
  cudaFree(d_out);
  free(h_batch);
  free(h_out);
  return 0;
}
