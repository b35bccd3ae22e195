// Several pairs are allocated in a loop and kept in two arrays; the copies join each host array with
// the device buffer of another round.
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
  float* hosts[4];
  float* devices[4];
  for (int k = 0; k < 4; k++) {
    float* h_v = (float*)malloc(bytes);
    for (int i = 0; i < n; i++) h_v[i] = (i + k) % 13;
    float* d_v;
    cudaMalloc(&d_v, bytes);  //~ DECLINE S4 h_v/d_v
    hosts[k] = h_v;
    devices[k] = d_v;
  }
  for (int k = 0; k < 4; k++) {
    cudaMemcpy(devices[k], hosts[3 - k], bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(devices[k], n);
    cudaMemcpy(hosts[3 - k], devices[k], bytes, cudaMemcpyDeviceToHost);
  }
  for (int k = 0; k < 4; k++) printf("%.1f\n", checksum(hosts[k], n));
  return 0;
}
