// Warp operations among some of the lanes.
//= 55555555 aaaaaaaa 1 0 496 31 f0f0f0f0 16 3 ffff 2 1fff 13 0
#include <cstdio>
__global__ void ask(unsigned *out) {
    unsigned lane = threadIdx.x & 31;
    if (lane % 2 == 0) {
        unsigned m = __activemask();
        if (lane == 0) out[0] = m;
    } else {
        unsigned m = __ballot_sync(0xaaaaaaaa, 1);
        if (lane == 1) out[1] = m;
    }
    __syncwarp();
    unsigned any = __any_sync(~0u, lane == 7), all = __all_sync(~0u, lane == 7);
    unsigned sum = __reduce_add_sync(~0u, lane), most = __reduce_max_sync(~0u, lane);
    unsigned same = __match_any_sync(~0u, lane >> 2 & 1);
    int right = __shfl_xor_sync(~0u, (int)lane, 16);
    int up = __shfl_up_sync(~0u, (int)lane, 1, 4);
    if (lane == 0) out[2] = any, out[3] = all, out[4] = sum, out[5] = most, out[7] = right;
    if (lane == 4) out[6] = same;
    if (lane == 4 + 0) out[8] = up == 4 ? 3 : 0;
    // Lanes that ended do not take part any more.
    if (lane >= 16) return;
    unsigned left = __ballot_sync(~0u, 1);
    if (lane == 0) out[9] = left;
    // Each lane names others: those before it.
    unsigned before;
    asm("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
    unsigned odd = __ballot_sync(before, lane % 2);
    if (lane == 3) out[10] = odd;
    if (lane == 13) {
        out[11] = before;
        asm volatile("mov.u32 %0, %%laneid;" : "=r"(out[12]));
    }
    out[13] = 0;
    if (out[13]) asm("trap;");
}
int main() {
    unsigned *d, h[14];
    cudaMalloc(&d, sizeof h);
    ask<<<1, 32>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%x %x %u %u %u %u %x %u %u %x %x %x %u %u\n", h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8], h[9], h[10], h[11], h[12], h[13]);
}
