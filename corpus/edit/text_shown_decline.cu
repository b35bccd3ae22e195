// A macro prints each call that it makes, and the patch would change their text.
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                \
  do {                                             \
    cudaError_t status = (call);                   \
    printf("%s: %d\n", #call, (int)status);        \
    if (status != cudaSuccess) exit(1);            \
  } while (0)

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  CHECK(cudaMalloc(&d_v, bytes));  //~ DECLINE edit h_v/d_v
  CHECK(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice));
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  CHECK(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost));
  printf("%.1f\n", h_v[0]);
  CHECK(cudaFree(d_v));
  free(h_v);
  return 0;
}
