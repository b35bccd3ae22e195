// The count of a `new[]` is a template parameter: in the instantiation the tree ends before the brackets.
// Merged with the size that the text says.
#include <cuda_runtime.h>

#include <cstdio>

template <int N>
__global__ void scale(float* v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < N) v[i] *= 2.0f;
}

template <int N>
static double run() {
  float* h_v = new float[N];
  for (int i = 0; i < N; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, N * sizeof(float));  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, N * sizeof(float), cudaMemcpyHostToDevice);
  scale<N><<<(N + 255) / 256, 256>>>(d_v);
  cudaMemcpy(h_v, d_v, N * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < N; i++) sum += h_v[i] * (i % 7 + 1);
  cudaFree(d_v);
  delete[] h_v;
  return sum;
}

int main() {
  printf("%.1f\n", run<(1 << 12)>());
  return 0;
}
