// The two device pointers change places every round, so the array that holds the result depends on
// the number of rounds: no device buffer is the host array's partner.
// Cases C-17, T-17, G-11.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

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
  float *d_a, *d_b;
  cudaMalloc(&d_a, bytes);  //~ DECLINE S4+C h_v/d_a
  cudaMalloc(&d_b, bytes);
  cudaMemcpy(d_a, h_v, bytes, cudaMemcpyHostToDevice);
  for (int round = 0; round < rounds; round++) {
    shift<<<(n + 255) / 256, 256>>>(d_a, d_b, n);
    std::swap(d_a, d_b);
  }
  cudaMemcpy(h_v, d_a, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_a);
  cudaFree(d_b);
  free(h_v);
  return 0;
}
