// Device code that driver.cu loads as a module.
extern "C" __device__ int offset;
__device__ int offset = 100;
extern "C" __global__ void add(int *d, int n, short k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) d[i] += k + offset;
}
