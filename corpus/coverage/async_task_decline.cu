// A task in another thread refills the host array while the kernel runs. That the kernel may then
// read the new values is as good a reason as that the task runs at a time nobody knows.
// Cases C-56, P-g.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <future>

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
  float* h_in = (float*)malloc(bytes);
  float* h_out = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_in[i] = i % 13;
  float *d_in, *d_out;
  cudaMalloc(&d_in, bytes);   //~ DECLINE S1+C h_in/d_in
  cudaMalloc(&d_out, bytes);  //~ MERGE h_out/d_out
  auto refill = [&] {
    for (int i = 0; i < n; i++) h_in[i] = i % 5 + 1;
  };
  cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice);
  std::future<void> done = std::async(std::launch::async, refill);
  shift<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
  cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost);
  done.wait();
  printf("%.1f %.1f\n", checksum(h_out, n), checksum(h_in, n));
  cudaFree(d_in);
  cudaFree(d_out);
  free(h_in);
  free(h_out);
  return 0;
}
