// A small part of a parallel algorithms library: transform, with a policy that says whether it waits.
#pragma once
#include <cuda_runtime.h>

namespace algorithms {

struct Waiting {};
struct NotWaiting {};
static const Waiting par = {};
static const NotWaiting par_nosync = {};

template <typename T, typename Operation>
__global__ void transform_kernel(const T* first, T* result, int n, Operation operation) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) result[i] = operation(first[i]);
}

template <typename T, typename Operation>
void transform(NotWaiting, const T* first, const T* last, T* result, Operation operation) {
  int n = static_cast<int>(last - first);
  transform_kernel<<<(n + 255) / 256, 256>>>(first, result, n, operation);
}

template <typename T, typename Operation>
void transform(Waiting, const T* first, const T* last, T* result, Operation operation) {
  transform(par_nosync, first, last, result, operation);
  cudaStreamSynchronize(0);
}

}  // namespace algorithms
