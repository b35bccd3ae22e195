// An upload from pageable memory returns once the source is staged, and a kernel in a non-blocking
// stream is not ordered after the rest of it. The program is racy; with one buffer nothing is left
// to race with.
// Case P-28.
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
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  float* h_in = (float*)malloc(bytes);
  float* h_out = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);   //~ MERGE h_in/d_in
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);
  shift<<<(n + 255) / 256, 256, 0, stream>>>(d_in, d_out, n);
  cudaStreamSynchronize(stream);
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_out, n));
  cudaStreamDestroy(stream);
  cudaFree(d_in);
  cudaFree(d_out);
  free(h_in);
  free(h_out);
  return 0;
}
