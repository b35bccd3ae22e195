// A self-test: upload, download at once, compare with a second copy. Both copies vanish and the
// comparison with them becomes one of a buffer with itself's past; the output is the same.
// Case C-93.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float* reference = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = reference[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%s\n", memcmp(h_v, reference, bytes) == 0 ? "PASS" : "FAIL");
  cudaFree(d_v);
  free(h_v);
  free(reference);
  return 0;
}
