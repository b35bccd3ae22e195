// Sound byte for byte, but the host touches managed memory while some kernel runs.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    for (int i = 0; i < n; i++) h[i] = i;
    int *o;
    cudaMalloc(&o, bytes);
    cudaMemset(o, 0, bytes);
    cudaDeviceSynchronize();
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    add_to<<<8, 256>>>(o, o, n);
    s += weigh(h);
    cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
    s += weigh(h);
    printf("%ld\n", s);
}
