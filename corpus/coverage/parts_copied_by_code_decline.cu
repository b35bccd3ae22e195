// An implicit copy of a struct copies its part by a constructor that writes the host side.
#include <cstdio>
#include <cstdlib>

static float* seen;

struct Part {
  int value = 1;
  Part() = default;
  Part(const Part& other) : value(other.value) { seen[3] += 1; }
};
struct Whole {
  Part parts[2];
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
  Whole whole;
  Whole copy = whole;
  scale<<<n / 256, 256>>>(d_values, n);
  cudaMemcpy(h_values, d_values, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_values[3], h_values[n - 1]);
  printf("%d\n", copy.parts[0].value);
  cudaFree(d_values);
  free(h_values);
  return 0;
}
