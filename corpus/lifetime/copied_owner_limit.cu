// Owners are copied in a loop and live side by side, so the allocation sites of the copy
// constructor stand for several live blocks. The original shares its methods with them. Each owner
// keeps to its own pair, which is not seen.
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
    cudaMalloc(&device, bytes);  //~ DECLINE edit host/device LIMIT its methods serve the copies too
    for (int i = 0; i < n; i++) host[i] = i % 13;
  }
  Signal(const Signal& other) : n(other.n), bytes(other.bytes) {
    host = (float*)malloc(bytes);
    cudaMalloc(&device, bytes);  //~ DECLINE S4 host/device LIMIT one site, several live blocks
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
  Signal* copies[2];
  for (int k = 0; k < 2; k++) copies[k] = new Signal(signal);
  signal.process();
  for (int k = 0; k < 2; k++) copies[k]->process();
  printf("%.1f\n", copies[0]->sum() - copies[1]->sum());
  for (int k = 0; k < 2; k++) delete copies[k];
  printf("%.1f\n", signal.sum());
  return 0;
}
