// A pointer is copied as a floating-point number; the host writes through the copy.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main(int argc, char**) {
  const int n = 4096;
  float spare[4];
  float* other = spare;
  float* h_v = (float*)malloc(n * 4);
  for (int i = 0; i < 4096; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ DECLINE S3+C h_v/d_v
  cudaMemcpy(d_v, h_v, n * 4, cudaMemcpyHostToDevice);
  double bits = *(double*)&h_v;
  float* again = *(float**)&bits;
  *again = 7;
  scale<<<16, 256>>>(d_v, 4096);
  cudaMemcpy(h_v, d_v, n * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < 4096; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
