// The host writes h while the kernel reads d.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    int *o;
    cudaMalloc(&o, bytes);
    cudaMemset(o, 0, bytes);
    add_to<<<8, 256>>>(d, o, n);
    for (int i = 0; i < n; i++) h[i] = 7;
    cudaMemcpy(h, o, bytes, cudaMemcpyDeviceToHost);
    s += weigh(h);
    printf("%ld\n", s);
}
