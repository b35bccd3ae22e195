// Four pairs in two arrays of pointers, allocated and copied in loops. Each element could be merged
// with its partner of the same index.
// Case T-18.
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
  float *h_v[4], *d_v[4];
  for (int k = 0; k < 4; k++) {
    h_v[k] = (float*)malloc(bytes);
    cudaMalloc((void**)&d_v[k], bytes);
    //~^ DECLINE S4 h_v[]/d_v[] LIMIT elements of pointer arrays are not told apart
    for (int i = 0; i < n; i++) h_v[k][i] = (i + k) % 13;
  }
  for (int k = 0; k < 4; k++) {
    cudaMemcpy(d_v[k], h_v[k], bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_v[k], n);
    cudaMemcpy(h_v[k], d_v[k], bytes, cudaMemcpyDeviceToHost);
  }
  double sum = 0;
  for (int k = 0; k < 4; k++) {
    sum += checksum(h_v[k], n);
    cudaFree(d_v[k]);
    free(h_v[k]);
  }
  printf("%.1f\n", sum);
  return 0;
}
