// Declarations are in cuda_runtime_api.h.
#pragma once
#include "cuda_runtime.h"
