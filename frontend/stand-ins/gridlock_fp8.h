// Numbers of 8 bits: 4 of exponent and 3 of fraction, without infinities, or 5 and 2; and 8 of exponent alone.
#pragma once
#ifdef __CUDA__
typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  double size = fabs(x);
  int largest = kind == __NV_E4M3 ? 0x7e : 0x7b;
  int beyond = saturate == __NV_SATFINITE ? largest : largest + 1;
  int magnitude = !(size < 65536.0) ? beyond : kind == __NV_E4M3 ? gridlock_rounded(size, 4, -6) : gridlock_rounded(size, 3, -14);
  int nan = kind == __NV_E4M3 ? 0x7f : 0x7e | (int)((unsigned long long)__double_as_longlong(x) >> 50 & 3);
  return (__nv_fp8_storage_t)((x != x ? nan : magnitude > largest ? beyond : magnitude) + (signbit(x) ? 0x80 : 0));
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return x != x ? (__nv_fp8_storage_t)0x7f : __nv_cvt_double_to_fp8((double)x, saturate, kind);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__half(x).as_float(), saturate, kind);
}
__host__ __device__ inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return __nv_cvt_float_to_fp8(__nv_bfloat16(x).as_float(), saturate, kind);
}
// Two and four: the first in the lowest bits.
__host__ __device__ inline __nv_fp8x2_storage_t gridlock_packed(__nv_fp8_storage_t low, __nv_fp8_storage_t high) { return (__nv_fp8x2_storage_t)(low | high << 8); }
__host__ __device__ inline __nv_fp8x4_storage_t gridlock_packed(__nv_fp8x2_storage_t low, __nv_fp8x2_storage_t high) { return low | (unsigned int)high << 16; }
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return gridlock_packed(__nv_cvt_float_to_fp8(x.x, saturate, kind), __nv_cvt_float_to_fp8(x.y, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return gridlock_packed(__nv_cvt_double_to_fp8(x.x, saturate, kind), __nv_cvt_double_to_fp8(x.y, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return gridlock_packed(__nv_cvt_halfraw_to_fp8(__half_raw{x.x}, saturate, kind), __nv_cvt_halfraw_to_fp8(__half_raw{x.y}, saturate, kind));
}
__host__ __device__ inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw x, __nv_saturation_t saturate, __nv_fp8_interpretation_t kind) {
  return gridlock_packed(__nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.x}, saturate, kind),
                         __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw{x.y}, saturate, kind));
}
// Each is a number of 16 bits.
__host__ __device__ inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t kind) {
  int size = x & 0x7f, sign = (x & 0x80) << 8, exponent = size >> 3, fraction = size & 7;
  bool is_nan = kind == __NV_E4M3 ? size == 0x7f : size > 0x7c;
  int bits = kind == __NV_E5M2 ? size << 8
             : exponent        ? (exponent + 8) << 10 | fraction << 7
             : fraction > 3    ? 8 << 10 | (fraction & 3) << 8
             : fraction > 1    ? 7 << 10 | (fraction & 1) << 9
                               : fraction * (6 << 10);
  return __half_raw{(unsigned short)(is_nan ? 0x7fff : sign | bits)};
}
__host__ __device__ inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t kind) {
  return __half2_raw{__nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x, __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x};
}
__host__ __device__ inline float2 gridlock_floats(__half2_raw x) { return float2{__half(__half_raw{x.x}).as_float(), __half(__half_raw{x.y}).as_float()}; }
#define GRIDLOCK_KIND __NV_E4M3
#define GRIDLOCK_ONE __nv_fp8_e4m3
#define GRIDLOCK_TWO __nv_fp8x2_e4m3
#define GRIDLOCK_FOUR __nv_fp8x4_e4m3
#include <gridlock_eight.h>
#undef GRIDLOCK_KIND
#undef GRIDLOCK_ONE
#undef GRIDLOCK_TWO
#undef GRIDLOCK_FOUR
#define GRIDLOCK_KIND __NV_E5M2
#define GRIDLOCK_ONE __nv_fp8_e5m2
#define GRIDLOCK_TWO __nv_fp8x2_e5m2
#define GRIDLOCK_FOUR __nv_fp8x4_e5m2
#include <gridlock_eight.h>
#undef GRIDLOCK_KIND
#undef GRIDLOCK_ONE
#undef GRIDLOCK_TWO
#undef GRIDLOCK_FOUR
#include <gridlock_scale.h>
#endif
