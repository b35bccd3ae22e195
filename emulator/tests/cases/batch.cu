// A batch: a sound case, one that misses a wait, one that frees early.
#include "echo/batch.h"
const int n = 512;
__global__ void add(int *d, int k) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) d[i] += k; }
static unsigned long sum(const int *h) { unsigned long s = 0; for (int i = 0; i < n; i++) s = s * 31 + h[i]; return s; }
static int *filled(bool managed) {
    int *p;
    if (managed) cudaMallocManaged(&p, n * sizeof(int)); else p = (int *)malloc(n * sizeof(int));
    for (int i = 0; i < n; i++) p[i] = i;
    return p;
}
static unsigned long sound() {
    int *h = filled(false), *d;
    cudaMalloc(&d, n * sizeof(int));
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    add<<<8, 64>>>(d, 1);
    cudaMemcpy(h, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    return sum(h);
}
static unsigned long missing() {
    int *p = filled(true);
    add<<<8, 64>>>(p, 1);
    return sum(p);
}
static unsigned long freed() {
    int *p = filled(true);
    add<<<8, 64>>>(p, 1);
    cudaFree(p);
    return sum(p);
}
ECHO_BATCH({"sound", sound}, {"missing", missing}, {"freed", freed})
