// Numbers of 16 bits that are the upper half of a `float`. Arithmetic is that of `float`, rounded to nearest.
#pragma once
#include <math.h>
#ifdef __CUDA__
#define HD __host__ __device__ inline
struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float x) : bits(of_float(x)) {}
  __host__ __device__ __nv_bfloat16(double x) : bits(of_float((float)x)) {}
  __host__ __device__ __nv_bfloat16(int x) : bits(of_float((float)x)) {}
  __host__ __device__ operator float() const { return __uint_as_float((unsigned int)bits << 16); }
  __host__ __device__ static unsigned short of_float(float x) {
    unsigned int whole = __float_as_uint(x);
    unsigned int rounded = whole + 0x7fffu + (whole >> 16 & 1u);
    return x != x ? (unsigned short)0x7fff : (unsigned short)(rounded >> 16);
  }
};
typedef __nv_bfloat16 nv_bfloat16;
typedef struct __nv_bfloat162 nv_bfloat162;
HD float __bfloat162float(__nv_bfloat16 a) { return (float)a; }
HD __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
HD __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
HD unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) { return a.bits; }
HD __nv_bfloat16 __ushort_as_bfloat16(unsigned short bits) { __nv_bfloat16 a; a.bits = bits; return a; }

HD __nv_bfloat16 operator+(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a + (float)b); }
HD __nv_bfloat16 operator-(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a - (float)b); }
HD __nv_bfloat16 operator*(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a * (float)b); }
HD __nv_bfloat16 operator/(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a / (float)b); }
HD __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16(-(float)a); }
HD __nv_bfloat16 &operator+=(__nv_bfloat16 &a, __nv_bfloat16 b) { a = __nv_bfloat16((float)a + (float)b); return a; }
HD __nv_bfloat16 &operator-=(__nv_bfloat16 &a, __nv_bfloat16 b) { a = __nv_bfloat16((float)a - (float)b); return a; }
HD __nv_bfloat16 &operator*=(__nv_bfloat16 &a, __nv_bfloat16 b) { a = __nv_bfloat16((float)a * (float)b); return a; }
HD __nv_bfloat16 &operator/=(__nv_bfloat16 &a, __nv_bfloat16 b) { a = __nv_bfloat16((float)a / (float)b); return a; }
HD bool operator==(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a == (float)b; }
HD bool operator!=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a != (float)b; }
HD bool operator<(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a < (float)b; }
HD bool operator>(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a > (float)b; }
HD bool operator<=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a <= (float)b; }
HD bool operator>=(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a >= (float)b; }
HD __nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b) { return a + b; }
HD __nv_bfloat16 __hsub(__nv_bfloat16 a, __nv_bfloat16 b) { return a - b; }
HD __nv_bfloat16 __hmul(__nv_bfloat16 a, __nv_bfloat16 b) { return a * b; }
HD __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
HD __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
HD __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16(fabsf((float)a)); }
HD __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fmaxf((float)a, (float)b)); }
HD __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16(fminf((float)a, (float)b)); }
HD bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
HD bool __hne(__nv_bfloat16 a, __nv_bfloat16 b) { return a != b; }
HD bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
HD bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
HD bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
HD bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
HD __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { return __nv_bfloat16((float)((double)(float)a * (double)(float)b + (double)(float)c)); }
HD __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(expf((float)a)); }
HD __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(logf((float)a)); }
HD __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(sqrtf((float)a)); }
HD __nv_bfloat16 hrsqrt(__nv_bfloat16 a) { return __nv_bfloat16(rsqrtf((float)a)); }
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
HD __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x + b.x, a.y + b.y}; }
HD __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x - b.x, a.y - b.y}; }
HD __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x * b.x, a.y * b.y}; }
HD __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __nv_bfloat162{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(y)};
}
HD float2 __bfloat1622float2(__nv_bfloat162 v) { return float2{(float)v.x, (float)v.y}; }
#undef HD
#endif
