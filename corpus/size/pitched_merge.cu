// A two-dimensional copy whose pitches all equal the width copies the whole buffer.
// Cases C-76, C-77, P-o.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void brighten(unsigned char* image, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < width)
    for (int y = 0; y < height; y++) image[y * pitch + x] += 1;
}

int main() {
  const int width = 200, height = 40;
  unsigned char* h_image = (unsigned char*)malloc(width * height);
  for (int i = 0; i < width * height; i++) h_image[i] = i % 200;
  unsigned char* d_image;
  const size_t pitch = width;
  cudaMalloc(&d_image, width * height);  //~ MERGE h_image/d_image
  cudaMemcpy2D(d_image, pitch, h_image, width, width, height, cudaMemcpyHostToDevice);
  brighten<<<1, 256>>>(d_image, pitch, width, height);
  cudaMemcpy2D(h_image, width, d_image, pitch, width, height, cudaMemcpyDeviceToHost);
  long sum = 0;
  for (int i = 0; i < width * height; i++) sum += h_image[i] * (i % 7 + 1);
  printf("%ld\n", sum);
  cudaFree(d_image);
  free(h_image);
  return 0;
}
