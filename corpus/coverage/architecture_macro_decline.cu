// The kernel uses a macro that means something else to a device pass than to the host pass.
#include <cstdio>
#include <cstdlib>

#ifdef __CUDA_ARCH__
#define PUT(x) (x) *= 2.0f
#else
#define PUT(x) (void)(x)
#endif

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) PUT(v[i]);
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, bytes);  //~ DECLINE S1+C h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaDeviceSynchronize();
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
