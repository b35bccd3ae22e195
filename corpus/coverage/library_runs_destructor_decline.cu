// Emptying a vector runs the destructor of its elements, which writes the host side.
#include <cstdio>
#include <cstdlib>
#include <vector>

static float* seen;

struct Mark {
  int at = 3;
  ~Mark() { seen[at] = 77; }
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
  std::vector<Mark> marks(2);
  marks.clear();
  scale<<<n / 256, 256>>>(d_values, n);
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_values[3], h_values[n - 1]);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
