// Half-precision elements, assigned and converted: both only read what they are given.
// Case F-30.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

template <typename T>
__global__ void widen(const T* in, T* bias, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T b;
  b = bias[i];
  out[i] = static_cast<float>(in[i]) + __half2float(b);
}

int main() {
  const int n = 1 << 12;
  half* h_in = (half*)malloc(n * sizeof(half));
  half* h_bias = (half*)malloc(n * sizeof(half));
  float* h_out = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_in[i] = __float2half(i % 13);
  for (int i = 0; i < n; i++) h_bias[i] = __float2half(i % 5);
  half *d_in, *d_bias;
  float* d_out;
  cudaMalloc(&d_in, n * sizeof(half));    //~ MERGE h_in/d_in
  cudaMalloc(&d_bias, n * sizeof(half));  //~ MERGE h_bias/d_bias
  cudaMalloc(&d_out, n * sizeof(float));  //~ MERGE h_out/d_out
  cudaMemcpy(d_in, h_in, n * sizeof(half), cudaMemcpyHostToDevice);
  cudaMemcpy(d_bias, h_bias, n * sizeof(half), cudaMemcpyHostToDevice);
  widen<half><<<(n + 255) / 256, 256>>>(d_in, d_bias, d_out, n);
  cudaMemcpy(h_out, d_out, n * sizeof(float), cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; i++) wrong += h_out[i] != (float)h_in[i] + __half2float(h_bias[i]);
  printf("%d\n", wrong);
  cudaFree(d_in);
  cudaFree(d_bias);
  cudaFree(d_out);
  free(h_in);
  free(h_bias);
  free(h_out);
  return 0;
}
