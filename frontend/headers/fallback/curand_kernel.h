// cuRAND, device interface.
#ifndef ECHO_CURAND_KERNEL_H
#define ECHO_CURAND_KERNEL_H
#include "curand.h"
#ifdef __CUDA__
#define ECHO_RANDOM_STATE(name)                                                                                       \
    typedef struct name { unsigned int state[12]; } name##_t;
ECHO_RANDOM_STATE(curandStateXORWOW)
ECHO_RANDOM_STATE(curandStatePhilox4_32_10)
ECHO_RANDOM_STATE(curandStateMRG32k3a)
ECHO_RANDOM_STATE(curandStateSobol32)
ECHO_RANDOM_STATE(curandStateScrambledSobol32)
ECHO_RANDOM_STATE(curandStateSobol64)
ECHO_RANDOM_STATE(curandStateMtgp32)
typedef curandStateXORWOW curandState;
typedef curandState curandState_t;
template <class State>
ECHO_D void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, State *state);
template <class State> ECHO_D void curand_init(unsigned int *vectors, unsigned int offset, State *state);
template <class State> ECHO_D void curand_init(unsigned int *vectors, unsigned int scramble, unsigned int offset, State *state);
template <class State> ECHO_D unsigned int curand(State *state);
template <class State> ECHO_D uint4 curand4(State *state);
template <class State> ECHO_D float curand_uniform(State *state);
template <class State> ECHO_D float4 curand_uniform4(State *state);
template <class State> ECHO_D double curand_uniform_double(State *state);
template <class State> ECHO_D double2 curand_uniform2_double(State *state);
template <class State> ECHO_D float curand_normal(State *state);
template <class State> ECHO_D float2 curand_normal2(State *state);
template <class State> ECHO_D float4 curand_normal4(State *state);
template <class State> ECHO_D double curand_normal_double(State *state);
template <class State> ECHO_D double2 curand_normal2_double(State *state);
template <class State> ECHO_D float curand_log_normal(State *state, float mean, float deviation);
template <class State> ECHO_D double curand_log_normal_double(State *state, double mean, double deviation);
template <class State> ECHO_D unsigned int curand_poisson(State *state, double lambda);
template <class State> ECHO_D void skipahead(unsigned long long count, State *state);
template <class State> ECHO_D void skipahead_sequence(unsigned long long count, State *state);
#endif
#endif
