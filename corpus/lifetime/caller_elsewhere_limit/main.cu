// The host array is allocated here and used by a function in another file.
#include <cstdio>
#include <cstdlib>

#include "process.h"

int main() {
  const int n = 1 << 12;
  float* samples = (float*)malloc(n * sizeof(float));
  for (int i = 0; i < n; i++) samples[i] = i % 13;
  process(samples, n);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += samples[i] * (i % 7 + 1);
  printf("%.1f\n", sum);
  free(samples);
  return 0;
}
