// One thread waits for the kernel while another refills the host buffer: harmless with two buffers.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && v[i] < 0) __trap();
}

static void overlap(float* h_v, float* d_v, int n) {
#pragma omp parallel sections
  {
#pragma omp section
    {
      scale<<<n / 256, 256>>>(d_v, n);
      cudaDeviceSynchronize();
    }
#pragma omp section
    for (int i = 0; i < n; i++) h_v[i] = i % 13;
  }
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, bytes);  //~ DECLINE S1+C h_v/d_v
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  overlap(h_v, d_v, n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
