// An owner has only the device buffer. Its constructor would have to be given the host array, of
// which it does not know the name.
// Case C-50.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct DeviceBuffer {
  float* data = nullptr;
  explicit DeviceBuffer(size_t bytes) {
    cudaMalloc(&data, bytes);  //~ DECLINE edit h_v/data LIMIT the constructor would need a parameter
  }
  ~DeviceBuffer() { cudaFree(data); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
};

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
  float* h_v = (float*)malloc(bytes);
  float* d_out;
  cudaMalloc(&d_out, bytes);
  for (int i = 0; i < n; i++) h_v[i] = i % 13;
  {
    DeviceBuffer input(bytes);
    cudaMemcpy(input.data, h_v, bytes, cudaMemcpyHostToDevice);
    shift<<<(n + 255) / 256, 256>>>(input.data, d_out, n);
  }
  free(h_v);
  float last = 0;
  cudaMemcpy(&last, d_out + n - 1, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%.1f\n", last);
  cudaFree(d_out);
  return 0;
}
