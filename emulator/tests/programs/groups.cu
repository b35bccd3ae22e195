// Cooperative groups: block, tile, coalesced lanes, a reduction, and the whole grid.
//= 2016 28 120 6 4096 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
namespace cg = cooperative_groups;
__global__ void parts(int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    auto eight = cg::tiled_partition<8>(block);
    int sum = cg::reduce(warp, (int)block.thread_rank(), cg::plus<int>());
    if (warp.thread_rank() == 0) atomicAdd(&out[0], sum);
    int of_eight = eight.thread_rank();
    for (int o = 4; o > 0; o /= 2) of_eight += eight.shfl_down(of_eight, o);
    if (block.thread_rank() == 8) out[1] = of_eight;
    block.sync();
    if (block.thread_rank() < 16) {
        cg::coalesced_group active = cg::coalesced_threads();
        int s = cg::reduce(active, (int)active.thread_rank(), cg::plus<int>());
        if (active.thread_rank() == 0) out[2] = s;
    }
    if (block.thread_rank() == 0) out[3] = eight.meta_group_size() - 2;
}
__global__ void whole(int *cells, int *out) {
    __shared__ int mine;
    cg::grid_group grid = cg::this_grid();
    if (threadIdx.x == 0) mine = blockIdx.x;
    cells[grid.thread_rank()] = 1;
    grid.sync();
    // Each thread reads what a thread of another block wrote before the barrier.
    atomicAdd(&out[4], cells[grid.size() - 1 - grid.thread_rank()]);
    grid.sync();
    if (mine != (int)blockIdx.x) out[5] = 1;
}
int main() {
    int *cells, *out, h[6];
    cudaMalloc(&cells, 4096 * sizeof(int));
    cudaMalloc(&out, sizeof h);
    cudaMemset(out, 0, sizeof h);
    cudaMemset(cells, 0, 4096 * sizeof(int));
    parts<<<1, 64>>>(out);
    void *arguments[] = {&cells, &out};
    cudaLaunchCooperativeKernel((void *)whole, dim3(32), dim3(128), arguments, 0, 0);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4], h[5]);
}
