// An owner's destructor frees both buffers while the kernel may still run and so leans on the wait
// inside `cudaFree`. The merged program must wait itself.
// Case C-50.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Buffer {
  float* host = nullptr;
  float* device = nullptr;
  explicit Buffer(size_t bytes) {
    host = static_cast<float*>(malloc(bytes));
    cudaMalloc(&device, bytes);  //~ MERGE host/device
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
    Buffer input(bytes);
    for (int i = 0; i < n; i++) input.host[i] = i % 13;
    cudaMemcpy(input.device, input.host, bytes, cudaMemcpyHostToDevice);
    shift<<<(n + 255) / 256, 256>>>(input.device, d_out, n);
  }
  float last = 0;
  cudaMemcpy(&last, d_out + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", last);
  cudaFree(d_out);
  return 0;
}
