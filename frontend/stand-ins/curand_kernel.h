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
