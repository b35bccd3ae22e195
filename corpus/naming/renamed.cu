// With `--naming rename` every use of the second pointer gets the first one's name: in launches, in calls,
// in loops and lambdas, beside members and text that only look like it.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                    \
  do {                                                 \
    cudaError_t status = (call);                       \
    if (status != cudaSuccess) {                       \
      printf("%s: %s\n", #call, cudaGetErrorString(status)); \
      exit(1);                                         \
    }                                                  \
  } while (0)

struct Sizes {
  int d_in;
};

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static void twice(float* d_in, int n) {
  scale<<<(n + 255) / 256, 256>>>(d_in, n);
  scale<<<(n + 255) / 256, 256>>>(d_in, n);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  Sizes sizes = {n};
  float* h_in = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  float* d_in;
  CHECK(cudaMalloc(&d_in, bytes));  //~ MERGE[any-uma,any-uma+rename] h_in/d_in
  CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
  for (int round = 0; round < 2; round++) {
    scale<<<(sizes.d_in + 255) / 256, 256>>>(d_in, sizes.d_in);  // d_in in place
  }
  auto run = [&] { twice(d_in, n); };
  run();
  CHECK(cudaMemcpy(h_in, d_in, bytes, cudaMemcpyDeviceToHost));
  printf("d_in: %.1f\n", h_in[7]);

  float *d_out, *d_rest;
  CHECK(cudaMalloc(&d_out, bytes));  //~ MERGE[any-uma,any-uma+rename] h_out/d_out
  CHECK(cudaMalloc(&d_rest, bytes));
  CHECK(cudaMemset(d_out, 0, bytes));
  CHECK(cudaMemset(d_rest, 0, bytes));
  scale<<<(n + 255) / 256, 256>>>(d_out, n);
  scale<<<(n + 255) / 256, 256>>>(d_rest, n);
  CHECK(cudaDeviceSynchronize());
  float* h_out = (float*)malloc(bytes);
  CHECK(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_out[i];
  printf("%.1f\n", sum);
  free(h_out);
  CHECK(cudaFree(d_out));
  CHECK(cudaFree(d_rest));
  CHECK(cudaFree(d_in));
  free(h_in);
  return 0;
}
