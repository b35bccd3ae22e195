// The default of a bit field is a number.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static float* watched;

static int reset() {
  watched[3] = 9.0f;
  return 1;
}

struct Flags {
  int ready : 4 = 1;
  Flags() {}
};

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  watched = h_v;
  if (reset() != 1) return 1;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  Flags flags;
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%d %.1f\n", flags.ready, h_v[3]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
