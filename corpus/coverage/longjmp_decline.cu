// A failed step jumps over the rest with `longjmp`: which statements run between is not visible in
// the control flow. The whole function is not understood, and the report says so, and why.
// Case C-48.
#include <cuda_runtime.h>

#include <csetjmp>
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

static jmp_buf failed;

static bool step(float* d_v, int n) {
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  return cudaDeviceSynchronize() == cudaSuccess;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ NONE `main` calls setjmp, which returns twice
  if (setjmp(failed)) goto done;
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  if (!step(d_v, n)) longjmp(failed, 1);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
done:
  cudaFree(d_v);
  free(h_v);
  return 0;
}
