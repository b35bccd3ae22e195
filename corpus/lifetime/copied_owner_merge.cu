// An owner whose copy constructor duplicates both buffers. Each constructor runs once, so each
// allocation site stands for one block: the copies stay as distinct as they were.
// Case C-51.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

class Signal {
 public:
  explicit Signal(int count) : n(count), bytes(count * sizeof(float)) {
    host = (float*)malloc(bytes);
    cudaMalloc(&device, bytes);  //~ MERGE host/device
    for (int i = 0; i < n; i++) host[i] = i % 13;
  }
  Signal(const Signal& other) : n(other.n), bytes(other.bytes) {
    host = (float*)malloc(bytes);
    cudaMalloc(&device, bytes);  //~ MERGE host/device
    memcpy(host, other.host, bytes);
  }
  Signal& operator=(const Signal&) = delete;
  ~Signal() {
    cudaFree(device);
    free(host);
  }
  void process() {
    cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(device, n);
    cudaMemcpy(host, device, bytes, cudaMemcpyDeviceToHost);
  }
  double sum() const { return checksum(host, n); }

 private:
  int n;
  size_t bytes;
  float* host;
  float* device;
};

int main() {
  Signal signal(1 << 12);
  Signal copy(signal);
  signal.process();
  copy.process();
  copy.process();
  printf("%.1f\n", copy.sum());
  printf("%.1f\n", signal.sum());
  return 0;
}
