// Detection-like pipeline with kernels of its own: 16 frames of 3 x 416 x 416 to a grid of scores.
#include "measure.h"
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
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  size_t cells = (size_t)FRAMES * 3 * GRID * GRID;
  size_t pixels = (size_t)FRAMES * 3 * SIDE * SIDE, results = (size_t)FRAMES * GRID * GRID * SCORES;
  float *h_frames = (float *)malloc(pixels * sizeof(float));
  float *h_scores = (float *)malloc(results * sizeof(float));
  float *d_frames, *d_scores, *d_mean;
  CHECK(cudaMalloc(&d_frames, pixels * sizeof(float)));
  CHECK(cudaMalloc(&d_scores, results * sizeof(float)));
  CHECK(cudaMalloc(&d_mean, cells * sizeof(float)));

  std::vector<float> image = make_image(pixels);
  Times times(rounds);
  double sum = 0;
  for (int round = 0; round < times.warm + rounds; round++) {
    double start = now_ms();
    memcpy(h_frames, image.data(), pixels * sizeof(float));
    h_frames[round % 64] += round * 0.001f;
    double filled = now_ms();
    CHECK(cudaMemcpy(d_frames, h_frames, pixels * sizeof(float), cudaMemcpyHostToDevice));
    features<<<(cells + 127) / 128, 128>>>(d_frames, d_mean);
    scores<<<(results + 255) / 256, 256>>>(d_mean, d_scores);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(h_scores, d_scores, results * sizeof(float), cudaMemcpyDeviceToHost));
    double computed = now_ms();
    sum += checksum(h_scores, results);
    times.add(round, start, filled, computed, now_ms());
  }
  report("detect", times, (pixels + results) * sizeof(float), sum, digest_of(h_scores, results));

  CHECK(cudaFree(d_mean));
  CHECK(cudaFree(d_scores));
  CHECK(cudaFree(d_frames));
  free(h_scores);
  free(h_frames);
  return 0;
}
