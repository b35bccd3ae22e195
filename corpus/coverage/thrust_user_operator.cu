// An algorithm runs an operator of the program, which may reach anything: it is not followed.
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>

#include <cstdio>
#include <cstdlib>

struct Scale {
  int* factor;
  __host__ __device__ int operator()(int x) const { return x * factor[0]; }
};

int main() {
  const int n = 1 << 10;
  const size_t bytes = n * sizeof(int);
  int* h_factor = (int*)malloc(bytes);
  for (int i = 0; i < n; i++) h_factor[i] = 3;
  int *d_factor, *d_v;
  cudaMalloc(&d_factor, bytes);  //~ DECLINE S1+C h_factor/d_factor
  cudaMalloc(&d_v, bytes);
  cudaMemset(d_v, 0, bytes);
  cudaMemcpy(d_factor, h_factor, bytes, cudaMemcpyHostToDevice);
  Scale scale;
  scale.factor = d_factor;
  thrust::transform(thrust::device, d_v, d_v + n, d_v, scale);
  cudaDeviceSynchronize();
  int last = 0;
  cudaMemcpy(&last, d_v + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", last, h_factor[0]);
  cudaFree(d_factor);
  cudaFree(d_v);
  free(h_factor);
  return 0;
}
