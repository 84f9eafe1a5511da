// Numbers of 16 bits that are the upper half of a `float`: 8 of exponent, 7 of fraction.
#pragma once
#ifdef __CUDA__
struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat16 {
  unsigned short bits;
  static const int infinite = 0x7f80;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float x) : bits(of_float(x)) {}
  __host__ __device__ explicit __nv_bfloat16(const __half &x) : bits(of_float(x.as_float())) {}
#include <gridlock_bfloat_members.h>
  __host__ __device__ operator float() const { return as_float(); }
  __host__ __device__ float as_float() const { return __uint_as_float((unsigned int)bits << 16); }
  __host__ __device__ static unsigned short of_float(float x) {
    unsigned int whole = __float_as_uint(x);
    unsigned int rounded = whole + 0x7fffu + (whole >> 16 & 1u);
    return x != x ? (unsigned short)0x7fff : (unsigned short)(rounded >> 16);
  }
  __host__ __device__ static unsigned short of_double(double x) {
    double size = fabs(x);
    int magnitude = !(size < 0x1.ffp127) ? infinite : gridlock_rounded(size, 8, -126);
    return (unsigned short)(x != x ? 0x7fff : (signbit(x) ? 0x8000 : 0) + magnitude);
  }
};
inline __host__ __device__ __half::__half(const __nv_bfloat16 &x) { bits = of_float(x.as_float()); }
typedef __nv_bfloat16 nv_bfloat16;
#include <gridlock_bfloat.h>
typedef __nv_bfloat162 nv_bfloat162;
#define CUDART_INF_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x7f80})
#define CUDART_NAN_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x7fff})
#define CUDART_MIN_DENORM_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x0001})
#define CUDART_MAX_NORMAL_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x7f7f})
#define CUDART_NEG_ZERO_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x8000})
#define CUDART_ZERO_BF16 __nv_bfloat16(__nv_bfloat16_raw{0})
#define CUDART_ONE_BF16 __nv_bfloat16(__nv_bfloat16_raw{0x3f80})
#ifndef GRIDLOCK_WITHOUT_REST_OF_BFLOAT
#include <gridlock_bfloat_rest.h>
#endif
#endif
