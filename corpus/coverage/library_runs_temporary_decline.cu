// Sorting compares by temporaries whose destructor writes the host side.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static float* seen;

struct Part {
  int value;
  explicit Part(int n) : value(n) {}
  Part twice() const { return Part(2 * value); }
  ~Part() { seen[3] += 1; }
};

struct Key {
  int value;
  bool operator<(const Key& other) const { return Part(value).twice().value < 2 * other.value; }
};

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] = values[i] * 2.0f + 1.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  seen = h_values;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);  //~ DECLINE S1 h_values/d_values
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  std::vector<Key> keys(3);
  keys[0].value = 5;
  std::sort(keys.begin(), keys.end());
  scale<<<n / 256, 256>>>(d_values, n);
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_values[3], h_values[n - 1]);
  printf("%d\n", keys[0].value);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
