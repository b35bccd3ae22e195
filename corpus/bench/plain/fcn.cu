// Segmentation-like pipeline: 8 images of 3 x 512 x 512 through three layers to 21 class maps.
#include "layer.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  Layer first(handle, 8, 3, 512, 512, 64, 7, 2);
  Layer second(handle, 8, 64, 256, 256, 64, 3, 1);
  Layer classes(handle, 8, 64, 256, 256, 21, 1, 1);
  const size_t pixels = (size_t)8 * 3 * 512 * 512, inner = (size_t)8 * 64 * 256 * 256, results = (size_t)8 * 21 * 256 * 256;
  float *h_images = (float *)malloc(pixels * sizeof(float));
  float *h_classes = (float *)malloc(results * sizeof(float));
  float *d_images, *d_first, *d_second, *d_classes;
  CHECK(cudaMalloc(&d_images, pixels * sizeof(float)));
  CHECK(cudaMalloc(&d_first, inner * sizeof(float)));
  CHECK(cudaMalloc(&d_second, inner * sizeof(float)));
  CHECK(cudaMalloc(&d_classes, results * sizeof(float)));

  std::vector<float> image = make_image(pixels);
  Times times(rounds);
  CHECK(cudaDeviceSynchronize()); // the weights have arrived
  double sum = 0;
  for (int round = 0; round < times.warm + rounds; round++) {
    double start = now_ms();
    memcpy(h_images, image.data(), pixels * sizeof(float));
    h_images[round % 64] += round * 0.001f;
    double filled = now_ms();
    CHECK(cudaMemcpy(d_images, h_images, pixels * sizeof(float), cudaMemcpyHostToDevice));
    first.run(handle, d_images, d_first);
    second.run(handle, d_first, d_second);
    classes.run(handle, d_second, d_classes);
    CHECK(cudaMemcpy(h_classes, d_classes, results * sizeof(float), cudaMemcpyDeviceToHost));
    double computed = now_ms();
    sum += checksum(h_classes, results);
    times.add(round, start, filled, computed, now_ms());
  }
  report("fcn", times, (pixels + results) * sizeof(float), sum, digest_of(h_classes, results));

  CHECK(cudaFree(d_classes));
  CHECK(cudaFree(d_second));
  CHECK(cudaFree(d_first));
  CHECK(cudaFree(d_images));
  free(h_classes);
  free(h_images);
  CHECK(cudnnDestroy(handle));
  return 0;
}
