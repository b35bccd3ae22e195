// A copy in a blocking stream waits for the copy ahead of it in the legacy stream, and so does the wait
// for its stream: without it that wait returns at once, and the host reads what is still copied.
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

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* h_v = (float*)malloc(bytes);
  float* h_other = (float*)malloc(2 * bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float *d_v, *d_other;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S2 h_v/d_v
  cudaMalloc(&d_other, bytes);  //~ DECLINE size h_other/d_other
  cudaMemset(d_other, 0, bytes);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  scale<<<(n + 255) / 256, 256>>>(d_other, n);
  cudaDeviceSynchronize();
  cudaMemcpyAsync(h_other, d_other, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(h_v, d_v, bytes, cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%.1f %.1f\n", checksum(h_v, n), checksum(h_other, n));
  cudaFree(d_v);
  free(h_v);
  cudaFree(d_other);
  free(h_other);
  cudaStreamDestroy(stream);
  return 0;
}
