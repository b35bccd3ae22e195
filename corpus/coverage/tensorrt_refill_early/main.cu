// The host fills the next frame as soon as the inference is enqueued, while the engine may still read
// the last one from what would be the same buffer.
// Case C-84.
#include <cstdio>
#include <cstdlib>

#include "NvInfer.h"

// Loads the engine; present only where one is linked in.
extern "C" __attribute__((weak)) nvinfer1::IExecutionContext* load_engine(const char* path);

static void fill(float* v, int n, int round) {
  for (int i = 0; i < n; i++) v[i] = (i + round * 5) % 13;
}

static double checksum(const float* v, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) s += v[i] * (i % 7 + 1);
  return s;
}

int main() {
  const int n = 1 << 12;
  const size_t bytes = n * sizeof(float);
  nvinfer1::IExecutionContext* context = load_engine ? load_engine("model.plan") : nullptr;
  if (!context) {
    puts("no engine");
    return 0;
  }
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  float* h_image = (float*)malloc(bytes);
  float* h_scores = (float*)malloc(bytes);
  float *d_image, *d_scores;
  cudaMalloc(&d_image, bytes);   //~ DECLINE C h_image/d_image
  cudaMalloc(&d_scores, bytes);  //~ DECLINE C h_scores/d_scores LIMIT the engine keeps the pointers
  context->setTensorAddress("image", d_image);
  context->setTensorAddress("scores", d_scores);
  fill(h_image, n, 0);
  for (int frame = 0; frame < 3; frame++) {
    cudaMemcpyAsync(d_image, h_image, bytes, cudaMemcpyHostToDevice, stream);
    context->enqueueV3(stream);
    fill(h_image, n, frame + 1);
    cudaMemcpyAsync(h_scores, d_scores, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    printf("%.1f\n", checksum(h_scores, n));
  }
  delete context;
  cudaStreamDestroy(stream);
  cudaFree(d_image);
  cudaFree(d_scores);
  free(h_image);
  free(h_scores);
  return 0;
}
