// The kernel may leave the end of the buffer unwritten, as far as anyone can tell from its guard.
// That it writes whatever is read is an assumption of the merge.
// Case C-96.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void ramp(float* out, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = i % 11 + 1;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  const int count = n - 10;
  float* h_v = (float*)malloc(bytes);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  ramp<<<(n + 255) / 256, 256>>>(d_v, count);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, count));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
