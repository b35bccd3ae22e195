// A check that counts is done as often as before: the waits that the patch adds go without it.
#include <cstdio>
#include <cstdlib>

int calls = 0;

#define CHECK(call)                              \
  do {                                           \
    calls++;                                     \
    if ((call) != cudaSuccess) exit(1);          \
  } while (0)

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* start = (float*)malloc(bytes);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) start[i] = i % 13;
  float* d_v;
  CHECK(cudaMalloc(&d_v, bytes));  //~ MERGE h_v/d_v
  //~^ DECLINE S1 start/d_v
  CHECK(cudaMemcpy(d_v, start, bytes, cudaMemcpyHostToDevice));
  start[0] = 5;
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  CHECK(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost));
  printf("%.1f %.1f\n", h_v[0], start[0]);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  free(h_v);
  CHECK(cudaFree(d_v));
  free(start);
  printf("%d calls\n", calls);
  return 0;
}
