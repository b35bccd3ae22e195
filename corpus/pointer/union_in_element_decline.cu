// A union in an element that is not known which holds the host pointer, under another name and type.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Slot {
  int tag;
  union {
    const float* values;
    void* raw[2];
  } u;
};

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main(int argc, char**) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  static float ones[1] = {1.0f};
  Slot slots[4], spare[4];
  for (Slot& slot : slots) slot.u.values = ones;
  for (Slot& slot : spare) slot.u.values = ones;
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  slots[argc].u.raw[argc - 1] = h_v;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE S1 h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  printf("%.1f\n", slots[1].u.values[0]);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", h_v[0]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
