// The wait is for another stream.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    twice<<<8, 256, 0, a>>>(d, n);
    cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, a);
    cudaStreamSynchronize(a);
    s += weigh(h);
    printf("%ld\n", s);
}
