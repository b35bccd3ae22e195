// The copy back is deleted and nothing waits in its place.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    twice<<<8, 256>>>(d, n);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
    s += weigh(h);
    printf("%ld\n", s);
}
