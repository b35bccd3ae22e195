// The elements' constructors run after the kernel has written its result, and before the read-back.
// Case G-12.
#include <cstdio>
#include <cstdlib>

template <typename T>
struct Interval {
  Interval() : low(T(-1)), high(T(1)) {}
  T low, high;
};

__global__ void widen(Interval<float>* intervals, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) intervals[i].high += intervals[i].low;
}

int main() {
  const int n = 4096;
  Interval<float>* d_intervals;
  cudaMalloc((void**)&d_intervals, n * sizeof(Interval<float>));
  cudaMemset(d_intervals, 0, n * sizeof(Interval<float>));
  widen<<<n / 256, 256>>>(d_intervals, n);
  cudaDeviceSynchronize();
  Interval<float>* h_intervals = new Interval<float>[n];
  //~ NONE objects with constructors are no candidates
  cudaMemcpy(h_intervals, d_intervals, n * sizeof(Interval<float>), cudaMemcpyDeviceToHost);
  double sum = 0;
  for (int i = 0; i < n; i++) sum += h_intervals[i].high;
  printf("%.3f\n", sum);
  cudaFree(d_intervals);
  delete[] h_intervals;
  return 0;
}
