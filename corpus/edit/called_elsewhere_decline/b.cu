// The old values of the host side are read after it was written: the copy is needed.
#include <cuda_runtime.h>

#include <cstdlib>

#include "util.h"

double other(int n) {
  float* h_w = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) h_w[i] = i;
  float* d_w;
  cudaMalloc(&d_w, n * sizeof(float));  //~ DECLINE S1 h_w/d_w
  upload(d_w, h_w, n * sizeof(float));
  h_w[3] = 0;
  cudaMemcpy(h_w, d_w, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = h_w[3];
  cudaFree(d_w);
  free(h_w);
  return sum;
}
