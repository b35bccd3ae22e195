// The host waits for an event before it refills its array, but the event was recorded before the
// last kernel that reads the device buffer.
// Case P-19.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  cudaStream_t stream;
  cudaEvent_t used;
  cudaStreamCreate(&stream);
  cudaEventCreate(&used);
  float* h_in = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);  //~ DECLINE S2 h_in/d_in
  cudaMalloc(&d_out, 2 * bytes);
  cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, stream);
  shift<<<(n + 255) / 256, 256, 0, stream>>>(d_in, d_out, n);
  cudaEventRecord(used, stream);
  shift<<<(n + 255) / 256, 256, 0, stream>>>(d_in, d_out + n, n);
  cudaEventSynchronize(used);
  for (int i = 0; i < n; i++) h_in[i] = i % 5 + 1;
  cudaStreamSynchronize(stream);
  float last = 0;
  cudaMemcpy(&last, d_out + 2 * n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", last, checksum(h_in, n));
  cudaEventDestroy(used);
  cudaStreamDestroy(stream);
  cudaFree(d_in);
  cudaFree(d_out);
  free(h_in);
  return 0;
}
