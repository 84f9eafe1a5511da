// Numbers of 16 bits: 5 of exponent, 10 of fraction. Arithmetic is that of `float`, rounded to nearest: for one
// operation that is the result IEEE 754 asks for, but for the last bit of some fused multiplications.
#pragma once
#include <math.h>
#ifdef __CUDA__
#define HD __host__ __device__ inline
struct __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float x) : bits(of_float(x)) {}
  __host__ __device__ __half(double x) : bits(of_float((float)x)) {}
  __host__ __device__ __half(int x) : bits(of_float((float)x)) {}
  __host__ __device__ operator float() const {
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    float value = exponent == 31  ? (fraction ? NAN : INFINITY)
                  : exponent == 0 ? ldexpf((float)fraction, -24)
                                  : ldexpf((float)(fraction + 1024), exponent - 25);
    return bits >> 15 ? -value : value;
  }
  __host__ __device__ static unsigned short of_float(float x) {
    int sign = signbit(x) ? 0x8000 : 0;
    float size = fabsf(x);
    int power;
    frexpf(size, &power);
    int magnitude = size != size        ? 0x7fff
                    : size >= 65520.0f  ? 0x7c00
                    : size < 6.103515625e-05f ? (int)rintf(ldexpf(size, 24))
                                        : (power + 13) * 1024 + (int)rintf(ldexpf(size, 11 - power));
    return (unsigned short)(sign + magnitude);
  }
};
typedef __half half;
typedef struct __half2 half2;
HD float __half2float(__half a) { return (float)a; }
HD __half __float2half(float x) { return __half(x); }
HD __half __float2half_rn(float x) { return __half(x); }
HD __half __double2half(double x) { return __half((float)x); }
HD __half __int2half_rn(int x) { return __half((float)x); }
HD int __half2int_rn(__half a) { return (int)rintf((float)a); }
HD int __half2int_rz(__half a) { return (int)(float)a; }
HD bool __hisnan(__half a) { return (a.bits & 0x7fff) > 0x7c00; }
HD unsigned short __half_as_ushort(__half a) { return a.bits; }
HD __half __ushort_as_half(unsigned short bits) { __half a; a.bits = bits; return a; }

HD __half operator+(__half a, __half b) { return __half((float)a + (float)b); }
HD __half operator-(__half a, __half b) { return __half((float)a - (float)b); }
HD __half operator*(__half a, __half b) { return __half((float)a * (float)b); }
HD __half operator/(__half a, __half b) { return __half((float)a / (float)b); }
HD __half operator-(__half a) { return __half(-(float)a); }
HD __half &operator+=(__half &a, __half b) { a = __half((float)a + (float)b); return a; }
HD __half &operator-=(__half &a, __half b) { a = __half((float)a - (float)b); return a; }
HD __half &operator*=(__half &a, __half b) { a = __half((float)a * (float)b); return a; }
HD __half &operator/=(__half &a, __half b) { a = __half((float)a / (float)b); return a; }
HD bool operator==(__half a, __half b) { return (float)a == (float)b; }
HD bool operator!=(__half a, __half b) { return (float)a != (float)b; }
HD bool operator<(__half a, __half b) { return (float)a < (float)b; }
HD bool operator>(__half a, __half b) { return (float)a > (float)b; }
HD bool operator<=(__half a, __half b) { return (float)a <= (float)b; }
HD bool operator>=(__half a, __half b) { return (float)a >= (float)b; }
HD __half __hadd(__half a, __half b) { return a + b; }
HD __half __hsub(__half a, __half b) { return a - b; }
HD __half __hmul(__half a, __half b) { return a * b; }
HD __half __hdiv(__half a, __half b) { return a / b; }
HD __half __hneg(__half a) { return -a; }
HD __half __habs(__half a) { return __half(fabsf((float)a)); }
HD __half __hmax(__half a, __half b) { return __half(fmaxf((float)a, (float)b)); }
HD __half __hmin(__half a, __half b) { return __half(fminf((float)a, (float)b)); }
HD bool __heq(__half a, __half b) { return a == b; }
HD bool __hne(__half a, __half b) { return a != b; }
HD bool __hlt(__half a, __half b) { return a < b; }
HD bool __hgt(__half a, __half b) { return a > b; }
HD bool __hle(__half a, __half b) { return a <= b; }
HD bool __hge(__half a, __half b) { return a >= b; }
HD __half __hfma(__half a, __half b, __half c) { return __half((float)((double)(float)a * (double)(float)b + (double)(float)c)); }
HD __half hexp(__half a) { return __half(expf((float)a)); }
HD __half hlog(__half a) { return __half(logf((float)a)); }
HD __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
HD __half hrsqrt(__half a) { return __half(rsqrtf((float)a)); }
struct __half2 { __half x, y; };
HD __half2 __hadd2(__half2 a, __half2 b) { return __half2{a.x + b.x, a.y + b.y}; }
HD __half2 __hsub2(__half2 a, __half2 b) { return __half2{a.x - b.x, a.y - b.y}; }
HD __half2 __hmul2(__half2 a, __half2 b) { return __half2{a.x * b.x, a.y * b.y}; }
HD __half2 __hfma2(__half2 a, __half2 b, __half2 c) { return __half2{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
HD __half2 __halves2half2(__half a, __half b) { return __half2{a, b}; }
HD __half2 __half2half2(__half a) { return __half2{a, a}; }
HD __half2 __float2half2_rn(float x) { return __half2{__half(x), __half(x)}; }
HD __half2 __floats2half2_rn(float x, float y) { return __half2{__half(x), __half(y)}; }
HD __half2 __float22half2_rn(float2 v) { return __half2{__half(v.x), __half(v.y)}; }
HD float2 __half22float2(__half2 v) { return float2{(float)v.x, (float)v.y}; }
HD __half __low2half(__half2 v) { return v.x; }
HD __half __high2half(__half2 v) { return v.y; }
HD float __low2float(__half2 v) { return (float)v.x; }
HD float __high2float(__half2 v) { return (float)v.y; }
#undef HD
#endif
