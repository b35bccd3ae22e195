// As its twin, but the number keeps all its bits.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main(int argc, char**) {
  const size_t n = 4096 * (size_t)argc;
  const long m = n;
  float* h_v = (float*)malloc(n * 4);
  for (int i = 0; i < 4096; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ MERGE h_v/d_v
  cudaMemcpy(d_v, h_v, n * 4, cudaMemcpyHostToDevice);
  scale<<<16, 256>>>(d_v, 4096);
  cudaMemcpy(h_v, d_v, (size_t)m * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 4096; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
