// The library gets an array of its own. It may still use the GPU, for all that is known, when the
// host touches the merged buffer; only some devices forbid that.
// Cases C-37, T-14.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

// A non-blocking send in the manner of MPI; present only where the library is linked in.
extern "C" __attribute__((weak)) int send_later(const void* data, int count, int to);

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float* message = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE[any-uma] S5 h_v/d_v
                            //~^ MERGE[thor,any-uma+mapped] h_v/d_v
  memcpy(message, h_v, bytes);
  if (send_later) send_later(message, n, 1);
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  free(message);
  return 0;
}
