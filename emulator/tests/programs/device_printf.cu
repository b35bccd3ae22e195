// printf of device code appears when the host has synchronized, in order of submission.
//= host 1
//= block 0 of 2: 1.5 x
//= block 1 of 2: 1.5 x
//= host 2
//= 0123456789 many 1 2.5 3 4.5 5 6.5 7 8.5 9 10.5
#include <cstdio>
__global__ void hello(double v, const char *) { printf("block %d of %d: %.1f %c\n", blockIdx.x, gridDim.x, v, 'x'); }
__global__ void many() { printf("%s many %d %g %d %g %d %g %d %g %d %g\n", "0123456789", 1, 2.5, 3, 4.5, 5, 6.5, 7, 8.5, 9, 10.5); }
int main() {
    hello<<<2, 1>>>(1.5, nullptr);
    printf("host 1\n");
    cudaDeviceSynchronize();
    printf("host 2\n");
    many<<<1, 1>>>();
    cudaDeviceSynchronize();
}
