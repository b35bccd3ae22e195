// Wrong programs, one per argument: each must be stopped with the right code.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <thread>
__global__ void write(int *p, int i) { p[i] = 1; }
__global__ void check(int *p) { assert(p == nullptr); }
__global__ void give_up(int *p) { if (p) asm("trap;"); }
void wait(void *) { cudaDeviceSynchronize(); }
void print(void *p) { printf("%d\n", *(int *)p); }
int main(int argc, char **argv) {
    if (argc < 2) return 2;
    int *d, *h = (int *)malloc(400), *managed;
    cudaMalloc(&d, 400);
    cudaMallocManaged(&managed, 400);
    // Large enough for huge pages; blocks end at a multiple of 256 bytes.
    int *large;
    cudaMalloc(&large, 3000000);
    const int end = 3000064 / sizeof(int);
    h[0] = 1;
    const char *fault = argv[1];
    if (!strcmp(fault, "kernel-host")) write<<<1, 1>>>(h, 0);
    if (!strcmp(fault, "kernel-beyond")) write<<<1, 1>>>(d, 100 + 1100);
    if (!strcmp(fault, "kernel-end-large")) write<<<1, 1>>>(large, end - 1);
    if (!strcmp(fault, "kernel-beyond-large")) write<<<1, 1>>>(large, end);
    if (!strcmp(fault, "host-large")) printf("%d\n", large[0]);
    if (!strcmp(fault, "freed-large")) cudaFree(large), write<<<1, 1>>>(large, 0);
    if (!strcmp(fault, "kernel-freed")) cudaFree(d), write<<<1, 1>>>(d, 0);
    if (!strcmp(fault, "host-device")) printf("%d\n", d[0]);
    if (!strcmp(fault, "host-freed")) free(h), printf("%d\n", h[0]);
    if (!strcmp(fault, "double-free")) cudaFree(d), cudaFree(d);
    if (!strcmp(fault, "copy-beyond")) cudaMemcpy(d, h, 404, cudaMemcpyHostToDevice);
    if (!strcmp(fault, "managed-busy")) write<<<1, 1>>>(d, 0), printf("%d\n", managed[0]);
    if (!strcmp(fault, "managed-attached")) {
        cudaStream_t s;
        cudaStreamCreate(&s);
        cudaStreamAttachMemAsync(s, managed, 0, cudaMemAttachSingle);
        managed[0] = 5;
        write<<<1, 1>>>(d, 0);
        printf("%d\n", managed[0]);
    }
    if (!strncmp(fault, "function", 8)) {
        cudaStream_t s, other;
        cudaStreamCreate(&s), cudaStreamCreate(&other);
        if (!strcmp(fault, "function-busy")) write<<<1, 1, 0, other>>>(d, 0);
        write<<<1, 1, 0, s>>>(managed, 0);
        cudaLaunchHostFunc(s, print, managed);
        write<<<1, 1, 0, s>>>(d, 1);
    }
    if (!strcmp(fault, "waiting-function")) cudaLaunchHostFunc(0, wait, nullptr);
    if (!strcmp(fault, "kernel-assert")) check<<<1, 1>>>(d);
    if (!strcmp(fault, "kernel-trap")) give_up<<<1, 1>>>(d);
    if (!strcmp(fault, "thread")) {
        std::mutex mutex;
        mutex.lock();
        std::thread([&] { mutex.lock(); }).join();
    }
    cudaDeviceSynchronize();
}
