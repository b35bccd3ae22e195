// Does not use CUDA.
#include <cstdio>

static float* h_v;
struct Last {
  ~Last() {
    if (h_v) printf("%.1f\n", h_v[3]);
  }
} last;
