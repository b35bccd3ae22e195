// Batched FFT: 1024 transforms of 2048 points (paper table 4, M2).
#include "measure.h"
#include <cufft.h>

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  const int points = 2048, batch = 1024;
  const size_t bytes = sizeof(cufftComplex) * points * batch, floats = bytes / sizeof(float);
  float *h_signal = (float *)malloc(bytes);
  float *h_spectrum = (float *)malloc(bytes);
  float *d_signal, *d_spectrum;
  CHECK(cudaMalloc(&d_signal, bytes));
  CHECK(cudaMalloc(&d_spectrum, bytes));
  cufftHandle plan;
  CHECK(cufftPlan1d(&plan, points, CUFFT_C2C, batch));

  std::vector<float> image = make_image(floats);
  Times times(rounds);
  double sum = 0;
  for (int round = 0; round < times.warm + rounds; round++) {
    double start = now_ms();
    memcpy(h_signal, image.data(), bytes);
    h_signal[round % 64] += round * 0.001f;
    double filled = now_ms();
    CHECK(cudaMemcpy(d_signal, h_signal, bytes, cudaMemcpyHostToDevice));
    CHECK(cufftExecC2C(plan, (cufftComplex *)d_signal, (cufftComplex *)d_spectrum, CUFFT_FORWARD));
    CHECK(cudaMemcpy(h_spectrum, d_spectrum, bytes, cudaMemcpyDeviceToHost));
    double computed = now_ms();
    sum += checksum(h_spectrum, floats);
    times.add(round, start, filled, computed, now_ms());
  }
  report("fft", times, 2 * bytes, sum, digest_of(h_spectrum, floats));

  CHECK(cufftDestroy(plan));
  CHECK(cudaFree(d_spectrum));
  CHECK(cudaFree(d_signal));
  free(h_spectrum);
  free(h_signal);
  return 0;
}
