// Finds what moved between a background image and a camera frame: the device brightens the frame in place,
// subtracts the background and marks the pixels that differ. The host then checks the brightening.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                \
  do {                                                                             \
    cudaError_t status = (call);                                                   \
    if (status != cudaSuccess) {                                                   \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(status)); \
      exit(EXIT_FAILURE);                                                          \
    }                                                                              \
  } while (0)

__global__ void brighten(float* frame, int pixels, float gain) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) frame[i] = frame[i] * gain;
}

__global__ void mark(const float* frame, const float* background, float* mask, int pixels) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pixels) mask[i] = fabsf(frame[i] - background[i]) > 0.25f ? 1.0f : 0.0f;
}

// A grey ramp, with a bright disc of the given radius at (x, y).
static void draw(float* image, int width, int height, int x, int y, int radius) {
  for (int row = 0; row < height; row++) {
    for (int column = 0; column < width; column++) {
      int dx = column - x, dy = row - y;
      float grey = 0.5f * column / width;
      image[row * width + column] = dx * dx + dy * dy < radius * radius ? 0.9f : grey;
    }
  }
}

int main(int argc, char** argv) {
  const int width = argc > 1 ? atoi(argv[1]) : 640;
  const int height = argc > 2 ? atoi(argv[2]) : 480;
  const int pixels = width * height;
  const size_t bytes = pixels * sizeof(float);
  const float gain = 1.25f;

  float* h_background = (float*)malloc(bytes);
  float* h_frame = (float*)malloc(bytes);
  float* h_mask = (float*)malloc(bytes);
  draw(h_background, width, height, 0, 0, 0);
  draw(h_frame, width, height, width / 2, height / 2, height / 8);

  float *d_background, *d_frame, *d_mask;
  CHECK(cudaMalloc((void**)&d_background, bytes));  //~ MERGE h_background/d_background
  CHECK(cudaMalloc((void**)&d_frame, bytes));       //~ DECLINE S1 h_frame/d_frame
  CHECK(cudaMalloc((void**)&d_mask, bytes));        //~ MERGE h_mask/d_mask

  CHECK(cudaMemcpy(d_background, h_background, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d_frame, h_frame, bytes, cudaMemcpyHostToDevice));
  const int threads = 256, blocks = (pixels + threads - 1) / threads;
  brighten<<<blocks, threads>>>(d_frame, pixels, gain);
  mark<<<blocks, threads>>>(d_frame, d_background, d_mask, pixels);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(h_mask, d_mask, bytes, cudaMemcpyDeviceToHost));

  int moved = 0, expected = 0;
  for (int i = 0; i < pixels; i++) {
    moved += h_mask[i] > 0.5f;
    expected += fabsf(h_frame[i] * gain - h_background[i]) > 0.25f;
  }
  printf("%d pixels moved, %d expected\n", moved, expected);

  CHECK(cudaFree(d_background));
  CHECK(cudaFree(d_frame));
  CHECK(cudaFree(d_mask));
  free(h_background);
  free(h_frame);
  free(h_mask);
  return moved == expected ? EXIT_SUCCESS : EXIT_FAILURE;
}
