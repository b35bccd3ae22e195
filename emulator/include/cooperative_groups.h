// Cooperative groups: blocks, tiles of a warp, coalesced lanes, the grid.
#pragma once
#include "cuda_runtime.h"
namespace cooperative_groups {
enum echo_group_kind { echo_group_block, echo_group_lanes, echo_group_grid };
// Any group: what is known at run time only.
struct thread_group {
    echo_group_kind kind;
    unsigned mask;
    __device__ thread_group(echo_group_kind kind, unsigned mask) : kind(kind), mask(mask) {}
    __device__ static unsigned echo_rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
    __device__ static unsigned echo_block_size() { return blockDim.x * blockDim.y * blockDim.z; }
    __device__ static unsigned long long echo_block_rank() { return blockIdx.x + (unsigned long long)gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z); }
    __device__ unsigned long long size() const { return kind == echo_group_block ? echo_block_size() : kind == echo_group_lanes ? __popc(mask) : (unsigned long long)echo_block_size() * gridDim.x * gridDim.y * gridDim.z; }
    __device__ unsigned long long num_threads() const { return size(); }
    __device__ unsigned long long thread_rank() const {
        return kind == echo_group_block ? echo_rank_in_block() : kind == echo_group_lanes ? __popc(mask & ((1u << echo_lane()) - 1)) : echo_block_rank() * echo_block_size() + echo_rank_in_block();
    }
    __device__ void sync() const { if (kind == echo_group_block) __syncthreads(); else if (kind == echo_group_lanes) __syncwarp(mask); else echo_grid_sync(); }
    __device__ bool is_valid() const { return true; }
};
struct thread_block : thread_group {
    __device__ thread_block() : thread_group(echo_group_block, 0) {}
    __device__ static void sync() { __syncthreads(); }
    __device__ static unsigned thread_rank() { return echo_rank_in_block(); }
    __device__ static unsigned size() { return echo_block_size(); }
    __device__ static unsigned num_threads() { return echo_block_size(); }
    __device__ static dim3 group_index() { return dim3(blockIdx); }
    __device__ static dim3 thread_index() { return dim3(threadIdx); }
    __device__ static dim3 group_dim() { return blockDim; }
    __device__ static dim3 dim_threads() { return blockDim; }
};
struct grid_group : thread_group {
    __device__ grid_group() : thread_group(echo_group_grid, 0) {}
    __device__ static dim3 group_dim() { return gridDim; }
    __device__ static dim3 dim_blocks() { return gridDim; }
    __device__ static unsigned long long num_blocks() { return (unsigned long long)gridDim.x * gridDim.y * gridDim.z; }
    __device__ static unsigned long long block_rank() { return echo_block_rank(); }
};
ECHO_DEVICE thread_block this_thread_block() { return thread_block(); }
ECHO_DEVICE grid_group this_grid() { return grid_group(); }
// Shuffles and votes among the lanes of a mask; ranks count within it.
struct echo_lanes : thread_group {
    __device__ explicit echo_lanes(unsigned mask) : thread_group(echo_group_lanes, mask) {}
    __device__ int echo_lane_of(unsigned rank) const { return (int)__fns(mask, 0, (int)rank + 1); }
    template <class T> __device__ T shfl(T v, unsigned rank) const { return echo_exchange(mask, ECHO_SHFL, v, echo_lane_of(rank % (unsigned)size())); }
    template <class T> __device__ T shfl_up(T v, unsigned d) const { unsigned r = (unsigned)thread_rank(); return echo_exchange(mask, ECHO_SHFL + 1, v, r < d ? echo_lane() : echo_lane_of(r - d)); }
    template <class T> __device__ T shfl_down(T v, unsigned d) const { unsigned r = (unsigned)thread_rank(); return echo_exchange(mask, ECHO_SHFL + 2, v, r + d >= size() ? echo_lane() : echo_lane_of(r + d)); }
    template <class T> __device__ T shfl_xor(T v, unsigned x) const { unsigned r = (unsigned)thread_rank() ^ x; return echo_exchange(mask, ECHO_SHFL + 3, v, r >= size() ? echo_lane() : echo_lane_of(r)); }
    __device__ unsigned echo_pack(unsigned lanes) const {
        unsigned r = 0, n = 0;
        for (int i = 0; i < 32; i++) if (mask >> i & 1) { r |= (lanes >> i & 1) << n; n++; }
        return r;
    }
    __device__ unsigned ballot(int p) const { return echo_pack(__ballot_sync(mask, p)); }
    __device__ int any(int p) const { return __any_sync(mask, p); }
    __device__ int all(int p) const { return __all_sync(mask, p); }
    template <class T> __device__ unsigned match_any(T v) const { return echo_pack(__match_any_sync(mask, v)); }
    __device__ unsigned meta_group_rank() const { return 0; }
    __device__ unsigned meta_group_size() const { return 1; }
};
typedef echo_lanes coalesced_group;
ECHO_DEVICE coalesced_group coalesced_threads() { return coalesced_group(__activemask()); }
ECHO_DEVICE unsigned echo_tile_mask(unsigned n) {
    unsigned first = thread_group::echo_rank_in_block() / 32 * 32, left = thread_group::echo_block_size() - first;
    unsigned warp = left >= 32 ? ~0u : (1u << left) - 1;
    return n >= 32 ? warp : (((1u << n) - 1) << (echo_lane() & ~(n - 1))) & warp;
}
template <unsigned N, class Parent = void> struct thread_block_tile : echo_lanes {
    static_assert(N <= 32, "tiles larger than a warp are not supported");
    __device__ thread_block_tile() : echo_lanes(echo_tile_mask(N)) {}
    template <class P> __device__ thread_block_tile(const thread_block_tile<N, P> &) : thread_block_tile() {}
    __device__ static constexpr unsigned size() { return N; }
    __device__ static constexpr unsigned num_threads() { return N; }
    __device__ static unsigned thread_rank() { return echo_lane() & (N - 1); }
    __device__ static unsigned meta_group_rank() { return echo_rank_in_block() / N; }
    __device__ static unsigned meta_group_size() { return (echo_block_size() + N - 1) / N; }
};
template <unsigned N, class G> __device__ inline thread_block_tile<N, G> tiled_partition(const G &) { return thread_block_tile<N, G>(); }
ECHO_DEVICE thread_group tiled_partition(const thread_group &, unsigned n) { return thread_group(echo_group_lanes, echo_tile_mask(n)); }
template <class G> __device__ inline coalesced_group binary_partition(const G &g, bool p) { unsigned yes = __ballot_sync(g.mask, p); return coalesced_group(p ? yes : g.mask & ~yes); }
template <class G> __device__ inline coalesced_group labeled_partition(const G &g, int label) { return coalesced_group(__match_any_sync(g.mask, label)); }
template <class G> __device__ inline void sync(const G &g) { g.sync(); }
template <class G> __device__ inline unsigned long long thread_rank(const G &g) { return g.thread_rank(); }
template <class G> __device__ inline unsigned long long group_size(const G &g) { return g.size(); }
// Copies by the group; complete at the wait, here at once.
template <class G, class T, class U> __device__ inline void memcpy_async(const G &g, T *to, const U *from, size_t bytes) {
    for (size_t i = g.thread_rank(); i < bytes; i += g.size()) ((char *)to)[i] = ((const char *)from)[i];
}
template <class G> __device__ inline void wait(const G &g) { g.sync(); }
}
