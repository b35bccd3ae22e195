// Small functions allocate, upload, download and free, as many programs have them. Each is called
// for one pair only.
// Case F-05.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

static float* make_host(int n) {
  float* v = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) v[i] = i % 13;
  return v;
}

static void make_device(float** v, int n) {
  cudaMalloc((void**)v, n * sizeof(float));
  //~^ DECLINE edit h_v/d_v LIMIT the host array has no name where the device buffer is made
}

static void to_device(float* device, const float* host, int n) {
  cudaMemcpy(device, host, n * sizeof(float), cudaMemcpyHostToDevice);
}

static void to_host(float* host, const float* device, int n) {
  cudaMemcpy(host, device, n * sizeof(float), cudaMemcpyDeviceToHost);
}

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
  float* h_v = make_host(n);
  float* d_v;
  make_device(&d_v, n);
  to_device(d_v, h_v, n);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  to_host(h_v, d_v, n);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
