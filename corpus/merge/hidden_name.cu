// Where the second buffer is allocated, an inner variable hides the name of the first one's: another
// variable that holds it names it.
// Case F-27.
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

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* v = (float*)malloc(bytes);
  float* first = v;
  float* other = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) first[i] = i % 13;
  for (int i = 0; i < n; i++) other[i] = i % 11;
  {
    float* v = other;
    float* d_v;
    cudaMalloc(&d_v, bytes);  //~ MERGE v/d_v
    cudaMemcpy(d_v, first, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_v, n);
    cudaMemcpy(first, d_v, bytes, cudaMemcpyDeviceToHost);
    printf("%.1f %.1f\n", checksum(first, n), checksum(v, n));
    cudaFree(d_v);
  }
  free(v);
  free(other);
  return 0;
}
