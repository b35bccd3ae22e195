// An algorithm without a result may still run when it returns: the host refills what it reads.
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/scatter.h>

#include <cstdio>
#include <cstdlib>

static double checksum(const int* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(int);
  int* h_map = (int*)malloc(bytes);
  int* h_in = (int*)malloc(bytes);
  int* h_out = (int*)malloc(bytes);
  for (int i = 0; i < n; i++) h_map[i] = n - 1 - i;
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  int *d_map, *d_in, *d_out;
  cudaMalloc(&d_map, bytes);  //~ MERGE h_map/d_map
  cudaMalloc(&d_in, bytes);  //~ DECLINE S2 h_in/d_in
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  cudaMemcpy(d_map, h_map, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);
  thrust::device_ptr<int> in(d_in), map(d_map), out(d_out);
  thrust::scatter(in, in + n, map, out);
  for (int i = 0; i < n; i++) h_in[i] = i % 5;
  cudaDeviceSynchronize();
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", checksum(h_out, n), checksum(h_in, n));
  cudaFree(d_map);
  cudaFree(d_in);
  cudaFree(d_out);
  free(h_map);
  free(h_in);
  free(h_out);
  return 0;
}
