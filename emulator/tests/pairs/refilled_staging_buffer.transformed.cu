// The host refills the buffer while the kernel of the round before reads it.
#include "common.h"
int main() {
    long s = 0;
    int *p;
    cudaMallocManaged(&p, bytes);
    int *h = p, *d = p;
    int *o;
    cudaMalloc(&o, bytes);
    cudaMemset(o, 0, bytes);
    for (int r = 0; r < 4; r++) {
        for (int i = 0; i < n; i++) h[i] = i + r;
        add_to<<<8, 256>>>(d, o, n);
    }
    cudaMemcpy(h, o, bytes, cudaMemcpyDeviceToHost);
    s += weigh(h);
    printf("%ld\n", s);
}
