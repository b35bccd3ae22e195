// What __half and __nv_bfloat16 have in common. Every operation is done in float and rounded once: with 24 bits against
// 11 or 8 that is the correctly rounded result.
#pragma once
#include "base.h"
template <class T> struct echo_is_small : std::false_type {};
#define ECHO_SMALL_CLASS(H, H2, STORAGE)                                                                            \
    struct H;                                                                                                       \
    template <> struct echo_is_small<H> : std::true_type {};                                                        \
    struct __align__(2) H {                                                                                         \
        STORAGE v;                                                                                                  \
        H() = default;                                                                                              \
        template <class T, class = typename std::enable_if<std::is_arithmetic<T>::value>::type>                     \
        ECHO_BOTH H(T x) : v((STORAGE)(float)x) {}                                                                  \
        template <class T, class = typename std::enable_if<echo_is_small<T>::value>::type, class = void>            \
        ECHO_BOTH explicit H(T x) : v((STORAGE)(float)x) {}                                                         \
        ECHO_BOTH H(H##_raw r) { __builtin_memcpy(&v, &r, 2); }                                                     \
        ECHO_BOTH operator float() const { return (float)v; }                                                       \
        ECHO_BOTH explicit operator double() const { return (float)v; }                                             \
        ECHO_BOTH explicit operator int() const { return (int)(float)v; }                                           \
        ECHO_BOTH explicit operator unsigned() const { return (unsigned)(float)v; }                                 \
        ECHO_BOTH explicit operator short() const { return (short)(float)v; }                                       \
        ECHO_BOTH explicit operator unsigned short() const { return (unsigned short)(float)v; }                     \
        ECHO_BOTH explicit operator long long() const { return (long long)(float)v; }                               \
        ECHO_BOTH explicit operator bool() const { return (float)v != 0; }                                          \
        ECHO_BOTH operator H##_raw() const { H##_raw r; __builtin_memcpy(&r, &v, 2); return r; }                    \
        ECHO_BOTH H &operator++() { v = (STORAGE)((float)v + 1); return *this; }                                    \
    };                                                                                                              \
    struct __align__(4) H2 {                                                                                        \
        H x, y;                                                                                                     \
        H2() = default;                                                                                             \
        ECHO_BOTH H2(H a, H b) : x(a), y(b) {}                                                                      \
    };
#define ECHO_SMALL_OPERATOR(H, H2, OP)                                                                              \
    ECHO_BOTH H operator OP(const H &a, const H &b) { return H((float)a OP(float) b); }                             \
    ECHO_BOTH H &operator OP##=(H &a, const H &b) { return a = a OP b; }                                            \
    ECHO_BOTH H2 operator OP(const H2 &a, const H2 &b) { return H2(a.x OP b.x, a.y OP b.y); }                       \
    ECHO_BOTH H2 &operator OP##=(H2 &a, const H2 &b) { return a = a OP b; }
#define ECHO_SMALL_COMPARISON(H, H2, OP, NAME)                                                                      \
    ECHO_BOTH bool operator OP(const H &a, const H &b) { return (float)a OP(float) b; }                             \
    ECHO_BOTH bool operator OP(const H2 &a, const H2 &b) { return a.x OP b.x && a.y OP b.y; }                       \
    ECHO_BOTH bool __h##NAME(H a, H b) { return a OP b; }                                                           \
    ECHO_BOTH H2 __h##NAME##2(H2 a, H2 b) { return H2(H(a.x OP b.x ? 1.f : 0.f), H(a.y OP b.y ? 1.f : 0.f)); }      \
    ECHO_BOTH bool __hb##NAME##2(H2 a, H2 b) { return a OP b; }
#define ECHO_SMALL_BINARY(H, H2, NAME, EXPR)                                                                        \
    ECHO_BOTH H NAME(H p, H q) { float a = p, b = q; (void)a; (void)b; return H(EXPR); }                            \
    ECHO_BOTH H2 NAME##2(H2 p, H2 q) { return H2(NAME(p.x, q.x), NAME(p.y, q.y)); }
#define ECHO_SMALL_UNARY(H, H2, SUFFIX, EXPR)                                                                       \
    ECHO_BOTH H h##SUFFIX(H p) { float a = p; return H(EXPR); }                                                     \
    ECHO_BOTH H2 h2##SUFFIX(H2 p) { return H2(h##SUFFIX(p.x), h##SUFFIX(p.y)); }
#define ECHO_SMALL_FUNCTIONS(H, H2)                                                                                 \
    ECHO_SMALL_OPERATOR(H, H2, +) ECHO_SMALL_OPERATOR(H, H2, -)                                                     \
    ECHO_SMALL_OPERATOR(H, H2, *) ECHO_SMALL_OPERATOR(H, H2, /)                                                     \
    ECHO_BOTH H operator-(const H &a) { return H(-(float)a); }                                                      \
    ECHO_BOTH H operator+(const H &a) { return a; }                                                                 \
    ECHO_BOTH H2 operator-(const H2 &a) { return H2(-a.x, -a.y); }                                                  \
    ECHO_SMALL_COMPARISON(H, H2, ==, eq) ECHO_SMALL_COMPARISON(H, H2, !=, ne)                                       \
    ECHO_SMALL_COMPARISON(H, H2, <, lt) ECHO_SMALL_COMPARISON(H, H2, <=, le)                                        \
    ECHO_SMALL_COMPARISON(H, H2, >, gt) ECHO_SMALL_COMPARISON(H, H2, >=, ge)                                        \
    ECHO_SMALL_BINARY(H, H2, __hadd, a + b) ECHO_SMALL_BINARY(H, H2, __hsub, a - b)                                 \
    ECHO_SMALL_BINARY(H, H2, __hmul, a * b) ECHO_SMALL_BINARY(H, H2, __hmax, a > b ? a : b)                         \
    ECHO_SMALL_BINARY(H, H2, __hmin, a < b ? a : b)                                                                 \
    ECHO_BOTH H __hadd_rn(H a, H b) { return a + b; }                                                               \
    ECHO_BOTH H __hsub_rn(H a, H b) { return a - b; }                                                               \
    ECHO_BOTH H __hmul_rn(H a, H b) { return a * b; }                                                               \
    ECHO_BOTH H __hdiv(H a, H b) { return a / b; }                                                                  \
    ECHO_BOTH H2 __h2div(H2 a, H2 b) { return a / b; }                                                              \
    ECHO_BOTH H __hfma(H a, H b, H c) { return H((float)((double)(float)a * (double)(float)b + (double)(float)c)); }            \
    ECHO_BOTH H2 __hfma2(H2 a, H2 b, H2 c) { return H2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)); }             \
    ECHO_BOTH H __hneg(H a) { return -a; }                                                                          \
    ECHO_BOTH H2 __hneg2(H2 a) { return -a; }                                                                       \
    ECHO_BOTH H __habs(H a) { return H(fabsf((float)a)); }                                                          \
    ECHO_BOTH H2 __habs2(H2 a) { return H2(__habs(a.x), __habs(a.y)); }                                             \
    ECHO_BOTH bool __hisnan(H a) { return (float)a != (float)a; }                                                   \
    ECHO_BOTH int __hisinf(H a) { float f = a; return __builtin_isinf(f) ? (f > 0 ? 1 : -1) : 0; }                  \
    ECHO_BOTH float __low2float(H2 a) { return a.x; }                                                               \
    ECHO_BOTH float __high2float(H2 a) { return a.y; }                                                              \
    ECHO_SMALL_UNARY(H, H2, exp, expf(a)) ECHO_SMALL_UNARY(H, H2, exp2, exp2f(a))                                   \
    ECHO_SMALL_UNARY(H, H2, log, logf(a)) ECHO_SMALL_UNARY(H, H2, log2, log2f(a))                                   \
    ECHO_SMALL_UNARY(H, H2, log10, log10f(a)) ECHO_SMALL_UNARY(H, H2, sqrt, sqrtf(a))                               \
    ECHO_SMALL_UNARY(H, H2, rsqrt, 1.0f / sqrtf(a)) ECHO_SMALL_UNARY(H, H2, rcp, 1.0f / a)                          \
    ECHO_SMALL_UNARY(H, H2, sin, sinf(a)) ECHO_SMALL_UNARY(H, H2, cos, cosf(a))                                     \
    ECHO_SMALL_UNARY(H, H2, tanh, tanhf(a)) ECHO_SMALL_UNARY(H, H2, ceil, ceilf(a))                                 \
    ECHO_SMALL_UNARY(H, H2, floor, floorf(a)) ECHO_SMALL_UNARY(H, H2, rint, rintf(a))                               \
    ECHO_SMALL_UNARY(H, H2, trunc, truncf(a))
