// What the files of the program have in common.
#pragma once
#include <cstdio>

inline void report(const float* v) {
#ifdef VERBOSE
  printf("%.1f\n", v[3]);
#endif
}
