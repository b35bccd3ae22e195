// A parallel transform is asked not to wait; the host refills its array at once. The second call waits.
// Case C-86.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "algorithms.h"

struct AddThree {
  __device__ float operator()(float x) const { return x + 3.0f; }
};

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_a = (float*)malloc(bytes);
  float* h_b = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_a[i] = h_b[i] = i % 13;
  float *d_a, *d_b, *d_out;
  cudaMalloc(&d_a, bytes);  //~ DECLINE S2 h_a/d_a
  cudaMalloc(&d_b, bytes);  //~ MERGE h_b/d_b
  cudaMalloc(&d_out, 2 * bytes);
  cudaMemcpy(d_a, h_a, bytes, cudaMemcpyHostToDevice);
  algorithms::transform(algorithms::par_nosync, d_a, d_a + n, d_out, AddThree());
  for (int i = 0; i < n; i++) h_a[i] = i % 5 + 1;
  cudaDeviceSynchronize();
  cudaMemcpy(d_b, h_b, bytes, cudaMemcpyHostToDevice);
  algorithms::transform(algorithms::par, d_b, d_b + n, d_out + n, AddThree());
  for (int i = 0; i < n; i++) h_b[i] = i % 5 + 1;
  float last[2];
  cudaMemcpy(&last[0], d_out + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(&last[1], d_out + 2 * n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", last[0], last[1]);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_out);
  free(h_a);
  free(h_b);
  return 0;
}
