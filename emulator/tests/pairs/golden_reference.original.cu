// The host reads its input again after the kernel wrote d: ordered, so no race.
#include "common.h"
int main() {
    long s = 0;
    int *h = (int *)malloc(bytes), *d;
    cudaMalloc(&d, bytes);
    for (int i = 0; i < n; i++) h[i] = i;
    cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
    twice<<<8, 256>>>(d, n);
    int *r = (int *)malloc(bytes);
    cudaMemcpy(r, d, bytes, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) s += r[i] - 2 * h[i];
    s += weigh(h);
    printf("%ld\n", s);
}
