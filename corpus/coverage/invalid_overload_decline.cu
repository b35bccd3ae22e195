// The overload that the kernel calls does not parse, so another one seems to be called.
// (Needs C++20, and is read as C++17.)
#include <cstdio>
#include <cstdlib>

template <class T>
  requires(sizeof(T) == 4)
__device__ void put(T* v) {
  *v = 7;
}
template <class T>
__device__ void put(const T*) {}

__global__ void set(float* v) { put(v); }

int main(int argc, char**) {
  const int n = 4096;
  float* h_v = (float*)malloc(n * 4);
  for (int i = 0; i < 4096; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ DECLINE S1+S3+C h_v/d_v
  cudaMemcpy(d_v, h_v, n * 4, cudaMemcpyHostToDevice);
  set<<<1, 1>>>(d_v);
  cudaDeviceSynchronize();
  printf("%.1f\n", h_v[0]);
  cudaMemcpy(h_v, d_v, n * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 4096; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
