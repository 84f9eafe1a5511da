// What a CUDA translation unit may use without including anything. Declarations only: the front
// end knows these functions by name; those it has no meaning for are declared so that their use
// is named as such and not as an unknown identifier.
#pragma once
#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((managed))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __device__
#define __host__
#endif
#define __forceinline__ __inline__
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define CUDART_VERSION 12000
#define GRIDLOCK__ __host__ __device__

typedef __SIZE_TYPE__ size_t;
typedef unsigned int uint;
typedef unsigned short ushort;

struct dim3 {
  unsigned int x, y, z;
  GRIDLOCK__ constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
};

#define GRIDLOCK_VECTOR__(T, N)                      \
  struct N##1 { T x; };                              \
  struct N##2 { T x, y; };                           \
  struct N##3 { T x, y, z; };                        \
  struct N##4 { T x, y, z, w; };                     \
  GRIDLOCK__ N##1 make_##N##1(T);                    \
  GRIDLOCK__ N##2 make_##N##2(T, T);                 \
  GRIDLOCK__ N##3 make_##N##3(T, T, T);              \
  GRIDLOCK__ N##4 make_##N##4(T, T, T, T);
GRIDLOCK_VECTOR__(char, char)
GRIDLOCK_VECTOR__(unsigned char, uchar)
GRIDLOCK_VECTOR__(int, int)
GRIDLOCK_VECTOR__(unsigned int, uint)
GRIDLOCK_VECTOR__(float, float)
GRIDLOCK_VECTOR__(double, double)

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// Synchronisation.
extern "C" {
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ unsigned int __activemask();
__device__ unsigned int __ballot_sync(unsigned int, int);
__device__ int __all_sync(unsigned int, int);
__device__ int __any_sync(unsigned int, int);
__device__ long long clock64();
__device__ int clock();
__device__ void __nanosleep(unsigned int);
__device__ void __trap();
}

// Atomics. Templates keep the syntax tree small; the operand does not take part in deduction.
template <class T> struct gridlock_same { typedef T type; };
#define GRIDLOCK_ATOMIC__(F)                                                     \
  template <class T> __device__ T F(T *, typename gridlock_same<T>::type);       \
  template <class T> __device__ T F##_block(T *, typename gridlock_same<T>::type); \
  template <class T> __device__ T F##_system(T *, typename gridlock_same<T>::type);
GRIDLOCK_ATOMIC__(atomicAdd)
GRIDLOCK_ATOMIC__(atomicSub)
GRIDLOCK_ATOMIC__(atomicExch)
GRIDLOCK_ATOMIC__(atomicMin)
GRIDLOCK_ATOMIC__(atomicMax)
GRIDLOCK_ATOMIC__(atomicAnd)
GRIDLOCK_ATOMIC__(atomicOr)
GRIDLOCK_ATOMIC__(atomicXor)
GRIDLOCK_ATOMIC__(atomicInc)
GRIDLOCK_ATOMIC__(atomicDec)
template <class T>
__device__ T atomicCAS(T *, typename gridlock_same<T>::type, typename gridlock_same<T>::type);
template <class T>
__device__ T atomicCAS_block(T *, typename gridlock_same<T>::type, typename gridlock_same<T>::type);
template <class T>
__device__ T atomicCAS_system(T *, typename gridlock_same<T>::type, typename gridlock_same<T>::type);

// Warp shuffles.
template <class T> __device__ T __shfl_sync(unsigned int, T, int, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32);
template <class T> __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ unsigned int __match_any_sync(unsigned int, T);

// Arithmetic.
#define GRIDLOCK_MIN_MAX__(T)             \
  GRIDLOCK__ T min(T, T);                 \
  GRIDLOCK__ T max(T, T);
GRIDLOCK_MIN_MAX__(int)
GRIDLOCK_MIN_MAX__(unsigned int)
GRIDLOCK_MIN_MAX__(long)
GRIDLOCK_MIN_MAX__(unsigned long)
GRIDLOCK_MIN_MAX__(long long)
GRIDLOCK_MIN_MAX__(unsigned long long)
GRIDLOCK_MIN_MAX__(float)
GRIDLOCK_MIN_MAX__(double)
GRIDLOCK__ long abs(long);
GRIDLOCK__ long long abs(long long);
GRIDLOCK__ float abs(float);
GRIDLOCK__ double abs(double);
#define GRIDLOCK_FLOAT_OVERLOAD__(F) GRIDLOCK__ float F(float);
GRIDLOCK_FLOAT_OVERLOAD__(sqrt)
GRIDLOCK_FLOAT_OVERLOAD__(fabs)
GRIDLOCK_FLOAT_OVERLOAD__(floor)
GRIDLOCK_FLOAT_OVERLOAD__(ceil)
GRIDLOCK_FLOAT_OVERLOAD__(trunc)
extern "C" {
__device__ float __fadd_rn(float, float);
__device__ float __fsub_rn(float, float);
__device__ float __fmul_rn(float, float);
__device__ float __fdiv_rn(float, float);
__device__ float __fsqrt_rn(float);
__device__ float __fmaf_rn(float, float, float);
__device__ double __dadd_rn(double, double);
__device__ double __dmul_rn(double, double);
__device__ double __fma_rn(double, double, double);
__device__ float __fdividef(float, float);
__device__ float __expf(float);
__device__ float __logf(float);
__device__ float __sinf(float);
__device__ float __cosf(float);
__device__ float __powf(float, float);
__device__ float rsqrtf(float);
__device__ int __mul24(int, int);
__device__ unsigned int __umul24(unsigned int, unsigned int);
__device__ int __popc(unsigned int);
__device__ int __clz(int);
__device__ int __ffs(int);
__device__ unsigned int __brev(unsigned int);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ unsigned int __float_as_uint(float);
__device__ float __uint_as_float(unsigned int);
__device__ unsigned int __umulhi(unsigned int, unsigned int);
__device__ unsigned int umin(unsigned int, unsigned int);
__device__ unsigned int umax(unsigned int, unsigned int);
}

// The runtime.
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorUnknown = 999
} cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem;
  size_t sharedMemPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int maxThreadsDim[3];
  int maxGridSize[3];
  int multiProcessorCount;
  int major;
  int minor;
};
extern "C" {
GRIDLOCK__ cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
GRIDLOCK__ cudaError_t cudaMalloc(void **, size_t);
GRIDLOCK__ cudaError_t cudaMallocHost(void **, size_t);
GRIDLOCK__ cudaError_t cudaMallocManaged(void **, size_t, unsigned int = 1);
GRIDLOCK__ cudaError_t cudaFree(void *);
GRIDLOCK__ cudaError_t cudaFreeHost(void *);
GRIDLOCK__ cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
GRIDLOCK__ cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                                       cudaStream_t = 0);
GRIDLOCK__ cudaError_t cudaMemset(void *, int, size_t);
GRIDLOCK__ cudaError_t cudaDeviceSynchronize();
GRIDLOCK__ cudaError_t cudaThreadSynchronize();
GRIDLOCK__ cudaError_t cudaDeviceReset();
GRIDLOCK__ cudaError_t cudaSetDevice(int);
GRIDLOCK__ cudaError_t cudaGetDevice(int *);
GRIDLOCK__ cudaError_t cudaGetDeviceCount(int *);
GRIDLOCK__ cudaError_t cudaGetDeviceProperties(cudaDeviceProp *, int);
GRIDLOCK__ cudaError_t cudaGetLastError();
GRIDLOCK__ cudaError_t cudaPeekAtLastError();
GRIDLOCK__ const char *cudaGetErrorString(cudaError_t);
GRIDLOCK__ const char *cudaGetErrorName(cudaError_t);
GRIDLOCK__ cudaError_t cudaStreamCreate(cudaStream_t *);
GRIDLOCK__ cudaError_t cudaStreamDestroy(cudaStream_t);
GRIDLOCK__ cudaError_t cudaStreamSynchronize(cudaStream_t);
GRIDLOCK__ cudaError_t cudaEventCreate(cudaEvent_t *);
GRIDLOCK__ cudaError_t cudaEventDestroy(cudaEvent_t);
GRIDLOCK__ cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
GRIDLOCK__ cudaError_t cudaEventSynchronize(cudaEvent_t);
GRIDLOCK__ cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
}
template <class T> GRIDLOCK__ cudaError_t cudaMalloc(T **, size_t);
template <class T> GRIDLOCK__ cudaError_t cudaMallocHost(T **, size_t);
template <class T> GRIDLOCK__ cudaError_t cudaMallocManaged(T **, size_t, unsigned int = 1);
template <class T>
GRIDLOCK__ cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                                          cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
GRIDLOCK__ cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                            cudaMemcpyKind = cudaMemcpyDeviceToHost);

// Specification macros of GPUVerify's test suite: preconditions and assertions keep their
// meaning; hints to its prover have none here.
#define __requires(condition) gridlock_assume__(condition)
#define __assume(condition) gridlock_assume__(condition)
#define __assert(condition) gridlock_assert__(condition)
#define __implies(a, b) (!(a) || (b))
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __ensures(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)

#include <stddef.h>
#include <gridlock_libc.h>
