// A bit field keeps fewer bits than its type has.
#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main(int argc, char**) {
  const int n = 256 * (argc + 16);
  struct {
    int c : 12;
  } q;
  q.c = n;
  float* h_v = (float*)malloc(q.c * 4);
  for (int i = 0; i < q.c; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc((void**)&d_v, n * 4);  //~ DECLINE S1+size h_v/d_v
  cudaMemcpy(d_v, h_v, q.c * 4, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, q.c * 4, cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < q.c; i++) sum += h_v[i];
  printf("%.1f\n", sum);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
