// Four streams that use each other's results, ordered by events; pinned memory; a callback; a polling loop.
//= 268435456.0 1 done
#include <cstdio>
__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
static void note(void *flag) { *(int *)flag = 1; }
int main() {
    const int n = 1 << 14, streams = 4, part = n / streams;
    float *x, *y, *dx, *dy;
    cudaMallocHost(&x, n * sizeof(float));
    cudaHostAlloc(&y, n * sizeof(float), cudaHostAllocDefault);
    for (int i = 0; i < n; i++) x[i] = i, y[i] = 1;
    cudaMalloc((void **)&dx, n * sizeof(float));
    cudaMalloc((void **)&dy, n * sizeof(float));
    cudaStream_t s[streams];
    cudaEvent_t e[streams];
    for (int i = 0; i < streams; i++) {
        cudaStreamCreateWithFlags(&s[i], i & 1 ? cudaStreamNonBlocking : cudaStreamDefault);
        cudaEventCreateWithFlags(&e[i], cudaEventDisableTiming);
    }
    for (int i = 0; i < streams; i++) {
        int at = i * part;
        cudaMemcpyAsync(dx + at, x + at, part * sizeof(float), cudaMemcpyHostToDevice, s[i]);
        cudaMemcpyAsync(dy + at, y + at, part * sizeof(float), cudaMemcpyHostToDevice, s[i]);
        saxpy<<<(part + 127) / 128, 128, 0, s[i]>>>(2, dx + at, dy + at, part);
        cudaEventRecord(e[i], s[i]);
    }
    for (int i = 0; i < streams; i++) {
        int other = (i + 1) % streams;
        cudaStreamWaitEvent(s[other], e[i], 0);
        cudaMemcpyAsync(y + i * part, dy + i * part, part * sizeof(float), cudaMemcpyDeviceToHost, s[other]);
    }
    static int flag = 0;
    cudaLaunchHostFunc(s[2], note, &flag);
    while (cudaStreamQuery(s[2]) == cudaErrorNotReady) {}
    for (int i = 0; i < streams; i++) cudaStreamSynchronize(s[i]);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += y[i];
    printf("%.1f %d %s\n", sum, flag, cudaGetLastError() == cudaSuccess ? "done" : "failed");
}
