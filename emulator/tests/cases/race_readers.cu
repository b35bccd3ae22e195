// Two streams read a buffer; a write is ordered after only one of them. Which one is missed must not matter.
#include <cstdio>
#include <cstdlib>
__global__ void read(const int *d, int *o) { o[threadIdx.x] = d[threadIdx.x]; }
__global__ void write(int *d) { d[threadIdx.x] = 1; }
int main(int argc, char **argv) {
    int waited = argc > 1 ? atoi(argv[1]) : 2, *d, *o;
    cudaMalloc(&d, 128), cudaMalloc(&o, 256);
    cudaMemset(d, 0, 128);
    cudaDeviceSynchronize();
    cudaStream_t s[3];
    cudaEvent_t e[2];
    for (int i = 0; i < 3; i++) cudaStreamCreateWithFlags(&s[i], cudaStreamNonBlocking);
    for (int i = 0; i < 2; i++) {
        cudaEventCreate(&e[i]);
        read<<<1, 32, 0, s[i]>>>(d, o + 32 * i);
        cudaEventRecord(e[i], s[i]);
    }
    for (int i = 0; i < 2; i++) if (waited == i || waited == 2) cudaStreamWaitEvent(s[2], e[i], 0);
    write<<<1, 32, 0, s[2]>>>(d);
    cudaDeviceSynchronize();
    printf("done\n");
}
