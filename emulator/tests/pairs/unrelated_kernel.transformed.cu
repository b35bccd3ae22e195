// Sound byte for byte, but the host touches managed memory while some kernel runs.
#include "common.h"
int main() {
    long s = 0;
    int *p;
    cudaMallocManaged(&p, bytes);
    int *h = p, *d = p;
    for (int i = 0; i < n; i++) h[i] = i;
    int *o;
    cudaMalloc(&o, bytes);
    cudaMemset(o, 0, bytes);
    cudaDeviceSynchronize();
    add_to<<<8, 256>>>(o, o, n);
    s += weigh(h);
    cudaDeviceSynchronize();
    s += weigh(h);
    printf("%ld\n", s);
}
