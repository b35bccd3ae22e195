// A host function, run by the stream after the download, reads the host array. Sound where host and
// device may use managed memory at the same time, but what runs inside a callback is not modelled.
// Case C-71.
#include <cuda_runtime.h>

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

struct Result {
  const float* values;
  int n;
  double sum;
};

static void summarise(void* data) {
  Result* result = (Result*)data;
  result->sum = checksum(result->values, result->n);
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* h_v = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ DECLINE C h_v/d_v LIMIT callbacks are not modelled
  Result result = {h_v, n, 0};
  cudaMemcpyAsync(d_v, h_v, bytes, cudaMemcpyHostToDevice, stream);
  scale<<<(n + 255) / 256, 256, 0, stream>>>(d_v, n);
  cudaMemcpyAsync(h_v, d_v, bytes, cudaMemcpyDeviceToHost, stream);
  cudaLaunchHostFunc(stream, summarise, &result);
  cudaStreamSynchronize(stream);
  printf("%.1f\n", result.sum);
  cudaStreamDestroy(stream);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
