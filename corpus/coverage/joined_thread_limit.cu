// A thread fills the host array and is joined before the upload: sound, but the order between
// threads is not modelled.
// Case C-58.
#include <cuda_runtime.h>
#include <pthread.h>

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

static void* fill(void* data) {
  float* v = (float*)data;
  for (int i = 0; i < 1 << 12; i++) v[i] = i % 13;
  return nullptr;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  pthread_t filler;
  pthread_create(&filler, nullptr, fill, h_v);
  pthread_join(filler, nullptr);
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE C h_v/d_v LIMIT joins of threads are not modelled
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<(n + 255) / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_v, n));
  cudaFree(d_v);
  free(h_v);
  return 0;
}
