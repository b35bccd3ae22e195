// Warp matrix functions.
#ifndef ECHO_MMA_H
#define ECHO_MMA_H
#include "cuda_bf16.h"
#ifdef __CUDA__
namespace nvcuda {
namespace wmma {
struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32;
struct u4;
struct s4;
struct b1;
}
// Every operand has the storage of a few elements; how many depends on the shape and does not matter here.
template <class Use, int m, int n, int k, class T, class Layout = void> struct fragment {
    T x[16];
    static constexpr int num_elements = 16;
};
template <class Use, int m, int n, int k, class Layout> struct fragment<Use, m, n, k, precision::tf32, Layout> {
    float x[16];
    static constexpr int num_elements = 16;
};
template <class F, class T> ECHO_D void load_matrix_sync(F &fragment, const T *pointer, unsigned int stride);
template <class F, class T>
ECHO_D void load_matrix_sync(F &fragment, const T *pointer, unsigned int stride, layout_t layout);
template <class T, class F>
ECHO_D void store_matrix_sync(T *pointer, const F &fragment, unsigned int stride, layout_t layout);
template <class F, class T> ECHO_D void fill_fragment(F &fragment, const T &value);
template <class D, class A, class B, class C>
ECHO_D void mma_sync(D &d, const A &a, const B &b, const C &c, bool saturate = false);
ECHO_D float __float_to_tf32(float x);
}
}
#endif
#endif
