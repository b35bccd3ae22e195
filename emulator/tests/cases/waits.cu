// Does a call wait for a kernel that is pending? Usage: program STREAM CALL, with STREAM legacy, blocking or
// non-blocking (where the kernel is). Prints "waited" or "did not wait".
#include <cstdio>
#include <cstdlib>
#include <cstring>
__global__ void busy(int *d) { d[0] = 1; }
int main(int argc, char **argv) {
    if (argc < 3) return 2;
    const size_t n = 4096;
    cudaStream_t s = 0;
    if (!strcmp(argv[1], "blocking")) cudaStreamCreate(&s);
    if (!strcmp(argv[1], "non-blocking")) cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    char *device, *other, *managed, *pinned, *pageable = (char *)malloc(n);
    int *flag;
    cudaMalloc(&device, n), cudaMalloc(&other, n), cudaMalloc(&flag, sizeof(int));
    cudaMallocManaged(&managed, n), cudaMallocHost(&pinned, n);
    memset(pageable, 0, n), memset(managed, 0, n), memset(pinned, 0, n);
    cudaMemset(device, 0, n), cudaMemset(other, 0, n);
    cudaDeviceSynchronize();
    cudaEvent_t after;
    cudaEventCreate(&after);
    busy<<<1, 1, 0, s>>>(flag);
    cudaEventRecord(after, s);
    const char *call = argv[2];
#define CALL(NAME, ...) if (!strcmp(call, NAME)) { __VA_ARGS__; }
    CALL("H2D pageable", cudaMemcpy(device, pageable, n, cudaMemcpyHostToDevice))
    CALL("H2D pinned", cudaMemcpy(device, pinned, n, cudaMemcpyHostToDevice))
    CALL("D2H pageable", cudaMemcpy(pageable, device, n, cudaMemcpyDeviceToHost))
    CALL("D2D", cudaMemcpy(other, device, n, cudaMemcpyDeviceToDevice))
    CALL("D2D managed", cudaMemcpy(managed, device, n, cudaMemcpyDeviceToDevice))
    CALL("Default managed", cudaMemcpy(managed, pageable, n, cudaMemcpyDefault))
    CALL("memset device", cudaMemset(device, 1, n))
    CALL("memset managed", cudaMemset(managed, 1, n))
    CALL("memset pinned", cudaMemset(pinned, 1, n))
    CALL("sync legacy", cudaStreamSynchronize(0))
    CALL("sync legacy handle", cudaStreamSynchronize(cudaStreamLegacy))
    CALL("free", cudaFree(other))
    CALL("free managed", cudaFree(managed))
    CALL("free pinned", cudaFreeHost(pinned))
    CALL("malloc", char *more; cudaMalloc(&more, n))
    CALL("malloc managed", char *more; cudaMallocManaged(&more, n))
    CALL("async H2D pinned", cudaMemcpyAsync(device, pinned, n, cudaMemcpyHostToDevice, s))
    CALL("async D2H pinned", cudaMemcpyAsync(pinned, device, n, cudaMemcpyDeviceToHost, s))
    // A deferred kernel is still pending unless the call waited for it.
    printf("%s\n", cudaEventQuery(after) == cudaSuccess ? "waited" : "did not wait");
}
