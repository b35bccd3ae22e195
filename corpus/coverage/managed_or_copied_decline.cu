// A flag chooses between managed memory and the copying version at run time; the same names mean
// other things on the two paths.
// Case T-12.
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

int main(int argc, char**) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  const bool managed = argc > 1;
  float *h_v, *d_v;
  if (managed) {
    cudaMallocManaged(&d_v, bytes);
    h_v = d_v;
  } else {
    h_v = (float*)malloc(bytes);
    cudaMalloc(&d_v, bytes);  //~ NONE the copies may join either kind of buffer
  }
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  if (!managed) cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  if (!managed) cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  if (!managed) free(h_v);
  return 0;
}
