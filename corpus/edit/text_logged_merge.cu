// The function behind a macro is given the text of each call, and shows it if the call fails.
#include <cstdio>
#include <cstdlib>

int verbose = 1;

static void check(cudaError_t status, const char* call) {
  if (status) printf("%s: %d %d\n", call, (int)status, verbose);
}

#define TEXT(x) #x
#define CHECK(call) check((call), TEXT(call))

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

int main(int argc, char**) {
  if (argc > 1) verbose = 0;
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  CHECK(cudaMalloc(&d_v, bytes));  //~ MERGE h_v/d_v
  CHECK(cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice));
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  CHECK(cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost));
  printf("%.1f\n", h_v[0]);
  CHECK(cudaFree(d_v));
  free(h_v);
  return 0;
}
