// One zero-filled array initialises two device buffers. It may become one of them; the other keeps
// its upload.
// Case T-05.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void count(const int* keys, int* low, int* high, int n) {
  for (int i = 0; i < n; i++) (keys[i] < 5 ? low : high)[keys[i]]++;
}

int main() {
  const int n = 1 << 10, buckets = 16;
  int* h_keys = (int*)malloc(n * sizeof(int));
  int* zeros = (int*)malloc(buckets * sizeof(int));
  for (int i = 0; i < n; i++) h_keys[i] = i * 7 % buckets;
  for (int i = 0; i < buckets; i++) zeros[i] = 0;
  int *d_keys, *d_low, *d_high;
  cudaMalloc(&d_keys, n * sizeof(int));        //~ MERGE h_keys/d_keys
  cudaMalloc(&d_low, buckets * sizeof(int));   //~ MERGE zeros/d_low
  cudaMalloc(&d_high, buckets * sizeof(int));  //~ DECLINE m:n zeros/d_high
  cudaMemcpy(d_keys, h_keys, n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_low, zeros, buckets * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(d_high, zeros, buckets * sizeof(int), cudaMemcpyHostToDevice);
  count<<<1, 1>>>(d_keys, d_low, d_high, n);
  int low, high;
  cudaMemcpy(&low, d_low + 3, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&high, d_high + 9, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", low, high);
  cudaFree(d_keys);
  cudaFree(d_low);
  cudaFree(d_high);
  free(h_keys);
  free(zeros);
  return 0;
}
