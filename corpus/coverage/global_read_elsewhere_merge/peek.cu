// Does not use CUDA.
#include "peek.h"

static float* h_v = nullptr;
float peek() { return h_v ? h_v[3] : 0.0f; }
