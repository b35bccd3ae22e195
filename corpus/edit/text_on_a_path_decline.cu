// A macro prints the calls that it makes where somebody asked for it: on one of two paths that meet before.
#include <cstdio>
#include <cstdlib>

static int verbose;

#define CHECK(call)                                \
  do {                                             \
    cudaError_t status = (call);                   \
    int loud = 0;                                  \
    if (verbose) loud = 1;                         \
    if (loud) printf("%s\n", #call);               \
    if (status != cudaSuccess) exit(1);            \
  } while (0)

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main(int argc, char** argv) {
  verbose = argc;
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
