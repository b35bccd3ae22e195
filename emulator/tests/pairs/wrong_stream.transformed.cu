// The wait is for another stream.
#include "common.h"
int main() {
    long s = 0;
    int *p;
    cudaMallocManaged(&p, bytes);
    int *h = p, *d = p;
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaDeviceSynchronize();
    twice<<<8, 256, 0, a>>>(d, n);
    cudaStreamSynchronize(b);
    s += weigh(h);
    printf("%ld\n", s);
}
