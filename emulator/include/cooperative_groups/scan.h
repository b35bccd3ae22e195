// Scans over a group of lanes.
#pragma once
#include "reduce.h"
namespace cooperative_groups {
template <class G, class T, class F> __device__ inline T inclusive_scan(const G &g, T v, F f) {
    for (unsigned o = 1; o < g.size(); o *= 2) {
        T w = g.shfl_up(v, o);
        if (g.thread_rank() >= o) v = f(w, v);
    }
    return v;
}
template <class G, class T> __device__ inline T inclusive_scan(const G &g, T v) { return inclusive_scan(g, v, plus<T>()); }
template <class G, class T, class F> __device__ inline T exclusive_scan(const G &g, T v, F f) {
    T w = g.shfl_up(inclusive_scan(g, v, f), 1);
    return g.thread_rank() == 0 ? T() : w;
}
template <class G, class T> __device__ inline T exclusive_scan(const G &g, T v) { return exclusive_scan(g, v, plus<T>()); }
}
