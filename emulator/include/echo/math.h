// CUDA's math functions beyond the C library's.
#pragma once
template <class T, class U> __host__ __device__ constexpr typename std::common_type<T, U>::type min(T a, U b) {
    typedef typename std::common_type<T, U>::type C;
    return (C)b < (C)a ? (C)b : (C)a;
}
template <class T, class U> __host__ __device__ constexpr typename std::common_type<T, U>::type max(T a, U b) {
    typedef typename std::common_type<T, U>::type C;
    return (C)a < (C)b ? (C)b : (C)a;
}
ECHO_BOTH int umin(unsigned a, unsigned b) { return a < b ? a : b; }
ECHO_BOTH int umax(unsigned a, unsigned b) { return a > b ? a : b; }
ECHO_BOTH float rsqrtf(float x) { return 1.0f / ::sqrtf(x); }
ECHO_BOTH double rsqrt(double x) { return 1.0 / ::sqrt(x); }
ECHO_BOTH float rsqrt(float x) { return 1.0f / ::sqrtf(x); }
ECHO_BOTH float rcbrtf(float x) { return 1.0f / ::cbrtf(x); }
ECHO_BOTH double rcbrt(double x) { return 1.0 / ::cbrt(x); }
ECHO_BOTH float sinpif(float x) { return ::sinf((float)M_PI * x); }
ECHO_BOTH double sinpi(double x) { return ::sin(M_PI * x); }
ECHO_BOTH float cospif(float x) { return ::cosf((float)M_PI * x); }
ECHO_BOTH double cospi(double x) { return ::cos(M_PI * x); }
ECHO_BOTH void sincospif(float x, float *s, float *c) { ::sincosf((float)M_PI * x, s, c); }
ECHO_BOTH void sincospi(double x, double *s, double *c) { ::sincos(M_PI * x, s, c); }
ECHO_BOTH float normcdff(float x) { return 0.5f * ::erfcf(-x * 0.70710678118654752f); }
ECHO_BOTH double normcdf(double x) { return 0.5 * ::erfc(-x * 0.70710678118654752); }
ECHO_BOTH double erfinv(double y) {
    // Giles' approximation, then two Newton steps on erf.
    double w = -::log((1 - y) * (1 + y)), p;
    if (w < 5) {
        w -= 2.5;
        p = 2.81022636e-08;
        const double c[] = {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087, -0.00125372503, -0.00417768164, 0.246640727, 1.50140941};
        for (double k : c) p = k + p * w;
    } else {
        w = ::sqrt(w) - 3;
        p = -0.000200214257;
        const double c[] = {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682};
        for (double k : c) p = k + p * w;
    }
    double x = p * y;
    for (int i = 0; i < 2; i++) x -= (::erf(x) - y) / (1.1283791670955126 * ::exp(-x * x));
    return x;
}
ECHO_BOTH float erfinvf(float y) { return (float)erfinv(y); }
ECHO_BOTH double erfcinv(double y) { return erfinv(1 - y); }
ECHO_BOTH float erfcinvf(float y) { return (float)erfinv(1 - (double)y); }
ECHO_BOTH double normcdfinv(double p) { return 1.4142135623730951 * erfinv(2 * p - 1); }
ECHO_BOTH float normcdfinvf(float p) { return (float)normcdfinv(p); }
ECHO_BOTH double erfcx(double x) { return ::exp(x * x) * ::erfc(x); }
ECHO_BOTH float erfcxf(float x) { return (float)erfcx(x); }
ECHO_BOTH float norm3df(float a, float b, float c) { return ::sqrtf(a * a + b * b + c * c); }
ECHO_BOTH double norm3d(double a, double b, double c) { return ::sqrt(a * a + b * b + c * c); }
ECHO_BOTH float rnorm3df(float a, float b, float c) { return 1.0f / norm3df(a, b, c); }
ECHO_BOTH double rnorm3d(double a, double b, double c) { return 1.0 / norm3d(a, b, c); }
ECHO_BOTH float norm4df(float a, float b, float c, float d) { return ::sqrtf(a * a + b * b + c * c + d * d); }
ECHO_BOTH double norm4d(double a, double b, double c, double d) { return ::sqrt(a * a + b * b + c * c + d * d); }
ECHO_BOTH float rhypotf(float a, float b) { return 1.0f / ::hypotf(a, b); }
ECHO_BOTH double rhypot(double a, double b) { return 1.0 / ::hypot(a, b); }
ECHO_BOTH float fdividef(float a, float b) { return a / b; }
ECHO_BOTH long long llmin(long long a, long long b) { return a < b ? a : b; }
ECHO_BOTH long long llmax(long long a, long long b) { return a > b ? a : b; }
ECHO_BOTH unsigned long long ullmin(unsigned long long a, unsigned long long b) { return a < b ? a : b; }
ECHO_BOTH unsigned long long ullmax(unsigned long long a, unsigned long long b) { return a > b ? a : b; }
// glibc declares some of these names, so they must be macros.
#define __expf(x) (::expf(x))
#define __exp10f(x) (::powf(10.0f, x))
#define __logf(x) (::logf(x))
#define __log2f(x) (::log2f(x))
#define __log10f(x) (::log10f(x))
#define __sinf(x) (::sinf(x))
#define __cosf(x) (::cosf(x))
#define __tanf(x) (::tanf(x))
#define __powf(x, y) (::powf(x, y))
#define __sincosf(x, s, c) (::sincosf(x, s, c))
#define __tanhf(x) (::tanhf(x))
