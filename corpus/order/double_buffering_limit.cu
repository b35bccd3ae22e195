// Two halves of a stream of frames, each with its own pinned host buffer, device buffer and stream,
// waited for before it is refilled. Each pair could be merged on devices with concurrent managed
// access.
// Case C-19.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

static void fill(float* v, int n, int round) {
  for (int i = 0; i < n; i++) v[i] = (i + round * 5) % 13;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float *h_a, *h_b;
  cudaMallocHost(&h_a, bytes);
  cudaMallocHost(&h_b, bytes);
  float *d_a, *d_b, *d_out;
  cudaMalloc(&d_a, bytes);  //~ LIMIT h_a/d_a pinned host memory is not a host side yet
  cudaMalloc(&d_b, bytes);  //~ LIMIT h_b/d_b pinned host memory is not a host side yet
  cudaMalloc(&d_out, 2 * bytes);
  float* h_out = (float*)malloc(2 * bytes);
  cudaStream_t a, b;
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  for (int frame = 0; frame < 3; frame++) {
    cudaStreamSynchronize(a);
    fill(h_a, n, 2 * frame);
    cudaMemcpyAsync(d_a, h_a, bytes, cudaMemcpyHostToDevice, a);
    shift<<<(n + 255) / 256, 256, 0, a>>>(d_a, d_out, n);
    cudaStreamSynchronize(b);
    fill(h_b, n, 2 * frame + 1);
    cudaMemcpyAsync(d_b, h_b, bytes, cudaMemcpyHostToDevice, b);
    shift<<<(n + 255) / 256, 256, 0, b>>>(d_b, d_out + n, n);
  }
  cudaDeviceSynchronize();
  for (int i = 0; i < 2; i++)
    cudaMemcpy(h_out + i * n, d_out + i * n, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", checksum(h_out, 2 * n));
  cudaStreamDestroy(a);
  cudaStreamDestroy(b);
  cudaFree(d_a);
  cudaFree(d_b);
  cudaFree(d_out);
  cudaFreeHost(h_a);
  cudaFreeHost(h_b);
  free(h_out);
  return 0;
}
