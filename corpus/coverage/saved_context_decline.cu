// Control returns to where the context was saved: the host reads what the device has changed.
#include <ucontext.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

static ucontext_t start;
static volatile int rounds;

int main() {
  const int n = 4096;
  float* h_v = (float*)malloc(n * 4);
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ NONE h_v/d_v
  cudaMemcpy(d_v, h_v, n * 4, cudaMemcpyHostToDevice);
  getcontext(&start);
  printf("%.1f\n", h_v[3]);
  scale<<<16, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  if (++rounds < 2) setcontext(&start);
  cudaMemcpy(h_v, d_v, n * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
