// Warp operations: every one lets lanes meet and see each other's 64-bit words (libcuda/src/warp.rs).
#pragma once
struct echo_warp_answer { const unsigned long long *values; unsigned long long active; };
extern "C" __device__ echo_warp_answer echo_warp(unsigned mask, unsigned kind, unsigned long long value) __attribute__((noduplicate));
enum { ECHO_ACTIVE = 0, ECHO_SYNC = 1, ECHO_SHFL = 2, ECHO_VOTE = 6, ECHO_MATCH = 7, ECHO_REDUCE = 8 };
ECHO_DEVICE int echo_lane() { return (threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) & 31; }
// The value of lane `from`, or one's own where that lane takes no part.
template <class T> __device__ inline T echo_exchange(unsigned mask, unsigned kind, T value, int from) {
    enum { words = (sizeof(T) + 7) / 8 };
    unsigned long long in[words] = {}, out[words];
    __builtin_memcpy(in, &value, sizeof(T));
    for (int i = 0; i < words; i++) {
        echo_warp_answer a = echo_warp(mask, kind, in[i]);
        out[i] = from >= 0 && from < 32 && (a.active >> from & 1) ? a.values[from] : in[i];
    }
    T result;
    __builtin_memcpy(&result, out, sizeof(T));
    return result;
}
template <class T> __device__ inline T __shfl_sync(unsigned m, T v, int lane, int width = 32) {
    return echo_exchange(m, ECHO_SHFL, v, (echo_lane() & ~(width - 1)) | (lane & (width - 1)));
}
template <class T> __device__ inline T __shfl_up_sync(unsigned m, T v, unsigned delta, int width = 32) {
    int me = echo_lane(), in = me & (width - 1);
    return echo_exchange(m, ECHO_SHFL + 1, v, in < (int)delta ? me : me - (int)delta);
}
template <class T> __device__ inline T __shfl_down_sync(unsigned m, T v, unsigned delta, int width = 32) {
    int me = echo_lane(), in = me & (width - 1);
    return echo_exchange(m, ECHO_SHFL + 2, v, in + (int)delta >= width ? me : me + (int)delta);
}
template <class T> __device__ inline T __shfl_xor_sync(unsigned m, T v, int lanes, int width = 32) {
    int me = echo_lane(), in = me & (width - 1), other = in ^ lanes;
    // A partner in an earlier segment is allowed; one in a later segment is not.
    return echo_exchange(m, ECHO_SHFL + 3, v, other >= width ? me : (me & ~(width - 1)) | other);
}
template <class T> __device__ inline T __shfl(T v, int lane, int width = 32) { return __shfl_sync(~0u, v, lane, width); }
template <class T> __device__ inline T __shfl_up(T v, unsigned d, int width = 32) { return __shfl_up_sync(~0u, v, d, width); }
template <class T> __device__ inline T __shfl_down(T v, unsigned d, int width = 32) { return __shfl_down_sync(~0u, v, d, width); }
template <class T> __device__ inline T __shfl_xor(T v, int l, int width = 32) { return __shfl_xor_sync(~0u, v, l, width); }
ECHO_DEVICE unsigned __ballot_sync(unsigned m, int p) {
    echo_warp_answer a = echo_warp(m, ECHO_VOTE, p != 0);
    unsigned r = 0;
    for (int i = 0; i < 32; i++) if (a.active >> i & 1 && a.values[i]) r |= 1u << i;
    return r;
}
ECHO_DEVICE int __any_sync(unsigned m, int p) { return __ballot_sync(m, p) != 0; }
ECHO_DEVICE int __all_sync(unsigned m, int p) { return __ballot_sync(m, !p) == 0; }
ECHO_DEVICE unsigned __ballot(int p) { return __ballot_sync(~0u, p); }
ECHO_DEVICE int __any(int p) { return __any_sync(~0u, p); }
ECHO_DEVICE int __all(int p) { return __all_sync(~0u, p); }
ECHO_DEVICE void __syncwarp(unsigned m = 0xffffffffu) { echo_warp(m, ECHO_SYNC, 0); }
ECHO_DEVICE unsigned __activemask() { return (unsigned)echo_warp(0, ECHO_ACTIVE, 0).active; }
template <class T> __device__ inline unsigned __match_any_sync(unsigned m, T v) {
    unsigned long long w = 0;
    __builtin_memcpy(&w, &v, sizeof(T));
    echo_warp_answer a = echo_warp(m, ECHO_MATCH, w);
    unsigned r = 0;
    for (int i = 0; i < 32; i++) if (a.active >> i & 1 && a.values[i] == w) r |= 1u << i;
    return r;
}
template <class T> __device__ inline unsigned __match_all_sync(unsigned m, T v, int *all) {
    unsigned long long w = 0;
    __builtin_memcpy(&w, &v, sizeof(T));
    echo_warp_answer a = echo_warp(m, ECHO_MATCH + 16, w);
    *all = 1;
    for (int i = 0; i < 32; i++) if (a.active >> i & 1 && a.values[i] != w) *all = 0;
    return *all ? m : 0;
}
#define ECHO_REDUCTION(NAME, T, EXPR)                                                                               \
    ECHO_DEVICE T NAME(unsigned m, T v) {                                                                           \
        echo_warp_answer a = echo_warp(m, ECHO_REDUCE, (unsigned long long)(unsigned)v);                            \
        bool first = true;                                                                                          \
        T r = v;                                                                                                    \
        for (int i = 0; i < 32; i++) if (a.active >> i & 1) {                                                       \
            T x = (T)(unsigned)a.values[i];                                                                         \
            if (first) { r = x; first = false; } else r = (EXPR);                                                   \
        }                                                                                                           \
        return r;                                                                                                   \
    }
ECHO_REDUCTION(__reduce_add_sync, unsigned, r + x)
ECHO_REDUCTION(__reduce_add_sync, int, (int)((unsigned)r + (unsigned)x))
ECHO_REDUCTION(__reduce_min_sync, unsigned, x < r ? x : r)
ECHO_REDUCTION(__reduce_min_sync, int, x < r ? x : r)
ECHO_REDUCTION(__reduce_max_sync, unsigned, x > r ? x : r)
ECHO_REDUCTION(__reduce_max_sync, int, x > r ? x : r)
ECHO_REDUCTION(__reduce_and_sync, unsigned, x & r)
ECHO_REDUCTION(__reduce_or_sync, unsigned, x | r)
ECHO_REDUCTION(__reduce_xor_sync, unsigned, x ^ r)
#undef ECHO_REDUCTION
