// Both pointers live in a global structure that a plug-in, if one is linked in, may read and
// change.
// Cases C-33, P-g.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

struct Job {
  float* host;
  float* device;
  int n;
} job;

extern "C" __attribute__((weak)) void plugin_before_upload();

__global__ void scale(float* v, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) v[i] = v[i] * 2.0f + 1.0f;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

static void prepare() {
  for (int i = 0; i < job.n; i++) job.host[i] = i % 13;
}

static void compute() {
  size_t bytes = job.n * sizeof(float);
  if (plugin_before_upload) plugin_before_upload();
  cudaMemcpy(job.device, job.host, bytes, cudaMemcpyHostToDevice);
  scale<<<(job.n + 255) / 256, 256>>>(job.device, job.n);
  cudaMemcpy(job.host, job.device, bytes, cudaMemcpyDeviceToHost);
}

int main() {
  job.n = 1 << 12;
  job.host = (float*)malloc(job.n * sizeof(float));
  cudaMalloc(&job.device, job.n * sizeof(float));  //~ NONE the copies may join any two buffers
  prepare();
  compute();
  printf("%.1f\n", checksum(job.host, job.n));
  cudaFree(job.device);
  free(job.host);
  return 0;
}
