// Cooperative groups.
#ifndef ECHO_COOPERATIVE_GROUPS_H
#define ECHO_COOPERATIVE_GROUPS_H
#include "echo_cuda.h"
#ifdef __CUDA__
namespace cooperative_groups {

struct thread_group {
    ECHO_D void sync() const;
    ECHO_D unsigned long long size() const;
    ECHO_D unsigned long long num_threads() const;
    ECHO_D unsigned long long thread_rank() const;
    ECHO_D bool is_valid() const;
};
struct arrival_token {};

struct thread_block : thread_group {
    static ECHO_D void sync();
    ECHO_D arrival_token barrier_arrive() const;
    ECHO_D void barrier_wait(arrival_token &&token) const;
    static ECHO_D unsigned int thread_rank();
    static ECHO_D unsigned int num_threads();
    static ECHO_D unsigned int size();
    static ECHO_D dim3 group_index();
    static ECHO_D dim3 thread_index();
    static ECHO_D dim3 group_dim();
    static ECHO_D dim3 dim_threads();
};

struct grid_group : thread_group {
    ECHO_D void sync() const;
    ECHO_D arrival_token barrier_arrive() const;
    ECHO_D void barrier_wait(arrival_token &&token) const;
    ECHO_D bool is_valid() const;
    ECHO_D unsigned long long num_blocks() const;
    ECHO_D unsigned long long block_rank() const;
    ECHO_D unsigned long long cluster_rank() const;
    ECHO_D dim3 dim_blocks() const;
    ECHO_D dim3 block_index() const;
    static ECHO_D dim3 group_dim();
};

struct multi_grid_group : thread_group {
    ECHO_D unsigned int num_grids() const;
    ECHO_D unsigned int grid_rank() const;
};

struct cluster_group : thread_group {
    static ECHO_D void sync();
    static ECHO_D arrival_token barrier_arrive();
    static ECHO_D void barrier_wait(arrival_token &&token);
    static ECHO_D unsigned int block_rank();
    static ECHO_D unsigned int num_blocks();
    static ECHO_D dim3 block_index();
    static ECHO_D dim3 dim_blocks();
    template <class T> static ECHO_D T *map_shared_rank(T *pointer, int rank);
};

// Warp operations of coalesced groups and tiles.
struct warp_group : thread_group {
    template <class T> ECHO_D T shfl(T value, int lane) const;
    template <class T> ECHO_D T shfl_up(T value, unsigned int delta) const;
    template <class T> ECHO_D T shfl_down(T value, unsigned int delta) const;
    template <class T> ECHO_D T shfl_xor(T value, unsigned int mask) const;
    ECHO_D int any(int predicate) const;
    ECHO_D int all(int predicate) const;
    ECHO_D unsigned int ballot(int predicate) const;
    template <class T> ECHO_D unsigned int match_any(T value) const;
    template <class T> ECHO_D unsigned int match_all(T value, int &predicate) const;
    ECHO_D unsigned int meta_group_rank() const;
    ECHO_D unsigned int meta_group_size() const;
};
struct coalesced_group : warp_group {};
template <unsigned int size_, class Parent = void> struct thread_block_tile : warp_group {
    ECHO_D thread_block_tile() = default;
    template <class Other> ECHO_D thread_block_tile(const thread_block_tile<size_, Other> &other);
    static ECHO_D unsigned long long size();
    static ECHO_D unsigned long long num_threads();
};
template <unsigned int size> struct block_tile_memory { char bytes[8 * size]; };

ECHO_D thread_block this_thread_block();
template <unsigned int size> ECHO_D thread_block this_thread_block(block_tile_memory<size> &memory);
ECHO_D grid_group this_grid();
ECHO_D multi_grid_group this_multi_grid();
ECHO_D cluster_group this_cluster();
ECHO_D coalesced_group coalesced_threads();
ECHO_D thread_group tiled_partition(const thread_group &parent, unsigned int size);
template <unsigned int size, class Parent> ECHO_D thread_block_tile<size, Parent> tiled_partition(const Parent &parent);
template <class Tile> ECHO_D coalesced_group labeled_partition(const Tile &tile, int label);
template <class Tile> ECHO_D coalesced_group binary_partition(const Tile &tile, bool predicate);
template <class Group> ECHO_D void sync(Group &&group);

template <class T> struct plus {
    ECHO_HD T operator()(T x, T y) const;
};
template <class T> struct less {
    ECHO_HD T operator()(T x, T y) const;
};
template <class T> struct greater {
    ECHO_HD T operator()(T x, T y) const;
};
template <class T> struct bit_and {
    ECHO_HD T operator()(T x, T y) const;
};
template <class T> struct bit_or {
    ECHO_HD T operator()(T x, T y) const;
};
template <class T> struct bit_xor {
    ECHO_HD T operator()(T x, T y) const;
};
template <class Group, class T, class Operation> ECHO_D T reduce(const Group &group, T value, Operation operation);
template <class Group, class T, class Operation>
ECHO_D void reduce_update_async(const Group &group, T &target, T value, Operation operation);
template <class Group, class T> ECHO_D T inclusive_scan(const Group &group, T value);
template <class Group, class T, class Operation>
ECHO_D T inclusive_scan(const Group &group, T value, Operation operation);
template <class Group, class T> ECHO_D T exclusive_scan(const Group &group, T value);
template <class Group, class T, class Operation>
ECHO_D T exclusive_scan(const Group &group, T value, Operation operation);
template <class Group, class T, class Size>
ECHO_D void memcpy_async(const Group &group, T *to, const T *from, const Size &size);
template <class Group, class T, class ToLayout, class FromLayout>
ECHO_D void memcpy_async(const Group &group, T *to, const ToLayout &to_size, const T *from, const FromLayout &from_size);
template <class Group> ECHO_D void wait(const Group &group);
template <unsigned int stages, class Group> ECHO_D void wait_prior(const Group &group);
template <class Group, class Function> ECHO_D void invoke_one(const Group &group, Function function);

namespace details {
template <unsigned int size> ECHO_D bool is_power_of_two();
}
}
#endif
#endif
