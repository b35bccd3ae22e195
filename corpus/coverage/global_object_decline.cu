// A global object's destructor reads the buffer after main has returned.
// Case C-98.
#include <cstdio>
#include <cstdlib>

static float* h_values;

struct Reporter {
  ~Reporter() { printf("%.1f\n", h_values[1]); }
};
static Reporter reporter;

__global__ void scale(float* values, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) values[i] *= 2.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  h_values = (float*)malloc(bytes);
  for (int i = 0; i < n; i++) h_values[i] = i;
  float* d_values;
  cudaMalloc((void**)&d_values, bytes);
  cudaMemcpy(d_values, h_values, bytes, cudaMemcpyHostToDevice);
  //~ NONE code that runs after main is not followed
  scale<<<n / 256, 256>>>(d_values, n);
  cudaDeviceSynchronize();
  cudaFree(d_values);
  return 0;
}
