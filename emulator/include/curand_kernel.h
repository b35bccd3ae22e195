// cuRAND, device interface: a counter hashed with SplitMix64. The sequences are the emulator's own, not NVIDIA's.
#pragma once
#include "curand.h"
struct echo_random_state { unsigned long long key, counter; float spare; int has_spare; };
typedef echo_random_state curandState, curandState_t, curandStateXORWOW, curandStateXORWOW_t, curandStatePhilox4_32_10,
    curandStatePhilox4_32_10_t, curandStateMRG32k3a, curandStateMRG32k3a_t, curandStateMtgp32_t, curandStateSobol32_t;
#define QUALIFIERS static __forceinline__ __device__
ECHO_BOTH unsigned long long echo_hash(unsigned long long x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}
ECHO_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, echo_random_state *s) {
    s->key = echo_hash(seed * 0x9E3779B97F4A7C15ull ^ echo_hash(sequence));
    s->counter = offset;
    s->spare = 0;
    s->has_spare = 0;
}
ECHO_DEVICE unsigned curand(echo_random_state *s) { return (unsigned)(echo_hash(s->key ^ s->counter++ * 0xD1342543DE82EF95ull) >> 32); }
ECHO_DEVICE uint4 curand4(echo_random_state *s) { uint4 r; r.x = curand(s); r.y = curand(s); r.z = curand(s); r.w = curand(s); return r; }
ECHO_DEVICE float curand_uniform(echo_random_state *s) { return ((curand(s) >> 8) + 1) * (1.0f / 16777216.0f); }
ECHO_DEVICE double curand_uniform_double(echo_random_state *s) {
    unsigned long long high = curand(s), low = curand(s);
    return (double)(((high << 32 | low) >> 11) + 1) * (1.0 / 9007199254740992.0);
}
ECHO_DEVICE float4 curand_uniform4(echo_random_state *s) { float4 r; r.x = curand_uniform(s); r.y = curand_uniform(s); r.z = curand_uniform(s); r.w = curand_uniform(s); return r; }
ECHO_DEVICE double2 curand_uniform2_double(echo_random_state *s) { double2 r; r.x = curand_uniform_double(s); r.y = curand_uniform_double(s); return r; }
ECHO_DEVICE float2 curand_normal2(echo_random_state *s) {
    float u = curand_uniform(s), v = curand_uniform(s), r = ::sqrtf(-2.0f * ::logf(u));
    return make_float2(r * ::sinf(6.2831853f * v), r * ::cosf(6.2831853f * v));
}
ECHO_DEVICE float curand_normal(echo_random_state *s) {
    if (s->has_spare) { s->has_spare = 0; return s->spare; }
    float2 r = curand_normal2(s);
    s->spare = r.y;
    s->has_spare = 1;
    return r.x;
}
ECHO_DEVICE float4 curand_normal4(echo_random_state *s) { float2 a = curand_normal2(s), b = curand_normal2(s); return make_float4(a.x, a.y, b.x, b.y); }
ECHO_DEVICE double2 curand_normal2_double(echo_random_state *s) {
    double u = curand_uniform_double(s), v = curand_uniform_double(s), r = ::sqrt(-2.0 * ::log(u));
    return make_double2(r * ::sin(6.283185307179586 * v), r * ::cos(6.283185307179586 * v));
}
ECHO_DEVICE double curand_normal_double(echo_random_state *s) { return curand_normal2_double(s).x; }
ECHO_DEVICE float curand_log_normal(echo_random_state *s, float mean, float deviation) { return ::expf(mean + deviation * curand_normal(s)); }
ECHO_DEVICE unsigned curand_poisson(echo_random_state *s, double lambda) {
    // Knuth's product for small rates, a rounded normal for large ones.
    if (lambda > 60) { double x = lambda + ::sqrt(lambda) * curand_normal_double(s) + 0.5; return x < 0 ? 0u : (unsigned)x; }
    double limit = ::exp(-lambda), p = 1;
    unsigned k = 0;
    do { p *= curand_uniform_double(s); k++; } while (p > limit);
    return k - 1;
}
ECHO_DEVICE void skipahead(unsigned long long n, echo_random_state *s) { s->counter += n; }
