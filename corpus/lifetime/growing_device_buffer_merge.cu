// Every round makes both anew.
// Case C-94.
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
  for (int count = n / 4; count <= n; count *= 2) {
    float* h_v = (float*)malloc(count * sizeof(float));
    for (int i = 0; i < count; i++) h_v[i] = i % 13;
    float* d_v;
    cudaMalloc(&d_v, count * sizeof(float));  //~ MERGE h_v/d_v
    cudaMemcpy(d_v, h_v, count * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<(count + 255) / 256, 256>>>(d_v, count);
    cudaMemcpy(h_v, d_v, count * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%.1f\n", checksum(h_v, count));
    cudaFree(d_v);
    free(h_v);
  }
  return 0;
}
