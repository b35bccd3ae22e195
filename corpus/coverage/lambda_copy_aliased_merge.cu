// A lambda copies a variable that does not change.
#include <cstdio>
#include <cstdlib>

static float third(float* values, float* others) {
  float* chosen = values;
  auto read = [chosen] { return chosen[3]; };
  return read() + others[0];
}

__global__ void scale(float* v, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] *= 2.0f;
}

int main() {
  const int n = 4096;
  const size_t bytes = n * sizeof(float);
  float* h_v = (float*)malloc(bytes);
  float other[4] = {1, 2, 3, 4};
  for (int i = 0; i < n; i++) h_v[i] = i % 17;
  float* d_v;
  cudaMalloc(&d_v, bytes);  //~ MERGE h_v/d_v
  other[0] = 2;
  cudaMemcpy(d_v, h_v, bytes, cudaMemcpyHostToDevice);
  scale<<<n / 256, 256>>>(d_v, n);
  cudaMemcpy(h_v, d_v, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f\n", third(h_v, other));
  printf("%.1f\n", h_v[5]);
  cudaFree(d_v);
  free(h_v);
  return 0;
}
