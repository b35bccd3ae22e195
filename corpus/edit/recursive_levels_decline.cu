// Each level of a recursion has a pair of its own, and fills it while the kernel of the level above
// runs. The analysis sees one level only, but an edit changes all.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static double level(int depth, int n) {
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = (i + depth) % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE edit h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  double sum = depth > 0 ? level(depth - 1, n) : 0;
  cudaDeviceSynchronize();
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  sum += checksum(h_v, n);
  cudaFree(d_v);
  free(h_v);
  return sum;
}

int main() {
  printf("%.1f\n", level(3, 1 << 12));
  return 0;
}
