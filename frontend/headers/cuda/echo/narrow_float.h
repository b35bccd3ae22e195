// What half precision and bfloat16 have in common.
#ifndef ECHO_NARROW_FLOAT_H
#define ECHO_NARROW_FLOAT_H

#define ECHO_NARROW_OPERATORS(type)                                                                                   \
    ECHO_HD type operator+(const type &x, const type &y);                                                             \
    ECHO_HD type operator-(const type &x, const type &y);                                                             \
    ECHO_HD type operator*(const type &x, const type &y);                                                             \
    ECHO_HD type operator/(const type &x, const type &y);                                                             \
    ECHO_HD type operator+(const type &x);                                                                            \
    ECHO_HD type operator-(const type &x);                                                                            \
    ECHO_HD type &operator+=(type &x, const type &y);                                                                 \
    ECHO_HD type &operator-=(type &x, const type &y);                                                                 \
    ECHO_HD type &operator*=(type &x, const type &y);                                                                 \
    ECHO_HD type &operator/=(type &x, const type &y);                                                                 \
    ECHO_HD type &operator++(type &x);                                                                                \
    ECHO_HD type &operator--(type &x);                                                                                \
    ECHO_HD bool operator==(const type &x, const type &y);                                                            \
    ECHO_HD bool operator!=(const type &x, const type &y);                                                            \
    ECHO_HD bool operator<(const type &x, const type &y);                                                             \
    ECHO_HD bool operator>(const type &x, const type &y);                                                             \
    ECHO_HD bool operator<=(const type &x, const type &y);                                                            \
    ECHO_HD bool operator>=(const type &x, const type &y);

#define ECHO_NARROW_FLOAT(type, raw)                                                                                  \
    struct __attribute__((aligned(2))) type {                                                                         \
        unsigned short __x;                                                                                           \
        type() = default;                                                                                             \
        ECHO_HD type(const raw &x);                                                                                   \
        ECHO_HD type(float x);                                                                                        \
        ECHO_HD type(double x);                                                                                       \
        ECHO_HD type(short x);                                                                                        \
        ECHO_HD type(unsigned short x);                                                                               \
        ECHO_HD type(int x);                                                                                          \
        ECHO_HD type(unsigned int x);                                                                                 \
        ECHO_HD type(long x);                                                                                         \
        ECHO_HD type(unsigned long x);                                                                                \
        ECHO_HD type(long long x);                                                                                    \
        ECHO_HD type(unsigned long long x);                                                                           \
        ECHO_HD type &operator=(const raw &x);                                                                        \
        ECHO_HD type &operator=(float x);                                                                             \
        ECHO_HD type &operator=(double x);                                                                            \
        ECHO_HD type &operator=(short x);                                                                             \
        ECHO_HD type &operator=(unsigned short x);                                                                    \
        ECHO_HD type &operator=(int x);                                                                               \
        ECHO_HD type &operator=(unsigned int x);                                                                      \
        ECHO_HD type &operator=(long long x);                                                                         \
        ECHO_HD type &operator=(unsigned long long x);                                                                \
        ECHO_HD operator raw() const;                                                                                 \
        ECHO_HD operator float() const;                                                                               \
        ECHO_HD explicit operator bool() const;                                                                       \
        ECHO_HD explicit operator char() const;                                                                       \
        ECHO_HD explicit operator signed char() const;                                                                \
        ECHO_HD explicit operator unsigned char() const;                                                              \
        ECHO_HD explicit operator short() const;                                                                      \
        ECHO_HD explicit operator unsigned short() const;                                                             \
        ECHO_HD explicit operator int() const;                                                                        \
        ECHO_HD explicit operator unsigned int() const;                                                               \
        ECHO_HD explicit operator long() const;                                                                       \
        ECHO_HD explicit operator unsigned long() const;                                                              \
        ECHO_HD explicit operator long long() const;                                                                  \
        ECHO_HD explicit operator unsigned long long() const;                                                         \
    };                                                                                                                \
    ECHO_NARROW_OPERATORS(type)

#define ECHO_NARROW_PAIR(pair, type)                                                                                  \
    ECHO_NARROW_OPERATORS(pair)

#define ECHO_NARROW_UNARY(name, type) ECHO_HD type name(type x);
#define ECHO_NARROW_BINARY(name, type) ECHO_HD type name(type x, type y);
#define ECHO_NARROW_TEST(name, type) ECHO_HD bool name(type x, type y);

#define ECHO_NARROW_FUNCTIONS(type, pair)                                                                             \
    ECHO_NARROW_BINARY(__hadd, type)                                                                                  \
    ECHO_NARROW_BINARY(__hadd_rn, type)                                                                               \
    ECHO_NARROW_BINARY(__hadd_sat, type)                                                                              \
    ECHO_NARROW_BINARY(__hsub, type)                                                                                  \
    ECHO_NARROW_BINARY(__hsub_rn, type)                                                                               \
    ECHO_NARROW_BINARY(__hmul, type)                                                                                  \
    ECHO_NARROW_BINARY(__hmul_rn, type)                                                                               \
    ECHO_NARROW_BINARY(__hdiv, type)                                                                                  \
    ECHO_NARROW_BINARY(__hmax, type)                                                                                  \
    ECHO_NARROW_BINARY(__hmin, type)                                                                                  \
    ECHO_NARROW_BINARY(__hmax_nan, type)                                                                              \
    ECHO_NARROW_BINARY(__hmin_nan, type)                                                                              \
    ECHO_NARROW_UNARY(__hneg, type)                                                                                   \
    ECHO_NARROW_UNARY(__habs, type)                                                                                   \
    ECHO_HD type __hfma(type x, type y, type z);                                                                      \
    ECHO_HD type __hfma_relu(type x, type y, type z);                                                                 \
    ECHO_NARROW_TEST(__heq, type)                                                                                     \
    ECHO_NARROW_TEST(__hne, type)                                                                                     \
    ECHO_NARROW_TEST(__hlt, type)                                                                                     \
    ECHO_NARROW_TEST(__hle, type)                                                                                     \
    ECHO_NARROW_TEST(__hgt, type)                                                                                     \
    ECHO_NARROW_TEST(__hge, type)                                                                                     \
    ECHO_HD bool __hisnan(type x);                                                                                    \
    ECHO_HD int __hisinf(type x);                                                                                     \
    ECHO_NARROW_UNARY(hsqrt, type)                                                                                    \
    ECHO_NARROW_UNARY(hrsqrt, type)                                                                                   \
    ECHO_NARROW_UNARY(hrcp, type)                                                                                     \
    ECHO_NARROW_UNARY(hexp, type)                                                                                     \
    ECHO_NARROW_UNARY(hexp2, type)                                                                                    \
    ECHO_NARROW_UNARY(hexp10, type)                                                                                   \
    ECHO_NARROW_UNARY(hlog, type)                                                                                     \
    ECHO_NARROW_UNARY(hlog2, type)                                                                                    \
    ECHO_NARROW_UNARY(hlog10, type)                                                                                   \
    ECHO_NARROW_UNARY(hsin, type)                                                                                     \
    ECHO_NARROW_UNARY(hcos, type)                                                                                     \
    ECHO_NARROW_UNARY(htanh, type)                                                                                    \
    ECHO_NARROW_UNARY(hfloor, type)                                                                                   \
    ECHO_NARROW_UNARY(hceil, type)                                                                                    \
    ECHO_NARROW_UNARY(htrunc, type)                                                                                   \
    ECHO_NARROW_UNARY(hrint, type)                                                                                    \
    ECHO_NARROW_BINARY(__hadd2, pair)                                                                                 \
    ECHO_NARROW_BINARY(__hadd2_rn, pair)                                                                              \
    ECHO_NARROW_BINARY(__hsub2, pair)                                                                                 \
    ECHO_NARROW_BINARY(__hmul2, pair)                                                                                 \
    ECHO_NARROW_BINARY(__hmul2_rn, pair)                                                                              \
    ECHO_NARROW_BINARY(__h2div, pair)                                                                                 \
    ECHO_NARROW_BINARY(__hmax2, pair)                                                                                 \
    ECHO_NARROW_BINARY(__hmin2, pair)                                                                                 \
    ECHO_NARROW_UNARY(__hneg2, pair)                                                                                  \
    ECHO_NARROW_UNARY(__habs2, pair)                                                                                  \
    ECHO_HD pair __hfma2(pair x, pair y, pair z);                                                                     \
    ECHO_NARROW_BINARY(__heq2, pair)                                                                                  \
    ECHO_NARROW_BINARY(__hne2, pair)                                                                                  \
    ECHO_NARROW_BINARY(__hlt2, pair)                                                                                  \
    ECHO_NARROW_BINARY(__hle2, pair)                                                                                  \
    ECHO_NARROW_BINARY(__hgt2, pair)                                                                                  \
    ECHO_NARROW_BINARY(__hge2, pair)                                                                                  \
    ECHO_NARROW_TEST(__hbeq2, pair)                                                                                   \
    ECHO_NARROW_TEST(__hbne2, pair)                                                                                   \
    ECHO_NARROW_TEST(__hblt2, pair)                                                                                   \
    ECHO_NARROW_TEST(__hble2, pair)                                                                                   \
    ECHO_NARROW_TEST(__hbgt2, pair)                                                                                   \
    ECHO_NARROW_TEST(__hbge2, pair)                                                                                   \
    ECHO_NARROW_UNARY(h2sqrt, pair)                                                                                   \
    ECHO_NARROW_UNARY(h2rsqrt, pair)                                                                                  \
    ECHO_NARROW_UNARY(h2rcp, pair)                                                                                    \
    ECHO_NARROW_UNARY(h2exp, pair)                                                                                    \
    ECHO_NARROW_UNARY(h2exp2, pair)                                                                                   \
    ECHO_NARROW_UNARY(h2log, pair)                                                                                    \
    ECHO_NARROW_UNARY(h2log2, pair)                                                                                   \
    ECHO_NARROW_UNARY(h2sin, pair)                                                                                    \
    ECHO_NARROW_UNARY(h2cos, pair)                                                                                    \
    ECHO_NARROW_UNARY(__lowhigh2highlow, pair)                                                                        \
    ECHO_NARROW_UNARY(__low2half2, pair)                                                                              \
    ECHO_NARROW_UNARY(__high2half2, pair)                                                                             \
    ECHO_NARROW_BINARY(__lows2half2, pair)                                                                            \
    ECHO_NARROW_BINARY(__highs2half2, pair)                                                                           \
    ECHO_HD type __low2half(pair x);                                                                                  \
    ECHO_HD type __high2half(pair x);                                                                                 \
    ECHO_HD type __low2bfloat16(pair x);                                                                              \
    ECHO_HD type __high2bfloat16(pair x);
#endif
