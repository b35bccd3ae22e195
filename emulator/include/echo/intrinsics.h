// Arithmetic, conversion and bit intrinsics of device code.
#pragma once
template <class A, class B> ECHO_BOTH A echo_bits(B b) {
    static_assert(sizeof(A) == sizeof(B), "same size");
    A a;
    __builtin_memcpy(&a, &b, sizeof a);
    return a;
}
ECHO_DEVICE float __saturatef(float x) { return x < 0 ? 0 : x > 1 ? 1 : x; }
ECHO_DEVICE float saturate(float x) { return __saturatef(x); }
ECHO_DEVICE float __fdividef(float a, float b) { return a / b; }
// Rounding modes other than to nearest are not told apart.
#define ECHO_ROUNDED(SUFFIX)                                                                                        \
    ECHO_DEVICE float __fadd_##SUFFIX(float a, float b) { return a + b; }                                           \
    ECHO_DEVICE float __fsub_##SUFFIX(float a, float b) { return a - b; }                                           \
    ECHO_DEVICE float __fmul_##SUFFIX(float a, float b) { return a * b; }                                           \
    ECHO_DEVICE float __fdiv_##SUFFIX(float a, float b) { return a / b; }                                           \
    ECHO_DEVICE float __fmaf_##SUFFIX(float a, float b, float c) { return ::fmaf(a, b, c); }                        \
    ECHO_DEVICE float __frcp_##SUFFIX(float a) { return 1.0f / a; }                                                 \
    ECHO_DEVICE float __fsqrt_##SUFFIX(float a) { return ::sqrtf(a); }                                              \
    ECHO_DEVICE double __dadd_##SUFFIX(double a, double b) { return a + b; }                                        \
    ECHO_DEVICE double __dsub_##SUFFIX(double a, double b) { return a - b; }                                        \
    ECHO_DEVICE double __dmul_##SUFFIX(double a, double b) { return a * b; }                                        \
    ECHO_DEVICE double __ddiv_##SUFFIX(double a, double b) { return a / b; }                                        \
    ECHO_DEVICE double __fma_##SUFFIX(double a, double b, double c) { return ::fma(a, b, c); }                      \
    ECHO_DEVICE double __drcp_##SUFFIX(double a) { return 1.0 / a; }                                                \
    ECHO_DEVICE double __dsqrt_##SUFFIX(double a) { return ::sqrt(a); }                                             \
    ECHO_DEVICE float __double2float_##SUFFIX(double a) { return (float)a; }                                        \
    ECHO_DEVICE float __int2float_##SUFFIX(int a) { return (float)a; }                                              \
    ECHO_DEVICE float __uint2float_##SUFFIX(unsigned a) { return (float)a; }                                        \
    ECHO_DEVICE float __ll2float_##SUFFIX(long long a) { return (float)a; }                                         \
    ECHO_DEVICE float __ull2float_##SUFFIX(unsigned long long a) { return (float)a; }                               \
    ECHO_DEVICE double __ll2double_##SUFFIX(long long a) { return (double)a; }                                      \
    ECHO_DEVICE double __ull2double_##SUFFIX(unsigned long long a) { return (double)a; }                            \
    ECHO_DEVICE double __uint2double_##SUFFIX(unsigned a) { return (double)a; }                                     \
    ECHO_DEVICE double __int2double_##SUFFIX(int a) { return (double)a; }
ECHO_ROUNDED(rn) ECHO_ROUNDED(rz) ECHO_ROUNDED(ru) ECHO_ROUNDED(rd)
#undef ECHO_ROUNDED
ECHO_DEVICE float __frsqrt_rn(float a) { return 1.0f / ::sqrtf(a); }
#define ECHO_TO_INTEGER(SUFFIX, F, D)                                                                               \
    ECHO_DEVICE int __float2int_##SUFFIX(float x) { return (int)F(x); }                                             \
    ECHO_DEVICE unsigned __float2uint_##SUFFIX(float x) { return x <= 0 ? 0u : (unsigned)F(x); }                    \
    ECHO_DEVICE long long __float2ll_##SUFFIX(float x) { return (long long)F(x); }                                  \
    ECHO_DEVICE unsigned long long __float2ull_##SUFFIX(float x) { return x <= 0 ? 0ull : (unsigned long long)F(x); } \
    ECHO_DEVICE int __double2int_##SUFFIX(double x) { return (int)D(x); }                                           \
    ECHO_DEVICE unsigned __double2uint_##SUFFIX(double x) { return x <= 0 ? 0u : (unsigned)D(x); }                  \
    ECHO_DEVICE long long __double2ll_##SUFFIX(double x) { return (long long)D(x); }                                \
    ECHO_DEVICE unsigned long long __double2ull_##SUFFIX(double x) { return x <= 0 ? 0ull : (unsigned long long)D(x); }
ECHO_TO_INTEGER(rn, ::rintf, ::rint)
ECHO_TO_INTEGER(rz, ::truncf, ::trunc)
ECHO_TO_INTEGER(rd, ::floorf, ::floor)
ECHO_TO_INTEGER(ru, ::ceilf, ::ceil)
#undef ECHO_TO_INTEGER
ECHO_BOTH int __float_as_int(float x) { return echo_bits<int>(x); }
ECHO_BOTH float __int_as_float(int x) { return echo_bits<float>(x); }
ECHO_BOTH unsigned __float_as_uint(float x) { return echo_bits<unsigned>(x); }
ECHO_BOTH float __uint_as_float(unsigned x) { return echo_bits<float>(x); }
ECHO_BOTH long long __double_as_longlong(double x) { return echo_bits<long long>(x); }
ECHO_BOTH double __longlong_as_double(long long x) { return echo_bits<double>(x); }
ECHO_BOTH int __double2hiint(double x) { return (int)(echo_bits<unsigned long long>(x) >> 32); }
ECHO_BOTH int __double2loint(double x) { return (int)echo_bits<unsigned long long>(x); }
ECHO_BOTH double __hiloint2double(int h, int l) { return echo_bits<double>((unsigned long long)(unsigned)h << 32 | (unsigned)l); }
ECHO_DEVICE int __mul24(int a, int b) { return (int)((unsigned)(a << 8 >> 8) * (unsigned)(b << 8 >> 8)); }
ECHO_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffff) * (b & 0xffffff); }
ECHO_DEVICE int __mulhi(int a, int b) { return (int)(((long long)a * b) >> 32); }
ECHO_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a * b) >> 32); }
ECHO_DEVICE long long __mul64hi(long long a, long long b) { return (long long)(((__int128)a * b) >> 64); }
ECHO_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) { return (unsigned long long)(((unsigned __int128)a * b) >> 64); }
ECHO_DEVICE int __hadd(int a, int b) { return (int)(((long long)a + b) >> 1); }
ECHO_DEVICE int __rhadd(int a, int b) { return (int)(((long long)a + b + 1) >> 1); }
ECHO_DEVICE unsigned __uhadd(unsigned a, unsigned b) { return (unsigned)(((unsigned long long)a + b) >> 1); }
ECHO_DEVICE unsigned __sad(int a, int b, unsigned c) { return c + (unsigned)(a > b ? a - b : b - a); }
ECHO_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a > b ? a - b : b - a); }
ECHO_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
ECHO_DEVICE int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
ECHO_DEVICE int __clz(int x) { return x ? __builtin_clz((unsigned)x) : 32; }
ECHO_DEVICE int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
ECHO_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
ECHO_DEVICE int __ffsll(long long x) { return __builtin_ffsll(x); }
ECHO_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
ECHO_DEVICE unsigned long long __brevll(unsigned long long x) { return __builtin_bitreverse64(x); }
ECHO_DEVICE unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned s) { s &= 31; return s ? hi << s | lo >> (32 - s) : hi; }
ECHO_DEVICE unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned s) { s &= 31; return s ? lo >> s | hi << (32 - s) : lo; }
ECHO_DEVICE unsigned __funnelshift_lc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? lo : __funnelshift_l(lo, hi, s); }
ECHO_DEVICE unsigned __funnelshift_rc(unsigned lo, unsigned hi, unsigned s) { return s >= 32 ? hi : __funnelshift_r(lo, hi, s); }
ECHO_DEVICE unsigned __byte_perm(unsigned a, unsigned b, unsigned s) {
    unsigned long long v = (unsigned long long)b << 32 | a;
    unsigned r = 0;
    for (int i = 0; i < 4; i++) {
        unsigned k = s >> 4 * i & 15, x = (unsigned)(v >> 8 * (k & 7)) & 255;
        r |= (k & 8 ? (x & 128 ? 255u : 0u) : x) << 8 * i;
    }
    return r;
}
ECHO_DEVICE unsigned __fns(unsigned mask, unsigned base, int offset) {
    if (offset == 0) return mask >> base & 1 ? base : ~0u;
    int step = offset > 0 ? 1 : -1, left = offset > 0 ? offset : -offset;
    for (int i = (int)base; i >= 0 && i < 32; i += step) if (mask >> i & 1 && --left == 0) return (unsigned)i;
    return ~0u;
}
