// The block is freed at the first of the two frees.
#include "common.h"
int main() {
    long s = 0;
    int *p;
    cudaMallocManaged(&p, bytes);
    int *h = p, *d = p;
    for (int i = 0; i < n; i++) h[i] = i;
    twice<<<8, 256>>>(d, n);
    cudaDeviceSynchronize();
    cudaFree(d);
    s += weigh(h);
    printf("%ld\n", s);
}
