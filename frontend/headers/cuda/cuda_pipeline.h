// Asynchronous copies to shared memory, and the pieces of libcu++ that kernels use.
#ifndef ECHO_CUDA_PIPELINE_H
#define ECHO_CUDA_PIPELINE_H
#include "cooperative_groups.h"
#if defined(__CUDA__)
namespace cuda {
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread };
template <size_t alignment> struct aligned_size_t {
    size_t value;
    ECHO_HD explicit constexpr aligned_size_t(size_t size) : value(size) {}
    ECHO_HD constexpr operator size_t() const { return value; }
};
template <thread_scope scope, unsigned char stages = 1> struct pipeline_shared_state {
    ECHO_D pipeline_shared_state();
};
template <thread_scope scope> struct pipeline {
    ECHO_D void producer_acquire();
    ECHO_D void producer_commit();
    ECHO_D void consumer_wait();
    ECHO_D void consumer_release();
    ECHO_D bool quit();
};
ECHO_D pipeline<thread_scope_thread> make_pipeline();
template <class Group, thread_scope scope, unsigned char stages>
ECHO_D pipeline<scope> make_pipeline(const Group &group, pipeline_shared_state<scope, stages> *state);
template <unsigned char prior, thread_scope scope> ECHO_D void pipeline_consumer_wait_prior(pipeline<scope> &p);
template <thread_scope scope = thread_scope_system> struct barrier {
    using arrival_token = unsigned long long;
    ECHO_HD barrier();
    ECHO_HD barrier(long expected);
    ECHO_HD arrival_token arrive(long update = 1);
    ECHO_HD void wait(arrival_token &&token) const;
    ECHO_HD void arrive_and_wait();
    ECHO_HD void arrive_and_drop();
};
template <thread_scope scope> ECHO_D void init(barrier<scope> *b, long expected);
template <class T, class Size, class Sync> ECHO_D void memcpy_async(T *to, const T *from, Size size, Sync &sync);
template <class Group, class T, class Size, class Sync>
ECHO_D void memcpy_async(const Group &group, T *to, const T *from, Size size, Sync &sync);
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel,
    memory_order_seq_cst
};
template <class T, thread_scope scope = thread_scope_system> struct atomic {
    ECHO_HD atomic();
    ECHO_HD constexpr atomic(T value);
    ECHO_HD T load(memory_order order = memory_order_seq_cst) const;
    ECHO_HD void store(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T exchange(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD bool compare_exchange_weak(T &expected, T value, memory_order order = memory_order_seq_cst);
    ECHO_HD bool compare_exchange_weak(T &expected, T value, memory_order success, memory_order failure);
    ECHO_HD bool compare_exchange_strong(T &expected, T value, memory_order order = memory_order_seq_cst);
    ECHO_HD bool compare_exchange_strong(T &expected, T value, memory_order success, memory_order failure);
    ECHO_HD T fetch_add(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_sub(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_and(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_or(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_xor(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_min(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD T fetch_max(T value, memory_order order = memory_order_seq_cst);
    ECHO_HD operator T() const;
    ECHO_HD T operator=(T value);
    ECHO_HD T operator++();
    ECHO_HD T operator++(int);
    ECHO_HD T operator+=(T value);
};
template <class T, thread_scope scope = thread_scope_system> struct atomic_ref : atomic<T, scope> {
    ECHO_HD explicit atomic_ref(T &target);
};
ECHO_HD void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system);
namespace std {
using namespace ::std;
}
}
namespace nvcuda {
namespace experimental {
struct pipeline {
    ECHO_D size_t commit();
    ECHO_D void wait_prior(size_t prior);
    template <size_t prior> ECHO_D void wait_prior();
};
template <class T> ECHO_D void memcpy_async(T &to, const T &from, pipeline &pipe);
}
}
#endif
#endif
