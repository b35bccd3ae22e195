// A reduction gives the host a value, so it is over when it returns: the host may refill what it has read.
#include <cuda_runtime.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include <cstdio>
#include <cstdlib>

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(int);
  int* h_v = (int*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  int* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  int sum = thrust::reduce(thrust::device, d_v, d_v + n);
  for (int i = 0; i < n; i++) h_v[i] = i % 5;
  int last = h_v[n - 1];
  printf("%d %d\n", sum, last);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
