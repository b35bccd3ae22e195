// The function beside the type of the elements has a name of its own.
#include <cstdio>
#include <cstdlib>

namespace shapes {
struct Point {
  float x, y;
};
cudaError_t release(Point* points);
}  // namespace shapes

__global__ void mirror(shapes::Point* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i].x = -p[i].x;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(shapes::Point);
  shapes::Point* h_p = (shapes::Point*)malloc(bytes);
  for (int i = 0; i < n; i++) h_p[i] = {float(i % 13), 1.0f};
  shapes::Point* d_p;
  cudaMalloc(&d_p, bytes);  //~ MERGE h_p/d_p
  cudaMemcpy(d_p, h_p, bytes, cudaMemcpyHostToDevice);
  mirror<<<(n + 255) / 256, 256>>>(d_p, n);
  cudaMemcpy(h_p, d_p, bytes, cudaMemcpyDeviceToHost);
  printf("%.1f %.1f\n", h_p[3].x, h_p[3].y);
  ::cudaFree(d_p);
  free(h_p);
  return 0;
}
