// Mathematical functions of device code, beside the host's <cmath>, and the integer and conversion intrinsics.
#ifndef ECHO_DEVICE_MATH_H
#define ECHO_DEVICE_MATH_H

// One function in its double, float, `f` and integer forms.
#define ECHO_MATH1(name)                                                                                              \
    ECHO_D double name(double x);                                                                                     \
    ECHO_D float name(float x);                                                                                       \
    ECHO_D float name##f(float x);                                                                                    \
    template <class T, class = typename std::enable_if<std::is_integral<T>::value>::type> ECHO_D double name(T x);
#define ECHO_MATH2(name)                                                                                              \
    ECHO_D double name(double x, double y);                                                                           \
    ECHO_D float name(float x, float y);                                                                              \
    ECHO_D float name##f(float x, float y);                                                                           \
    template <class A, class B,                                                                                       \
              class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value &&         \
                                              !(std::is_same<A, B>::value &&                                          \
                                                std::is_floating_point<A>::value)>::type>                             \
    ECHO_D double name(A x, B y);
#define ECHO_STD(name)                                                                                                \
    namespace std {                                                                                                   \
    using ::name;                                                                                                     \
    using ::name##f;                                                                                                  \
    }
#define ECHO_STD1(name) ECHO_MATH1(name) ECHO_STD(name)
#define ECHO_STD2(name) ECHO_MATH2(name) ECHO_STD(name)

ECHO_STD1(sin)
ECHO_STD1(cos)
ECHO_STD1(tan)
ECHO_STD1(asin)
ECHO_STD1(acos)
ECHO_STD1(atan)
ECHO_STD1(sinh)
ECHO_STD1(cosh)
ECHO_STD1(tanh)
ECHO_STD1(asinh)
ECHO_STD1(acosh)
ECHO_STD1(atanh)
ECHO_STD1(exp)
ECHO_STD1(exp2)
ECHO_STD1(expm1)
ECHO_STD1(log)
ECHO_STD1(log2)
ECHO_STD1(log10)
ECHO_STD1(log1p)
ECHO_STD1(logb)
ECHO_STD1(sqrt)
ECHO_STD1(cbrt)
ECHO_STD1(fabs)
ECHO_STD1(ceil)
ECHO_STD1(floor)
ECHO_STD1(round)
ECHO_STD1(trunc)
ECHO_STD1(rint)
ECHO_STD1(nearbyint)
ECHO_STD1(erf)
ECHO_STD1(erfc)
ECHO_STD1(tgamma)
ECHO_STD1(lgamma)
ECHO_MATH1(exp10)
ECHO_MATH1(j0)
ECHO_MATH1(j1)
ECHO_MATH1(y0)
ECHO_MATH1(y1)
ECHO_STD2(pow)
ECHO_STD2(fmod)
ECHO_STD2(atan2)
ECHO_STD2(hypot)
ECHO_STD2(fmin)
ECHO_STD2(fmax)
ECHO_STD2(fdim)
ECHO_STD2(copysign)
ECHO_STD2(nextafter)
ECHO_STD2(remainder)

ECHO_D int abs(int x);
ECHO_D long abs(long x);
ECHO_D long long abs(long long x);
ECHO_D float abs(float x);
ECHO_D double abs(double x);
ECHO_D long labs(long x);
ECHO_D long long llabs(long long x);
ECHO_D double fma(double x, double y, double z);
ECHO_D float fma(float x, float y, float z);
ECHO_D float fmaf(float x, float y, float z);
ECHO_D double ldexp(double x, int exponent);
ECHO_D float ldexp(float x, int exponent);
ECHO_D float ldexpf(float x, int exponent);
ECHO_D double scalbn(double x, int exponent);
ECHO_D float scalbnf(float x, int exponent);
ECHO_D double scalbln(double x, long exponent);
ECHO_D double frexp(double x, int *exponent);
ECHO_D float frexp(float x, int *exponent);
ECHO_D float frexpf(float x, int *exponent);
ECHO_D double modf(double x, double *integer);
ECHO_D float modf(float x, float *integer);
ECHO_D float modff(float x, float *integer);
ECHO_D double remquo(double x, double y, int *quotient);
ECHO_D float remquof(float x, float y, int *quotient);
ECHO_D void sincos(double x, double *sine, double *cosine);
ECHO_D void sincosf(float x, float *sine, float *cosine);
ECHO_D long lround(double x);
ECHO_D long lround(float x);
ECHO_D long lroundf(float x);
ECHO_D long lrint(double x);
ECHO_D long lrint(float x);
ECHO_D long lrintf(float x);
ECHO_D long long llround(double x);
ECHO_D long long llroundf(float x);
ECHO_D long long llrint(double x);
ECHO_D long long llrintf(float x);
ECHO_D int ilogb(double x);
ECHO_D int ilogbf(float x);
ECHO_D double nan(const char *tag);
ECHO_D float nanf(const char *tag);
ECHO_D double jn(int n, double x);
ECHO_D float jnf(int n, float x);
ECHO_D double yn(int n, double x);
ECHO_D bool isnan(float x);
ECHO_D bool isnan(double x);
ECHO_D bool isinf(float x);
ECHO_D bool isinf(double x);
ECHO_D bool isfinite(float x);
ECHO_D bool isfinite(double x);
ECHO_D bool isnormal(float x);
ECHO_D bool isnormal(double x);
ECHO_D bool signbit(float x);
ECHO_D bool signbit(double x);
namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::isfinite;
using ::isinf;
using ::isnan;
using ::isnormal;
using ::ldexp;
using ::llrint;
using ::llround;
using ::lrint;
using ::lround;
using ::modf;
using ::signbit;
}

// Mathematical functions that only CUDA has; they exist on the host side too.
#define ECHO_ONLY1(name)                                                                                              \
    ECHO_HD double name(double x);                                                                                    \
    ECHO_HD float name##f(float x);
ECHO_ONLY1(rsqrt)
ECHO_ONLY1(rcbrt)
ECHO_ONLY1(sinpi)
ECHO_ONLY1(cospi)
ECHO_ONLY1(tanpi)
ECHO_ONLY1(normcdf)
ECHO_ONLY1(normcdfinv)
ECHO_ONLY1(erfinv)
ECHO_ONLY1(erfcinv)
ECHO_ONLY1(erfcx)
ECHO_ONLY1(cyl_bessel_i0)
ECHO_ONLY1(cyl_bessel_i1)
ECHO_HD float rsqrt(float x);
ECHO_HD float rcbrt(float x);
ECHO_HD float sinpi(float x);
ECHO_HD float cospi(float x);
ECHO_HD float erfinv(float x);
ECHO_HD float normcdf(float x);
ECHO_HD void sincospi(double x, double *sine, double *cosine);
ECHO_HD void sincospif(float x, float *sine, float *cosine);
ECHO_HD double rhypot(double x, double y);
ECHO_HD float rhypotf(float x, float y);
ECHO_HD double norm(int dimension, const double *x);
ECHO_HD float normf(int dimension, const float *x);
ECHO_HD double norm3d(double x, double y, double z);
ECHO_HD float norm3df(float x, float y, float z);
ECHO_HD double rnorm3d(double x, double y, double z);
ECHO_HD float rnorm3df(float x, float y, float z);
ECHO_HD double norm4d(double x, double y, double z, double w);
ECHO_HD float norm4df(float x, float y, float z, float w);
ECHO_HD double rnorm4d(double x, double y, double z, double w);
ECHO_HD float rnorm4df(float x, float y, float z, float w);
ECHO_HD float fdividef(float x, float y);
ECHO_HD float saturate(float x);

// min and max of every pair of arithmetic types, in the global namespace.
#define ECHO_MIN_MAX(type)                                                                                            \
    ECHO_HD type min(type x, type y);                                                                                 \
    ECHO_HD type max(type x, type y);
ECHO_MIN_MAX(int)
ECHO_MIN_MAX(unsigned int)
ECHO_MIN_MAX(long)
ECHO_MIN_MAX(unsigned long)
ECHO_MIN_MAX(long long)
ECHO_MIN_MAX(unsigned long long)
ECHO_MIN_MAX(float)
ECHO_MIN_MAX(double)
template <class A, class B,
          class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value &&
                                          !std::is_same<A, B>::value>::type>
ECHO_HD typename std::common_type<A, B>::type min(A x, B y);
template <class A, class B,
          class = typename std::enable_if<std::is_arithmetic<A>::value && std::is_arithmetic<B>::value &&
                                          !std::is_same<A, B>::value>::type>
ECHO_HD typename std::common_type<A, B>::type max(A x, B y);
ECHO_HD unsigned int umin(unsigned int x, unsigned int y);
ECHO_HD unsigned int umax(unsigned int x, unsigned int y);
ECHO_HD long long llmin(long long x, long long y);
ECHO_HD long long llmax(long long x, long long y);
ECHO_HD unsigned long long ullmin(unsigned long long x, unsigned long long y);
ECHO_HD unsigned long long ullmax(unsigned long long x, unsigned long long y);

// glibc declares names such as `__sinf` for itself, so ours go by another name behind a macro.
#define __sinf echo_sinf
#define __cosf echo_cosf
#define __tanf echo_tanf
#define __tanhf echo_tanhf
#define __expf echo_expf
#define __exp10f echo_exp10f
#define __logf echo_logf
#define __log2f echo_log2f
#define __log10f echo_log10f
#define __powf echo_powf
#define __sincosf echo_sincosf
#define ECHO_FLOAT1(name) ECHO_D float name(float x);
#define ECHO_FLOAT2(name) ECHO_D float name(float x, float y);
#define ECHO_DOUBLE1(name) ECHO_D double name(double x);
#define ECHO_DOUBLE2(name) ECHO_D double name(double x, double y);
ECHO_FLOAT1(__sinf)
ECHO_FLOAT1(__cosf)
ECHO_FLOAT1(__tanf)
ECHO_FLOAT1(__tanhf)
ECHO_FLOAT1(__expf)
ECHO_FLOAT1(__exp10f)
ECHO_FLOAT1(__logf)
ECHO_FLOAT1(__log2f)
ECHO_FLOAT1(__log10f)
ECHO_FLOAT1(__saturatef)
ECHO_FLOAT2(__powf)
ECHO_FLOAT2(__fdividef)
ECHO_D void __sincosf(float x, float *sine, float *cosine);
#define ECHO_ROUNDED(mode)                                                                                            \
    ECHO_FLOAT1(__frcp_##mode)                                                                                        \
    ECHO_FLOAT1(__fsqrt_##mode)                                                                                       \
    ECHO_FLOAT2(__fadd_##mode)                                                                                        \
    ECHO_FLOAT2(__fsub_##mode)                                                                                        \
    ECHO_FLOAT2(__fmul_##mode)                                                                                        \
    ECHO_FLOAT2(__fdiv_##mode)                                                                                        \
    ECHO_DOUBLE1(__drcp_##mode)                                                                                       \
    ECHO_DOUBLE1(__dsqrt_##mode)                                                                                      \
    ECHO_DOUBLE2(__dadd_##mode)                                                                                       \
    ECHO_DOUBLE2(__dsub_##mode)                                                                                       \
    ECHO_DOUBLE2(__dmul_##mode)                                                                                       \
    ECHO_DOUBLE2(__ddiv_##mode)                                                                                       \
    ECHO_D float __fmaf_##mode(float x, float y, float z);                                                            \
    ECHO_D double __fma_##mode(double x, double y, double z);                                                         \
    ECHO_HD int __float2int_##mode(float x);                                                                          \
    ECHO_HD unsigned int __float2uint_##mode(float x);                                                                \
    ECHO_HD long long __float2ll_##mode(float x);                                                                     \
    ECHO_HD unsigned long long __float2ull_##mode(float x);                                                           \
    ECHO_HD int __double2int_##mode(double x);                                                                        \
    ECHO_HD unsigned int __double2uint_##mode(double x);                                                              \
    ECHO_HD long long __double2ll_##mode(double x);                                                                   \
    ECHO_HD unsigned long long __double2ull_##mode(double x);                                                         \
    ECHO_HD float __double2float_##mode(double x);                                                                    \
    ECHO_HD float __int2float_##mode(int x);                                                                          \
    ECHO_HD float __uint2float_##mode(unsigned int x);                                                                \
    ECHO_HD float __ll2float_##mode(long long x);                                                                     \
    ECHO_HD float __ull2float_##mode(unsigned long long x);                                                           \
    ECHO_HD double __ll2double_##mode(long long x);                                                                   \
    ECHO_HD double __ull2double_##mode(unsigned long long x);
ECHO_ROUNDED(rn)
ECHO_ROUNDED(rz)
ECHO_ROUNDED(ru)
ECHO_ROUNDED(rd)
ECHO_FLOAT1(__frsqrt_rn)
ECHO_HD double __int2double_rn(int x);
ECHO_HD double __uint2double_rn(unsigned int x);

ECHO_HD int __float_as_int(float x);
ECHO_HD unsigned int __float_as_uint(float x);
ECHO_HD float __int_as_float(int x);
ECHO_HD float __uint_as_float(unsigned int x);
ECHO_HD long long __double_as_longlong(double x);
ECHO_HD double __longlong_as_double(long long x);
ECHO_HD int __double2loint(double x);
ECHO_HD int __double2hiint(double x);
ECHO_HD double __hiloint2double(int high, int low);
ECHO_HD int __popc(unsigned int x);
ECHO_HD int __popcll(unsigned long long x);
ECHO_HD int __clz(int x);
ECHO_HD int __clzll(long long x);
ECHO_HD int __ffs(int x);
ECHO_HD int __ffsll(long long x);
ECHO_HD unsigned int __brev(unsigned int x);
ECHO_HD unsigned long long __brevll(unsigned long long x);
ECHO_HD unsigned int __fns(unsigned int mask, unsigned int base, int offset);
ECHO_HD int __mul24(int x, int y);
ECHO_HD unsigned int __umul24(unsigned int x, unsigned int y);
ECHO_HD int mul24(int x, int y);
ECHO_HD unsigned int umul24(unsigned int x, unsigned int y);
ECHO_HD int __mulhi(int x, int y);
ECHO_HD unsigned int __umulhi(unsigned int x, unsigned int y);
ECHO_HD int mulhi(int x, int y);
ECHO_HD unsigned int mulhi(unsigned int x, unsigned int y);
ECHO_HD unsigned int umulhi(unsigned int x, unsigned int y);
ECHO_HD long long __mul64hi(long long x, long long y);
ECHO_HD unsigned long long __umul64hi(unsigned long long x, unsigned long long y);
ECHO_HD int __sad(int x, int y, unsigned int z);
ECHO_HD unsigned int __usad(unsigned int x, unsigned int y, unsigned int z);
ECHO_HD int __hadd(int x, int y);
ECHO_HD int __rhadd(int x, int y);
ECHO_HD unsigned int __uhadd(unsigned int x, unsigned int y);
ECHO_HD unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector);
ECHO_HD unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift);
ECHO_HD unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift);
ECHO_HD unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift);
ECHO_HD unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift);
ECHO_HD int __dp4a(int x, int y, int z);
ECHO_HD unsigned int __dp4a(unsigned int x, unsigned int y, unsigned int z);
ECHO_HD int __dp2a_lo(int x, int y, int z);
ECHO_HD int __dp2a_hi(int x, int y, int z);

// Two 16-bit or four 8-bit lanes in one word.
#define ECHO_SIMD1(name) ECHO_HD unsigned int name(unsigned int x);
#define ECHO_SIMD2(name) ECHO_HD unsigned int name(unsigned int x, unsigned int y);
#define ECHO_LANES(width)                                                                                             \
    ECHO_SIMD1(__vabs##width)                                                                                         \
    ECHO_SIMD1(__vabsss##width)                                                                                       \
    ECHO_SIMD1(__vneg##width)                                                                                         \
    ECHO_SIMD2(__vadd##width)                                                                                         \
    ECHO_SIMD2(__vaddss##width)                                                                                       \
    ECHO_SIMD2(__vaddus##width)                                                                                       \
    ECHO_SIMD2(__vsub##width)                                                                                         \
    ECHO_SIMD2(__vsubss##width)                                                                                       \
    ECHO_SIMD2(__vsubus##width)                                                                                       \
    ECHO_SIMD2(__vavgu##width)                                                                                        \
    ECHO_SIMD2(__vavgs##width)                                                                                        \
    ECHO_SIMD2(__vabsdiffs##width)                                                                                    \
    ECHO_SIMD2(__vabsdiffu##width)                                                                                    \
    ECHO_SIMD2(__vsads##width)                                                                                        \
    ECHO_SIMD2(__vsadu##width)                                                                                        \
    ECHO_SIMD2(__vmaxs##width)                                                                                        \
    ECHO_SIMD2(__vmaxu##width)                                                                                        \
    ECHO_SIMD2(__vmins##width)                                                                                        \
    ECHO_SIMD2(__vminu##width)                                                                                        \
    ECHO_SIMD2(__vcmpeq##width)                                                                                       \
    ECHO_SIMD2(__vcmpne##width)                                                                                       \
    ECHO_SIMD2(__vcmpges##width)                                                                                      \
    ECHO_SIMD2(__vcmpgeu##width)                                                                                      \
    ECHO_SIMD2(__vcmpgts##width)                                                                                      \
    ECHO_SIMD2(__vcmpgtu##width)                                                                                      \
    ECHO_SIMD2(__vcmples##width)                                                                                      \
    ECHO_SIMD2(__vcmpleu##width)                                                                                      \
    ECHO_SIMD2(__vcmplts##width)                                                                                      \
    ECHO_SIMD2(__vcmpltu##width)                                                                                      \
    ECHO_SIMD2(__vseteq##width)                                                                                       \
    ECHO_SIMD2(__vsetne##width)
ECHO_LANES(2)
ECHO_LANES(4)
#define ECHO_DPX3(name) ECHO_HD int name(int x, int y, int z);
ECHO_DPX3(__vimax3_s32)
ECHO_DPX3(__vimin3_s32)
ECHO_DPX3(__viaddmax_s32)
ECHO_DPX3(__viaddmin_s32)
ECHO_DPX3(__viaddmax_s32_relu)
#endif
