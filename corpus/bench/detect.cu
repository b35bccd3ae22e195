// Detection-like pipeline with kernels of its own: 16 frames of 3 x 416 x 416 to a grid of scores.
// Needs no library besides the runtime, so it is also built with the shared runtime and with
// per-thread default streams.
#include "common.h"
static const int FRAMES = 16, SIDE = 416, CELL = 8, GRID = SIDE / CELL, SCORES = 85;
__global__ void features(const float *frames, float *mean) {
  int cell = blockIdx.x * blockDim.x + threadIdx.x;
  if (cell >= FRAMES * 3 * GRID * GRID) return;
  int x = cell % GRID, y = cell / GRID % GRID, plane = cell / (GRID * GRID);
  float sum = 0;
  for (int dy = 0; dy < CELL; dy++)
    for (int dx = 0; dx < CELL; dx++) sum += frames[((size_t)plane * SIDE + y * CELL + dy) * SIDE + x * CELL + dx];
  mean[cell] = sum / (CELL * CELL);
}
__global__ void scores(const float *mean, float *out) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= (size_t)FRAMES * GRID * GRID * SCORES) return;
  int score = i % SCORES, cell = i / SCORES % (GRID * GRID), frame = i / SCORES / (GRID * GRID);
  const float *m = mean + (size_t)frame * 3 * GRID * GRID;
  float v = m[cell] * (score + 1) + m[GRID * GRID + cell] * 0.5f - m[2 * GRID * GRID + cell];
  out[i] = 1.f / (1.f + expf(-v));
}
int main(int argc, char **argv) {
  float *mean;
  CHECK(cudaMalloc(&mean, sizeof(float) * FRAMES * 3 * GRID * GRID));
  size_t cells = (size_t)FRAMES * 3 * GRID * GRID, results = (size_t)FRAMES * GRID * GRID * SCORES;
  bench("detect", sizeof(float) * FRAMES * 3 * SIDE * SIDE, sizeof(float) * results, argc, argv,
        [&](void *in, void *out) {
          features<<<(cells + 127) / 128, 128>>>((const float *)in, mean);
          scores<<<(results + 255) / 256, 256>>>(mean, (float *)out);
          CHECK(cudaGetLastError());
        });
  CHECK(cudaFree(mean));
}
