// First convolution of ResNet-50: 8 x 3 x 224 x 224, 64 filters 7 x 7, stride 2 (paper table 4, M3).
#include "layer.h"
int main(int argc, char **argv) {
  cudnnHandle_t handle;
  CHECK(cudnnCreate(&handle));
  Layer layer(handle, 8, 3, 224, 224, 64, 7, 2);
  bench("conv", sizeof(float) * 8 * 3 * 224 * 224, layer.out_bytes, argc, argv,
        [&](void *in, void *out) { layer.run(handle, in, out); });
}
