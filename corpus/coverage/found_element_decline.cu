// The host writes to an element that a search of the buffer has found.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

static int same(const void*, const void*) { return 0; }

int main(int argc, char**) {
  const int n = 4096;
  float spare[4] = {1, 2, 3, 4};
  float* h_v = (float*)malloc(n * 4);
  for (int i = 0; i < 4096; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, n * 4, cudaMemcpyHostToDevice);
  float key = 3;
  float* found = (float*)bsearch(&key, h_v, 4, sizeof(float), same);
  if (found) *found = 7;
  scale<<<16, 256>>>(d_v, 4096);
  cudaMemcpy(h_v, d_v, n * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 4096; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
