// A program as CUDA programmers write it, for the emulator with its race detector: the host fills, the device computes in
// a stream, the host reads. Its first argument says how it waits; TOUCH in the environment makes the host write the
// input while the device may work, which no profile without it shows.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(call) do { cudaError_t status_ = (call); if (status_ != cudaSuccess) { fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status_)); exit(3); } } while (0)

__global__ void scale(const float *in, float *out, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * by + 1;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "copy";
  const bool touch = getenv("TOUCH") != nullptr;
  const int n = 8192;
  const size_t bytes = n * sizeof(float);
  float *h_in = (float *)malloc(bytes);
  float *h_out = (float *)malloc(bytes);
  float *d_in, *d_out;
  CHECK(cudaMalloc(&d_in, bytes));
  CHECK(cudaMalloc(&d_out, bytes));
  cudaStream_t stream = 0;
  cudaEvent_t done;
  const bool asynchronous = strcmp(how, "copy") != 0 && strcmp(how, "device") != 0;
  if (asynchronous) CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&done));
  for (int round = 0; round < 5; round++) {
    for (int i = 0; i < n; i++) h_in[i] = (float)(round + i % 11);
    if (asynchronous) CHECK(cudaMemcpyAsync(d_in, h_in, bytes, cudaMemcpyHostToDevice, stream));
    else CHECK(cudaMemcpy(d_in, h_in, bytes, cudaMemcpyHostToDevice));
    scale<<<n / 128, 128, 0, stream>>>(d_in, d_out, n, 2.0f);
    if (touch) h_in[7] = 0;
    if (!strcmp(how, "device")) CHECK(cudaDeviceSynchronize());
    if (asynchronous) CHECK(cudaMemcpyAsync(h_out, d_out, bytes, cudaMemcpyDeviceToHost, stream));
    else CHECK(cudaMemcpy(h_out, d_out, bytes, cudaMemcpyDeviceToHost));
    if (!strcmp(how, "stream")) CHECK(cudaStreamSynchronize(stream));
    if (!strcmp(how, "event")) { CHECK(cudaEventRecord(done, stream)); CHECK(cudaEventSynchronize(done)); }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += h_out[i];
    printf("round %d: %.1f\n", round, sum);
  }
  CHECK(cudaFree(d_in));
  CHECK(cudaFree(d_out));
  free(h_in);
  free(h_out);
  return 0;
}
