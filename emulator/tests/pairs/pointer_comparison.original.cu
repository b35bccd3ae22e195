// The program can tell that the two pointers are one.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    twice<<<8, 256>>>(d, n);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
    if (h == d) s = 1;
    s += weigh(h);
    printf("%ld\n", s);
}
