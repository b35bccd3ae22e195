// Reductions over a group of lanes.
#pragma once
#include "../cooperative_groups.h"
namespace cooperative_groups {
#define ECHO_FUNCTOR(NAME, EXPR) template <class T = void> struct NAME { template <class U> __device__ U operator()(U a, U b) const { return EXPR; } };
ECHO_FUNCTOR(plus, a + b) ECHO_FUNCTOR(less, b < a ? b : a) ECHO_FUNCTOR(greater, a < b ? b : a)
ECHO_FUNCTOR(bit_and, a & b) ECHO_FUNCTOR(bit_or, a | b) ECHO_FUNCTOR(bit_xor, a ^ b)
#undef ECHO_FUNCTOR
template <class G, class T, class F> __device__ inline T reduce(const G &g, T v, F f) {
    T all[32];
    unsigned n = (unsigned)g.size();
    // Butterfly where the group is a power of two, as hardware libraries do it; else in order of rank.
    if ((n & (n - 1)) == 0) {
        for (unsigned o = n / 2; o > 0; o /= 2) v = f(v, g.shfl_xor(v, o));
        return v;
    }
    for (unsigned i = 0; i < n; i++) all[i] = g.shfl(v, i);
    T r = all[0];
    for (unsigned i = 1; i < n; i++) r = f(r, all[i]);
    return r;
}
}
