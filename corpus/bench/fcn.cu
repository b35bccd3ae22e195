// Segmentation-like pipeline: 8 images of 3 x 512 x 512 through three layers to 21 class maps.
#include "layer.h"
int main(int argc, char **argv) {
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  Layer first(handle, 8, 3, 512, 512, 64, 7, 2);
  Layer second(handle, 8, 64, first.h, first.w, 64, 3, 1);
  Layer classes(handle, 8, 64, second.h, second.w, 21, 1, 1);
  void *a, *b;
  CHECK(cudaMalloc(&a, first.out_bytes));
  CHECK(cudaMalloc(&b, second.out_bytes));
  bench("fcn", sizeof(float) * 8 * 3 * 512 * 512, classes.out_bytes, argc, argv, [&](void *in, void *out) {
    first.run(handle, in, a);
    second.run(handle, a, b);
    classes.run(handle, b, out);
  });
}
