// The operating system fills the host array frame by frame; the result of every frame is waited
// for.
// Case C-74.
#include <cuda_runtime.h>
#include <unistd.h>

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

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  FILE* recording = tmpfile();
  for (int i = 0; i < 3 * n; i++) {
    float sample = i % 17;
    fwrite(&sample, sizeof(sample), 1, recording);
  }
  fflush(recording);
  lseek(fileno(recording), 0, SEEK_SET);
  float* h_frame = (float*)malloc(bytes);
  float* d_frame;
  cudaMalloc(&d_frame, bytes);  //~ MERGE h_frame/d_frame
  while (read(fileno(recording), h_frame, bytes) == (ssize_t)bytes) {
    cudaMemcpy(d_frame, h_frame, bytes, cudaMemcpyHostToDevice);
    scale<<<(n + 255) / 256, 256>>>(d_frame, n);
    cudaMemcpy(h_frame, d_frame, bytes, cudaMemcpyDeviceToHost);
    printf("%.1f\n", checksum(h_frame, n));
  }
  fclose(recording);
  cudaFree(d_frame);
  free(h_frame);
  return 0;
}
