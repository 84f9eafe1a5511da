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
#define __managed__ __attribute__((device)) __attribute__((annotate("managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#else
#define __device__
#define __host__
#endif
#define __forceinline__ __inline__
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 76
#define CUDART_VERSION 12000
// Guards of the toolkit's own headers, which every unit includes; programs ask whether they are there.
#define __DRIVER_TYPES_H__
#define __VECTOR_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__

#ifndef size_t
typedef __SIZE_TYPE__ size_t;
#endif
#ifndef uint
typedef unsigned int uint;
#endif
typedef unsigned short ushort;
#ifndef ulong
typedef unsigned long ulong;
#endif
#define __grid_constant__
#define __maxnreg__(n)
#define __block_size__(...)

#pragma clang force_cuda_host_device begin
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
};
#pragma clang force_cuda_host_device end

// The vector types, the atomics and the overloads of min and max: one declaration a type.
#pragma clang force_cuda_host_device begin
#include <gridlock_families.h>
#pragma clang force_cuda_host_device end

extern const __device__ uint3 threadIdx;
extern const __device__ uint3 blockIdx;
extern const __device__ dim3 blockDim;
extern const __device__ dim3 gridDim;
extern const __device__ int warpSize;

// Synchronisation.
extern "C" {
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __barrier_sync(unsigned int);
__device__ void __barrier_sync_count(unsigned int, unsigned int);
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
__device__ void __nanosleep(unsigned int);
__device__ void __trap();
}

// Warp shuffles.
template <class T> __device__ T __shfl_sync(unsigned int, T, int, int = 32);
template <class T> __device__ T __shfl_up_sync(unsigned int, T, unsigned int, int = 32);
template <class T> __device__ T __shfl_down_sync(unsigned int, T, unsigned int, int = 32);
template <class T> __device__ T __shfl_xor_sync(unsigned int, T, int, int = 32);
template <class T> __device__ T __ldg(const T *);
template <class T> __device__ unsigned int __match_any_sync(unsigned int, T);
template <class T> __device__ unsigned int __match_all_sync(unsigned int, T, int *);
__device__ int __reduce_add_sync(unsigned int, int);
__device__ unsigned int __reduce_add_sync(unsigned int, unsigned int);
__device__ int __reduce_min_sync(unsigned int, int);
__device__ unsigned int __reduce_min_sync(unsigned int, unsigned int);
__device__ int __reduce_max_sync(unsigned int, int);
__device__ unsigned int __reduce_max_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_and_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_or_sync(unsigned int, unsigned int);
__device__ unsigned int __reduce_xor_sync(unsigned int, unsigned int);
// Without a mask: refused by name.
template <class T> __device__ T __shfl(T, int, int = 32);
template <class T> __device__ T __shfl_up(T, unsigned int, int = 32);
template <class T> __device__ T __shfl_down(T, unsigned int, int = 32);
template <class T> __device__ T __shfl_xor(T, int, int = 32);
__device__ unsigned int __ballot(int);
__device__ int __all(int);
__device__ int __any(int);

// Arithmetic.
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
__device__ double __dsub_rn(double, double);
__device__ double __ddiv_rn(double, double);
__device__ double __dsqrt_rn(double);
__device__ float __frcp_rn(float);
__device__ double __drcp_rn(double);
__device__ float __frsqrt_rn(float);
__device__ float __saturatef(float);
__device__ float __fdividef(float, float);
__host__ __device__ float fdividef(float, float);
__device__ float __expf(float);
__device__ float __logf(float);
__device__ float __sinf(float);
__device__ float __cosf(float);
__device__ float __powf(float, float);
__device__ float __exp10f(float);
__device__ float __log2f(float);
__device__ float __log10f(float);
__device__ float __tanf(float);
__device__ float __tanhf(float);
__device__ void __sincosf(float, float *, float *);
__host__ __device__ void sincosf(float, float *, float *);
__host__ __device__ void sincos(double, double *, double *);
__host__ __device__ void sincospif(float, float *, float *);
__host__ __device__ void sincospi(double, double *, double *);
__host__ __device__ float norm3df(float, float, float);
__host__ __device__ double norm3d(double, double, double);
__host__ __device__ float rnorm3df(float, float, float);
__device__ int __float2int_rn(float);
__device__ int __float2int_rz(float);
__device__ int __float2int_ru(float);
__device__ int __float2int_rd(float);
__device__ unsigned int __float2uint_rn(float);
__device__ unsigned int __float2uint_rz(float);
__device__ unsigned int __float2uint_ru(float);
__device__ unsigned int __float2uint_rd(float);
__device__ long long __float2ll_rn(float);
__device__ long long __float2ll_rz(float);
__device__ unsigned long long __float2ull_rn(float);
__device__ unsigned long long __float2ull_rz(float);
__device__ int __double2int_rn(double);
__device__ int __double2int_rz(double);
__device__ int __double2int_ru(double);
__device__ int __double2int_rd(double);
__device__ unsigned int __double2uint_rn(double);
__device__ unsigned int __double2uint_rz(double);
__device__ long long __double2ll_rn(double);
__device__ long long __double2ll_rz(double);
__device__ float __double2float_rn(double);
__device__ float __int2float_rn(int);
__device__ float __uint2float_rn(unsigned int);
__device__ float __ll2float_rn(long long);
__device__ float __ull2float_rn(unsigned long long);
__device__ double __int2double_rn(int);
__device__ double __uint2double_rn(unsigned int);
__device__ double __ll2double_rn(long long);
__device__ double __ull2double_rn(unsigned long long);
__device__ int __mul24(int, int);
__device__ unsigned int __umul24(unsigned int, unsigned int);
__device__ int __popc(unsigned int);
__device__ int __popcll(unsigned long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ unsigned int __brev(unsigned int);
__device__ unsigned long long __brevll(unsigned long long);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ unsigned int __float_as_uint(float);
__device__ float __uint_as_float(unsigned int);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
__device__ double __hiloint2double(int, int);
__device__ unsigned int __umulhi(unsigned int, unsigned int);
__device__ int __mulhi(int, int);
__device__ long long __mul64hi(long long, long long);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ unsigned int __sad(int, int, unsigned int);
__device__ unsigned int __usad(unsigned int, unsigned int, unsigned int);
__device__ int __hadd(int, int);
__device__ int __rhadd(int, int);
__device__ unsigned int __uhadd(unsigned int, unsigned int);
__device__ unsigned int __urhadd(unsigned int, unsigned int);
__device__ unsigned int __byte_perm(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_l(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_lc(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_r(unsigned int, unsigned int, unsigned int);
__device__ unsigned int __funnelshift_rc(unsigned int, unsigned int, unsigned int);
__device__ long long llmin(long long, long long);
__device__ long long llmax(long long, long long);
__device__ unsigned long long ullmin(unsigned long long, unsigned long long);
__device__ unsigned long long ullmax(unsigned long long, unsigned long long);
__device__ unsigned int umin(unsigned int, unsigned int);
__device__ unsigned int umax(unsigned int, unsigned int);
}

__device__ int __dp4a(int, int, int);
__device__ unsigned int __dp4a(unsigned int, unsigned int, unsigned int);
__device__ size_t __cvta_generic_to_shared(const void *);
__device__ size_t __cvta_generic_to_global(const void *);
template <class T> __device__ T __ldca(const T *);
template <class T> __device__ T __ldcg(const T *);
template <class T> __device__ T __ldcs(const T *);
template <class T> __device__ T __ldlu(const T *);
template <class T> __device__ T __ldcv(const T *);
template <class T> __device__ void __stwb(T *, typename gridlock_same<T>::type);
template <class T> __device__ void __stcg(T *, typename gridlock_same<T>::type);
template <class T> __device__ void __stcs(T *, typename gridlock_same<T>::type);
template <class T> __device__ void __stwt(T *, typename gridlock_same<T>::type);

// The runtime.
#pragma clang force_cuda_host_device begin
typedef enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorPeerAccessAlreadyEnabled = 704,
  cudaErrorAssert = 710,
  cudaErrorLaunchFailure = 719,
  cudaErrorNotSupported = 801,
  cudaErrorUnknown = 999
} cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
cudaStream_t gridlock_per_thread_stream(void);
#define cudaStreamLegacy ((cudaStream_t)0)
#define cudaStreamPerThread gridlock_per_thread_stream()
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
  int clockRate, memoryClockRate, memoryBusWidth, l2CacheSize;
  int maxThreadsPerMultiProcessor, maxBlocksPerMultiProcessor, regsPerBlock, regsPerMultiprocessor;
  size_t totalConstMem, sharedMemPerMultiprocessor, sharedMemPerBlockOptin, memPitch, textureAlignment;
  int concurrentKernels, asyncEngineCount, deviceOverlap, canMapHostMemory, unifiedAddressing, integrated;
  int computeMode, cooperativeLaunch, managedMemory, concurrentManagedAccess, pageableMemoryAccess;
  int ECCEnabled, tccDriver, pciBusID, pciDeviceID, pciDomainID, kernelExecTimeoutEnabled;
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxBlockDimX = 2,
  cudaDevAttrMaxBlockDimY = 3,
  cudaDevAttrMaxBlockDimZ = 4,
  cudaDevAttrMaxGridDimX = 5,
  cudaDevAttrMaxGridDimY = 6,
  cudaDevAttrMaxGridDimZ = 7,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrTotalConstantMemory = 9,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMaxRegistersPerBlock = 12,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMemoryClockRate = 36,
  cudaDevAttrGlobalMemoryBusWidth = 37,
  cudaDevAttrL2CacheSize = 38,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39,
  cudaDevAttrUnifiedAddressing = 41,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76,
  cudaDevAttrManagedMemory = 83,
  cudaDevAttrConcurrentManagedAccess = 89,
  cudaDevAttrCooperativeLaunch = 95,
  cudaDevAttrMaxSharedMemoryPerBlockOptin = 97
};
enum cudaFuncAttribute {
  cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
  cudaFuncAttributePreferredSharedMemoryCarveout = 9
};
enum cudaFuncCache {
  cudaFuncCachePreferNone,
  cudaFuncCachePreferShared,
  cudaFuncCachePreferL1,
  cudaFuncCachePreferEqual
};
enum cudaSharedMemConfig {
  cudaSharedMemBankSizeDefault,
  cudaSharedMemBankSizeFourByte,
  cudaSharedMemBankSizeEightByte
};
enum cudaLimit { cudaLimitStackSize, cudaLimitPrintfFifoSize, cudaLimitMallocHeapSize };
enum cudaMemoryAdvise {
  cudaMemAdviseSetReadMostly = 1,
  cudaMemAdviseUnsetReadMostly,
  cudaMemAdviseSetPreferredLocation,
  cudaMemAdviseUnsetPreferredLocation,
  cudaMemAdviseSetAccessedBy,
  cudaMemAdviseUnsetAccessedBy
};
#define cudaCpuDeviceId (-1)
#define cudaMemAttachGlobal 1u
#define cudaMemAttachHost 2u
#define cudaMemAttachSingle 4u
#define cudaDeviceScheduleAuto 0
#define cudaDeviceScheduleSpin 1
#define cudaDeviceScheduleYield 2
#define cudaDeviceScheduleBlockingSync 4
#define cudaDeviceMapHost 8
extern "C" {
cudaError_t cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaMalloc(void **, size_t);
cudaError_t cudaMallocHost(void **, size_t);
cudaError_t cudaMallocManaged(void **, size_t, unsigned int = 1);
cudaError_t cudaFree(void *);
cudaError_t cudaFreeHost(void *);
cudaError_t cudaMemcpy(void *, const void *, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpyAsync(void *, const void *, size_t, enum cudaMemcpyKind,
                                       cudaStream_t = 0);
cudaError_t cudaMemset(void *, int, size_t);
cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
cudaError_t cudaMemcpy2D(void *, size_t, const void *, size_t, size_t, size_t, enum cudaMemcpyKind);
cudaError_t cudaMemcpy2DAsync(void *, size_t, const void *, size_t, size_t, size_t,
                              enum cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemset2D(void *, size_t, int, size_t, size_t);
cudaError_t cudaMallocPitch(void **, size_t *, size_t, size_t);
cudaError_t cudaMallocAsync(void **, size_t, cudaStream_t);
cudaError_t cudaFreeAsync(void *, cudaStream_t);
cudaError_t cudaMemPrefetchAsync(const void *, size_t, int, cudaStream_t = 0);
cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise, int);
cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t = 0, unsigned int = 4);
cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int);
cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig);
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaSetDeviceFlags(unsigned int);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaLaunchKernel(const void *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
cudaError_t cudaLaunchCooperativeKernel(const void *, dim3, dim3, void **, size_t = 0,
                                        cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaDeviceReset();
cudaError_t cudaSetDevice(int);
cudaError_t cudaGetDevice(int *);
cudaError_t cudaGetDeviceCount(int *);
cudaError_t cudaGetLastError();
cudaError_t cudaPeekAtLastError();
const char *cudaGetErrorString(cudaError_t);
const char *cudaGetErrorName(cudaError_t);
cudaError_t cudaHostAlloc(void **, size_t, unsigned int);
cudaError_t cudaStreamCreate(cudaStream_t *);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *, unsigned int);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *, unsigned int, int);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned int = 0);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t *);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *, unsigned int);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float *, cudaEvent_t, cudaEvent_t);
}
template <class T> cudaError_t cudaMalloc(T **, size_t);
template <class T> cudaError_t cudaMallocHost(T **, size_t);
template <class T> cudaError_t cudaHostAlloc(T **, size_t, unsigned int);
template <class T>
cudaError_t cudaLaunchCooperativeKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class T> cudaError_t cudaLaunchKernel(T *, dim3, dim3, void **, size_t = 0, cudaStream_t = 0);
template <class T> cudaError_t cudaMallocManaged(T **, size_t, unsigned int = 1);
template <class T> cudaError_t cudaMallocPitch(T **, size_t *, size_t, size_t);
template <class T> cudaError_t cudaMallocAsync(T **, size_t, cudaStream_t);
template <class T> cudaError_t cudaFuncSetAttribute(T *, cudaFuncAttribute, int);
template <class T> cudaError_t cudaFuncSetCacheConfig(T *, cudaFuncCache);
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T &, const void *, size_t, size_t = 0,
                                    cudaMemcpyKind = cudaMemcpyHostToDevice, cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void *, const T &, size_t, size_t = 0,
                                      cudaMemcpyKind = cudaMemcpyDeviceToHost, cudaStream_t = 0);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &, const void *, size_t, size_t = 0,
                                          cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void *, const T &, size_t, size_t = 0,
                                            cudaMemcpyKind = cudaMemcpyDeviceToHost);

#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#include <stdlib.h>
#include <assert.h>
#include <gridlock_libc.h>
#ifdef __CUDA__
#include <math.h>
#endif
#pragma clang force_cuda_host_device end

#ifdef __CUDA__
#include <gridlock_machine.h>
#endif

// Specification macros of GPUVerify's test suite: preconditions and assertions keep their
// meaning. What speaks of its own proof (which accesses were recorded, what all threads agree on)
// has none: a condition that names any of these functions is a hint, and passed over.
#define gridlock_axiom_named__(n, condition) \
  __device__ static bool gridlock_axiom_##n() { return condition; }
#define gridlock_axiom_numbered__(n, condition) gridlock_axiom_named__(n, condition)
#define __axiom(condition) gridlock_axiom_numbered__(__COUNTER__, (condition))
#define __requires(condition) gridlock_requires__(condition)
#define __assume(condition) gridlock_assume__(condition)
#define __assert(condition) gridlock_assert__(condition)
#define __implies(a, b) (!(a) || (b))
#define __invariant(...) ((void)0)
#define __global_invariant(...) ((void)0)
#define __function_wide_invariant(...) ((void)0)
#define __candidate_invariant(...) ((void)0)
#define __ensures(...) ((void)0)
#define __global_ensures(...) ((void)0)
#define __requires_fresh_array(...) ((void)0)
#define __global_requires(condition) gridlock_requires__(condition)
#define __enabled() true
#define __uniform_bool(x) gridlock_hint__()
#define __uniform_int(x) gridlock_hint__()
#define __distinct_bool(x) gridlock_hint__()
#define __distinct_int(x) gridlock_hint__()
#define __other_bool(x) gridlock_hint__()
#define __other_int(x) (int)gridlock_hint__()
#define __all_bool(x) gridlock_hint__()
#define __at_most_one(x) gridlock_hint__()
#define __read(p) gridlock_hint__()
#define __write(p) gridlock_hint__()
#define __no_read(p) gridlock_hint__()
#define __no_write(p) gridlock_hint__()
#define __read_implies(p, x) gridlock_hint__()
#define __write_implies(p, x) gridlock_hint__()
#define __read_offset_bytes(p) (unsigned int)gridlock_hint__()
#define __write_offset_bytes(p) (unsigned int)gridlock_hint__()
#define __ptr_offset_bytes(p) (unsigned int)gridlock_hint__()
#ifdef __CUDA__
#pragma clang force_cuda_host_device begin
#endif
bool gridlock_hint__();
#ifdef __CUDA__
#pragma clang force_cuda_host_device end
#endif

#include <texture_reference.h>

// What the file defines itself was a macro up to here.
#ifdef GRIDLOCK_OWN_TYPES
#undef int8_t
#undef int16_t
#undef int32_t
#undef int64_t
#undef uint8_t
#undef uint16_t
#undef uint32_t
#undef uint64_t
#undef intptr_t
#undef uintptr_t
#undef size_t
#undef ptrdiff_t
#undef uint
#undef ulong
#endif
