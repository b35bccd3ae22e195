// A graph recorded from a stream does nothing until it is launched, and then the same each time.
//= recorded 3: 0 0
//= launched 3 times: 7 511
//= ended: 15 1023
#include <cstdio>
#include <cstdlib>
__global__ void grow(int *v, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] = 2 * v[i] + 1;
}
static void later(void *data) { *(int *)data += 1; }
int main() {
    const int n = 64;
    int *h = (int *)malloc(n * sizeof(int)), *d, *other;
    int calls = 0;
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&other, n * sizeof(int));
    for (int i = 0; i < n; i++) h[i] = i == 63 ? 63 : 0;
    cudaMemcpy(d, h, n * sizeof(int), cudaMemcpyHostToDevice);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    cudaStreamCaptureStatus status;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    grow<<<2, 32, 0, s>>>(d, n);
    cudaLaunchHostFunc(s, later, &calls);
    cudaMemcpyAsync(h, d, n * sizeof(int), cudaMemcpyDeviceToHost, s);
    cudaStreamIsCapturing(s, &status);
    if (status != cudaStreamCaptureStatusActive) return 1;
    if (cudaStreamSynchronize(s) != cudaErrorStreamCaptureUnsupported) return 2;
    cudaStreamEndCapture(s, &graph);
    size_t nodes = 0;
    cudaGraphGetNodes(graph, nullptr, &nodes);
    cudaStreamSynchronize(s);
    printf("recorded %zu: %d %d\n", nodes, h[0], calls);
    cudaGraphInstantiate(&ready, graph, nullptr, nullptr, 0);
    cudaGraphDestroy(graph);
    for (int round = 0; round < 3; round++) cudaGraphLaunch(ready, s);
    cudaStreamSynchronize(s);
    printf("launched %d times: %d %d\n", calls, h[0], h[63]);
    // Work that was launched goes on without the handle.
    cudaGraphLaunch(ready, s);
    cudaGraphExecDestroy(ready);
    cudaStreamSynchronize(s);
    printf("ended: %d %d\n", h[0], h[63]);
    if (cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) == cudaSuccess) return 3;
    return 0;
}
