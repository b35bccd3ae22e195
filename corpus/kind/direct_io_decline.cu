// The host array is aligned to a page for direct input and output, which bypasses the page cache
// and does not work on managed memory. (A file name is needed to try it.)
// Case C-75.
#include <cuda_runtime.h>
#include <fcntl.h>
#include <unistd.h>

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

int main(int argc, char** argv) {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = nullptr;
  if (posix_memalign((void**)&h_v, 4096, bytes) != 0) return 1;  //~ NONE not a host side
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  if (argc > 1) {
    int file = open(argv[1], O_RDONLY | O_DIRECT);
    if (read(file, h_v, bytes) < 0) return 1;
    close(file);
  }
  float* d_v;
  cudaMalloc(&d_v, bytes);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
