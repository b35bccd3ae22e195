// Batched FFT: 1024 transforms of 2048 points (paper table 4, M2).
#include "common.h"
#include <cufft.h>
int main(int argc, char **argv) {
  const int points = 2048, batch = 1024;
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, points, CUFFT_C2C, batch));
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  CHECK(cufftSetStream(plan, cudaStreamPerThread)); // the library itself was built for the legacy stream
#endif
  size_t bytes = sizeof(cufftComplex) * points * batch;
  bench("fft", bytes, bytes, argc, argv, [&](void *in, void *out) {
    CHECK(cufftExecC2C(plan, (cufftComplex *)in, (cufftComplex *)out, CUFFT_FORWARD));
  });
  CHECK(cufftDestroy(plan));
}
