// Generators of random numbers. What a state holds is nobody's business but the generator's; how many
// cells it has says who may draw from it at once. The front end knows the functions by name.
#ifndef GRIDLOCK_CURAND
#define GRIDLOCK_CURAND
#include <gridlock_cuda.h>
#ifdef __CUDA__
typedef struct curandStateXORWOW { unsigned int state; } curandStateXORWOW_t, curandState_t, curandState;
typedef struct curandStateMRG32k3a { unsigned int state; } curandStateMRG32k3a_t;
typedef struct curandStatePhilox4_32_10 { unsigned int state; } curandStatePhilox4_32_10_t;
typedef struct curandStateSobol32 { unsigned int state; } curandStateSobol32_t;
typedef struct curandStateScrambledSobol32 { unsigned int state; } curandStateScrambledSobol32_t;
typedef struct curandStateSobol64 { unsigned int state; } curandStateSobol64_t;
typedef struct curandStateScrambledSobol64 { unsigned int state; } curandStateScrambledSobol64_t;
typedef unsigned int curandDirectionVectors32_t[32];
typedef unsigned long long curandDirectionVectors64_t[64];
typedef enum { CURAND_DIRECTION_VECTORS_32_JOEKUO6 = 101, CURAND_SCRAMBLED_DIRECTION_VECTORS_32_JOEKUO6 = 102 } curandDirectionVectorSet_t;
typedef enum { CURAND_STATUS_SUCCESS = 0 } curandStatus_t;
typedef curandStatus_t curandStatus;
typedef struct gridlock_generator *curandGenerator_t;
typedef enum { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MRG32K3A = 121, CURAND_RNG_PSEUDO_MTGP32 = 141, CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161, CURAND_RNG_QUASI_DEFAULT = 200 } curandRngType_t;
typedef curandRngType_t curandRngType;
typedef struct curandStateMtgp32 { unsigned int state[256]; } curandStateMtgp32_t;
template <class S> __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, S *);
template <class S> __device__ unsigned int curand(S *);
template <class S> __device__ float curand_uniform(S *);
template <class S> __device__ double curand_uniform_double(S *);
template <class S> __device__ float curand_normal(S *);
template <class S> __device__ double curand_normal_double(S *);
template <class S> __device__ unsigned int curand_poisson(S *, double);
#endif
#endif
