// Static and dynamic shared memory, barriers, shuffles, atomics, a template kernel.
//= 479688 479688 479688 479688
#include <cstdio>
#include <vector>
template <int B> __global__ void tree(const int *in, int *out, int n) {
    __shared__ int s[B];
    int t = threadIdx.x, i = blockIdx.x * B + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = B / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void dynamic(const int *in, int *out, int n) {
    extern __shared__ int s[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        if (t < k) s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0) atomicAdd(out, s[0]);
}
__global__ void shuffles(const int *in, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i < n ? in[i] : 0;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}
int main() {
    const int n = 10007, blocks = (n + 255) / 256;
    std::vector<int> h(n), partial(blocks);
    long reference = 0;
    for (int i = 0; i < n; i++) reference += h[i] = i % 97;
    int *d, *o, *sums, r[2];
    cudaMalloc(&d, n * sizeof(int));
    cudaMalloc(&o, blocks * sizeof(int));
    cudaMalloc(&sums, sizeof r);
    cudaMemcpy(d, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(sums, 0, sizeof r);
    tree<256><<<blocks, 256>>>(d, o, n);
    dynamic<<<blocks, 256, 256 * sizeof(int)>>>(d, sums, n);
    shuffles<<<blocks, 256>>>(d, sums + 1, n);
    cudaMemcpy(partial.data(), o, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(r, sums, sizeof r, cudaMemcpyDeviceToHost);
    long s = 0;
    for (int x : partial) s += x;
    printf("%ld %d %d %ld\n", s, r[0], r[1], reference);
}
