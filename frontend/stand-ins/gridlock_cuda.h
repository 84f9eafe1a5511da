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
struct uint3 { unsigned int x, y, z; };
struct dim3 {
  unsigned int x, y, z;
  constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1)
      : x(x_), y(y_), z(z_) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
};
#pragma clang force_cuda_host_device end

// The operand takes no part in deduction: `atomicAdd(&an_unsigned, 1)`.
template <class T> struct gridlock_same { typedef T type; };

// What a file cannot name is left out: clang takes as long for these parts as for most files.
#pragma clang force_cuda_host_device begin
#ifndef GRIDLOCK_WITHOUT_VECTORS
#include <gridlock_vectors.h>
#endif
#ifndef GRIDLOCK_WITHOUT_ATOMICS
#include <gridlock_atomics.h>
#endif
#ifndef GRIDLOCK_WITHOUT_MATH
#include <gridlock_overloads.h>
#endif
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

#ifndef GRIDLOCK_WITHOUT_INTRINSICS
#include <gridlock_intrinsics.h>
#endif

#pragma clang force_cuda_host_device begin
#ifndef GRIDLOCK_WITHOUT_RUNTIME
#include <gridlock_runtime.h>
#endif

#include <stddef.h>
#include <stdint.h>
#include <limits.h>
#ifndef GRIDLOCK_WITHOUT_LIBC
#include <stdlib.h>
#include <assert.h>
#include <gridlock_libc.h>
#ifdef __CUDA__
#include <math.h>
#endif
#endif
#pragma clang force_cuda_host_device end

#if defined __CUDA__ && !defined GRIDLOCK_WITHOUT_MACHINE
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

#ifndef GRIDLOCK_WITHOUT_TEXTURES
#include <texture_reference.h>
#endif
#if defined __CUDA__ && !defined GRIDLOCK_WITHOUT_INTEGER
#include <gridlock_integer.h>
#endif

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
