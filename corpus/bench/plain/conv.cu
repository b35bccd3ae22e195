// First convolution of ResNet-50: 8 x 3 x 224 x 224, 64 filters 7 x 7, stride 2 (paper table 4, M3).
#include "layer.h"

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  Layer layer(handle, 8, 3, 224, 224, 64, 7, 2);
  const size_t pixels = (size_t)8 * 3 * 224 * 224, results = (size_t)8 * 64 * 112 * 112;
  float *h_images = (float *)malloc(pixels * sizeof(float));
  float *h_maps = (float *)malloc(results * sizeof(float));
  float *d_images, *d_maps;
  CHECK(cudaMalloc(&d_images, pixels * sizeof(float)));
  CHECK(cudaMalloc(&d_maps, results * sizeof(float)));

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
    layer.run(handle, d_images, d_maps);
    CHECK(cudaMemcpy(h_maps, d_maps, results * sizeof(float), cudaMemcpyDeviceToHost));
    double computed = now_ms();
    sum += checksum(h_maps, results);
    times.add(round, start, filled, computed, now_ms());
  }
  report("conv", times, (pixels + results) * sizeof(float), sum, digest_of(h_maps, results));

  CHECK(cudaFree(d_maps));
  CHECK(cudaFree(d_images));
  free(h_maps);
  free(h_images);
  CHECK(cudnnDestroy(handle));
  return 0;
}
