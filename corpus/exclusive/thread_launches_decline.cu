// Another thread runs a kernel on a buffer of its own while the host array is filled.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <thread>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static void in_the_background(int n) {
  float* d_w;
  cudaMalloc(&d_w, n * sizeof(float));
  cudaMemset(d_w, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(d_w, n);
  cudaFree(d_w);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  std::thread other(in_the_background, n);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  other.join();
  cudaDeviceSynchronize();
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE[any-uma] S5 h_v/d_v
  //~^ MERGE[thor] h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
