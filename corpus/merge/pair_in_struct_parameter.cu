// A pair of fields that functions of a C-like interface allocate and free, each given the struct.
// Case F-28.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

struct Stage {
  int n;
  float* host;
  float* device;
};

static void stage_open(Stage* stage, int n) {
  stage->n = n;
  stage->host = (float*)malloc(n * sizeof(float));
  if (!stage->host) exit(1);
  cudaMalloc((void**)&stage->device, n * sizeof(float));  //~ MERGE stage->host/stage->device
}

static void stage_run(Stage& stage) {
  size_t bytes = stage.n * sizeof(float);
  cudaMemcpy(stage.device, stage.host, bytes, cudaMemcpyHostToDevice);
  scale<<<(stage.n + 255) / 256, 256>>>(stage.device, stage.n);
  cudaMemcpy(stage.host, stage.device, bytes, cudaMemcpyDeviceToHost);
}

static void stage_close(Stage* stage) {
  cudaFree(stage->device);
  free(stage->host);
}

int main() {
  Stage stage;
  stage_open(&stage, 1 << 12);
  for (int i = 0; i < stage.n; i++) stage.host[i] = i % 13;
  stage_run(stage);
  printf("%.1f\n", checksum(stage.host, stage.n));
  stage_close(&stage);
  return 0;
}
