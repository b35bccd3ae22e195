// An owner whose constructor allocates the host array in its list of initializers, where a parameter
// has the name of the field.
// Case F-31.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Buffer {
  size_t bytes;
  float* host;
  float* device;
  Buffer(size_t bytes, float* host) : bytes(bytes), host((float*)malloc(bytes)), device(nullptr) {
    cudaMalloc(&device, bytes);  //~ MERGE host/device
    for (size_t i = 0; i < bytes / sizeof(float); i++) this->host[i] = host[0] + i % 13;
  }
  ~Buffer() {
    cudaFree(device);
    free(host);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
};

__global__ void shift(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 3.0f;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  float* d_out;
  cudaMalloc(&d_out, bytes);
  {
    float first = 2;
    Buffer input(bytes, &first);
    cudaMemcpy(input.device, input.host, bytes, cudaMemcpyHostToDevice);
    shift<<<(n + 255) / 256, 256>>>(input.device, d_out, n);
  }
  float last = 0;
  cudaMemcpy(&last, d_out + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", last);
  cudaFree(d_out);
  return 0;
}
