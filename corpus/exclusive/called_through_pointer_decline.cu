// The function with the pair is called through a pointer, while a kernel of its caller still runs.
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

static double process(int n) {
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE[any-uma] S5 h_v/d_v
  //~^ MERGE[thor] h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  cudaDeviceSynchronize();
  double sum = checksum(h_v, n);
  cudaFree(d_v);
  free(h_v);
  return sum;
}

int main(int argc, char**) {
  const int n = 1 << 12;
  double (*step)(int) = argc > 5 ? nullptr : process;
  float* d_w;
  cudaMalloc(&d_w, n * sizeof(float));
  cudaMemset(d_w, 0, n * sizeof(float));
  scale<<<(n + 255) / 256, 256>>>(d_w, n);
  printf("%.1f\n", step(n));
  cudaFree(d_w);
  return 0;
}
