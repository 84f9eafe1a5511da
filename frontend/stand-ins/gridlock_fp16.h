// Numbers of 16 bits: 5 of exponent, 10 of fraction.
#pragma once
#include <math.h>
#ifdef __CUDA__
#include <gridlock_nearest.h>
struct __nv_bfloat16;
struct __half_raw {
  unsigned short x;
};
struct __half {
  unsigned short bits;
  static const int infinite = 0x7c00;
  __half() = default;
  __host__ __device__ __half(float x) : bits(of_float(x)) {}
  __host__ __device__ explicit __half(const __nv_bfloat16 &x);
#include <gridlock_half_members.h>
  __host__ __device__ operator float() const { return as_float(); }
  __host__ __device__ float as_float() const {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31  ? INFINITY
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return (bits & 0x7fff) > infinite ? NAN : bits >> 15 ? -value : value;
  }
  __host__ __device__ static unsigned short of_float(float x) {
    float size = fabsf(x);
    int power;
    frexpf(size, &power);
    int magnitude = !(size < 65520.0f) ? infinite
                    : size < 6.103515625e-05f ? (int)rintf(ldexpf(size, 24))
                                        : (power + 13) * 1024 + (int)rintf(ldexpf(size, 11 - power));
    return (unsigned short)(x != x ? 0x7fff : (signbit(x) ? 0x8000 : 0) + magnitude);
  }
  __host__ __device__ static unsigned short of_double(double x) {
    double size = fabs(x);
    int magnitude = !(size < 65520.0) ? infinite : gridlock_rounded(size, 11, -14);
    return (unsigned short)(x != x ? 0x7fff : (signbit(x) ? 0x8000 : 0) + magnitude);
  }
};
typedef __half half;
typedef __half nv_half;
typedef __half __nv_half;
typedef __half_raw __nv_half_raw;
#include <gridlock_half.h>
typedef __half2 half2;
typedef __half2 nv_half2;
typedef __half2 __nv_half2;
typedef __half2_raw __nv_half2_raw;
#define CUDART_INF_FP16 __half(__half_raw{0x7c00})
#define CUDART_NAN_FP16 __half(__half_raw{0x7fff})
#define CUDART_MIN_DENORM_FP16 __half(__half_raw{0x0001})
#define CUDART_MAX_NORMAL_FP16 __half(__half_raw{0x7bff})
#define CUDART_NEG_ZERO_FP16 __half(__half_raw{0x8000})
#define CUDART_ZERO_FP16 __half(__half_raw{0})
#define CUDART_ONE_FP16 __half(__half_raw{0x3c00})
#ifndef GRIDLOCK_WITHOUT_REST_OF_HALF
#include <gridlock_half_rest.h>
#endif
#endif
