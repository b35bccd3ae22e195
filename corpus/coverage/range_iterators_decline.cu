// A range loop visits the array through iterators of the program.
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

struct Steps {
  float* at;
  int left;
  bool operator!=(const Steps& end) const { return left != end.left; }
  void operator++() { at++, left--; }
  float& operator*() { return *at; }
};

struct Slice {
  float* first;
  int count;
  Steps begin() { return {first, count}; }
  Steps end() { return {first + count, 0}; }
};

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  Slice slice{h_v, n};
  for (auto& x : slice) x = 3;
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
