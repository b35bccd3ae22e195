// Which of two device buffers holds the result depends on an index that changes every round.
// Case G-20.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main(int argc, char** argv) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  const int rounds = argc > 1 ? atoi(argv[1]) : 3;
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v[2];
  cudaMalloc(&d_v[0], bytes);  //~ DECLINE C h_v/d_v[0]
  cudaMalloc(&d_v[1], bytes);
  int now = 0;
  cudaMemcpy(d_v[now], h_v, bytes, cudaMemcpyHostToDevice);
  for (int round = 0; round < rounds; round++) {
    shift<<<(n + 255) / 256, 256>>>(d_v[now], d_v[1 - now], n);
    now = 1 - now;
  }
  cudaMemcpy(h_v, d_v[now], bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v[0]);
  cudaFree(d_v[1]);
  free(h_v);
  return 0;
}
