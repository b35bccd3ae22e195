// What the pairs share: two kernels and a checksum that weighs positions.
#pragma once
#include <cstdio>
#include <cstdlib>
const int n = 2000;
const size_t bytes = n * sizeof(int);
__global__ void twice(int *d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] *= 2;
}
__global__ void add_to(const int *a, int *o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) o[i] += a[i];
}
static long weigh(const int *h) {
    long s = 0;
    for (int i = 0; i < n; i++) s += h[i] * (i % 5);
    return s;
}
