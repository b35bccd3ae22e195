// cuRAND, host interface. The sequences are the emulator's own, not NVIDIA's.
#pragma once
#include "cuda_runtime.h"
typedef enum {
    CURAND_STATUS_SUCCESS = 0, CURAND_STATUS_VERSION_MISMATCH = 100, CURAND_STATUS_NOT_INITIALIZED = 101,
    CURAND_STATUS_ALLOCATION_FAILED = 102, CURAND_STATUS_TYPE_ERROR = 103, CURAND_STATUS_OUT_OF_RANGE = 104,
    CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105, CURAND_STATUS_LAUNCH_FAILURE = 201, CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef curandStatus_t curandStatus;
typedef enum {
    CURAND_RNG_TEST = 0, CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121,
    CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_MT19937 = 142, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
    CURAND_RNG_QUASI_DEFAULT = 200, CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef curandRngType_t curandRngType;
typedef enum { CURAND_ORDERING_PSEUDO_BEST = 100, CURAND_ORDERING_PSEUDO_DEFAULT = 101, CURAND_ORDERING_PSEUDO_SEEDED = 102, CURAND_ORDERING_PSEUDO_LEGACY = 103, CURAND_ORDERING_PSEUDO_DYNAMIC = 104 } curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *g, curandRngType_t t);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *g, curandRngType_t t);
curandStatus_t curandDestroyGenerator(curandGenerator_t g);
curandStatus_t curandSetStream(curandGenerator_t g, cudaStream_t s);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t g, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t g, curandOrdering_t o);
curandStatus_t curandGenerate(curandGenerator_t g, unsigned *p, size_t n);
curandStatus_t curandGenerateLongLong(curandGenerator_t g, unsigned long long *p, size_t n);
curandStatus_t curandGenerateUniform(curandGenerator_t g, float *p, size_t n);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t g, double *p, size_t n);
curandStatus_t curandGenerateNormal(curandGenerator_t g, float *p, size_t n, float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t g, double *p, size_t n, double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t g, float *p, size_t n, float mean, float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t g, double *p, size_t n, double mean, double deviation);
}
