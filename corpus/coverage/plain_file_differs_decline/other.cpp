// Does not use CUDA.
#include "prepare.h"

void other(float* v) { prepare(v); }
