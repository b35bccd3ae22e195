// A kernel template, a host function template that runs the whole job, and a lambda that fills the
// array.
// Case F-04.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

template <typename T, int Factor>
__global__ void multiply(T* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= Factor;
}

template <typename T>
static double run(int n) {
  const size_t bytes = n * sizeof(T);
  T* h_v = (T*)malloc(bytes);
  auto fill = [&](int modulus) {
    for (int i = 0; i < n; i++) h_v[i] = i % modulus;
  };
  fill(13);
  T* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  multiply<T, 3><<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i] * (i % 7 + 1);
  cudaFree(d_v);
  free(h_v);
  return sum;
}

int main() {
  printf("%.1f\n", run<float>(1 << 12));
  return 0;
}
