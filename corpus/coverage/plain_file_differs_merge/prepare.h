// What it does depends on the file that includes it.
#pragma once
static inline void prepare(float* v) {
#ifndef READ_ONLY
  v[3] = 77;
#endif
}
