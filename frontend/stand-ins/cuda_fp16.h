// Numbers of 16 bits: 5 of exponent, 10 of fraction. Arithmetic is that of `float`, rounded to nearest: for one
// operation that is the result IEEE 754 asks for, but for the last bit of some fused multiplications.
#pragma once
#include <math.h>
#ifdef __CUDA__
#include <gridlock_nearest.h>
#define HD __host__ __device__ inline
struct __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float x) : bits(of_float(x)) {}
  __host__ __device__ __half(double x) : bits(of_float((float)x)) {}
  __host__ __device__ __half(int x) : bits(of_float((float)x)) {}
  __host__ __device__ __half(unsigned int x) : bits(of_float((float)x)) {}
  __host__ __device__ __half(long long x) : bits(of_float((float)x)) {}
  __host__ __device__ __half(unsigned long long x) : bits(of_float((float)x)) {}
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
HD float __half2float(__half a) { return (float)a; }
HD __half __float2half(float x) { return __half(x); }
HD __half __float2half_rn(float x) { return __half(x); }
HD __half __double2half(double x) { return __half((float)x); }
HD __half __int2half_rn(int x) { return __half((float)x); }
HD int __half2int_rn(__half a) { return GRIDLOCK_TO_INT(rintf((float)a)); }
HD int __half2int_rz(__half a) { return GRIDLOCK_TO_INT(truncf((float)a)); }
HD unsigned int __half2uint_rn(__half a) { return GRIDLOCK_TO_UINT(rintf((float)a)); }
HD unsigned int __half2uint_rz(__half a) { return GRIDLOCK_TO_UINT(truncf((float)a)); }
// Macros: a function for each would make the header a third longer to read.
#define __half2int_ru(a) GRIDLOCK_TO_INT(ceilf((float)(a)))
#define __half2int_rd(a) GRIDLOCK_TO_INT(floorf((float)(a)))
#define __half2uint_ru(a) GRIDLOCK_TO_UINT(ceilf((float)(a)))
#define __half2uint_rd(a) GRIDLOCK_TO_UINT(floorf((float)(a)))
#define __half2short_rn(a) GRIDLOCK_TO_SHORT(rintf((float)(a)))
#define __half2short_rz(a) GRIDLOCK_TO_SHORT(truncf((float)(a)))
#define __half2short_ru(a) GRIDLOCK_TO_SHORT(ceilf((float)(a)))
#define __half2short_rd(a) GRIDLOCK_TO_SHORT(floorf((float)(a)))
#define __half2ushort_rn(a) GRIDLOCK_TO_USHORT(rintf((float)(a)))
#define __half2ushort_rz(a) GRIDLOCK_TO_USHORT(truncf((float)(a)))
#define __half2ushort_ru(a) GRIDLOCK_TO_USHORT(ceilf((float)(a)))
#define __half2ushort_rd(a) GRIDLOCK_TO_USHORT(floorf((float)(a)))
#define __half2ll_rn(a) GRIDLOCK_TO_LL(rintf((float)(a)))
#define __half2ll_rz(a) GRIDLOCK_TO_LL(truncf((float)(a)))
#define __half2ll_ru(a) GRIDLOCK_TO_LL(ceilf((float)(a)))
#define __half2ll_rd(a) GRIDLOCK_TO_LL(floorf((float)(a)))
#define __half2ull_rn(a) GRIDLOCK_TO_ULL(rintf((float)(a)))
#define __half2ull_rz(a) GRIDLOCK_TO_ULL(truncf((float)(a)))
#define __half2ull_ru(a) GRIDLOCK_TO_ULL(ceilf((float)(a)))
#define __half2ull_rd(a) GRIDLOCK_TO_ULL(floorf((float)(a)))
#define __half2char_rz(a) GRIDLOCK_TO_CHAR(truncf((float)(a)))
#define __half2uchar_rz(a) GRIDLOCK_TO_UCHAR(truncf((float)(a)))
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
HD __half hexp2(__half a) { return __half(exp2f((float)a)); }
HD __half hexp10(__half a) { return __half(exp10f((float)a)); }
HD __half hlog2(__half a) { return __half(log2f((float)a)); }
HD __half hlog10(__half a) { return __half(log10f((float)a)); }
HD __half hsin(__half a) { return __half(sinf((float)a)); }
HD __half hcos(__half a) { return __half(cosf((float)a)); }
HD __half htanh(__half a) { return __half(tanhf((float)a)); }
HD __half hfloor(__half a) { return __half(floorf((float)a)); }
HD __half hceil(__half a) { return __half(ceilf((float)a)); }
HD __half htrunc(__half a) { return __half(truncf((float)a)); }
HD __half hrint(__half a) { return __half(rintf((float)a)); }
HD __half hrcp(__half a) { return __half(1.0f / (float)a); }
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half a, __half b) : x(a), y(b) {}
};
typedef __half2 half2;
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
HD __half __uint2half_rn(unsigned int x) { return __half(x); }
HD __half __short2half_rn(short x) { return __half((float)x); }
HD __half __ushort2half_rn(unsigned short x) { return __half((float)x); }
HD short __half_as_short(__half a) { return (short)a.bits; }
HD __half __short_as_half(short bits) { __half a; a.bits = (unsigned short)bits; return a; }
HD bool __hisinf(__half a) { return (a.bits & 0x7fff) == 0x7c00; }
HD bool __hequ(__half a, __half b) { return !((float)a < (float)b) && !((float)a > (float)b); }
HD __half2 make_half2(__half a, __half b) { return __half2{a, b}; }
HD __half2 __low2half2(__half2 v) { return __half2{v.x, v.x}; }
HD __half2 __high2half2(__half2 v) { return __half2{v.y, v.y}; }
HD __half2 __lowhigh2highlow(__half2 v) { return __half2{v.y, v.x}; }
HD __half2 __lows2half2(__half2 a, __half2 b) { return __half2{a.x, b.x}; }
HD __half2 __highs2half2(__half2 a, __half2 b) { return __half2{a.y, b.y}; }
HD __half2 operator+(__half2 a, __half2 b) { return __half2{a.x + b.x, a.y + b.y}; }
HD __half2 &operator+=(__half2 &a, __half2 b) { a = a + b; return a; }
HD __half2 operator-(__half2 a, __half2 b) { return __half2{a.x - b.x, a.y - b.y}; }
HD __half2 &operator-=(__half2 &a, __half2 b) { a = a - b; return a; }
HD __half2 operator*(__half2 a, __half2 b) { return __half2{a.x * b.x, a.y * b.y}; }
HD __half2 &operator*=(__half2 &a, __half2 b) { a = a * b; return a; }
HD __half2 operator/(__half2 a, __half2 b) { return __half2{a.x / b.x, a.y / b.y}; }
HD __half2 &operator/=(__half2 &a, __half2 b) { a = a / b; return a; }
HD __half2 operator-(__half2 a) { return __half2{-a.x, -a.y}; }
HD bool operator==(__half2 a, __half2 b) { return a.x == b.x && a.y == b.y; }
HD bool operator!=(__half2 a, __half2 b) { return !(a == b); }
HD __half2 __hmax2(__half2 a, __half2 b) { return __half2{__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
HD __half2 __hmin2(__half2 a, __half2 b) { return __half2{__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
HD __half2 __hneg2(__half2 a) { return __half2{__hneg(a.x), __hneg(a.y)}; }
HD __half2 __habs2(__half2 a) { return __half2{__habs(a.x), __habs(a.y)}; }
HD __half2 h2div(__half2 a, __half2 b) { return a / b; }
HD __half2 __heq2(__half2 a, __half2 b) { return __half2{a.x == b.x ? __half(1.0f) : __half(0.0f), a.y == b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 __hne2(__half2 a, __half2 b) { return __half2{a.x != b.x ? __half(1.0f) : __half(0.0f), a.y != b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 __hlt2(__half2 a, __half2 b) { return __half2{a.x < b.x ? __half(1.0f) : __half(0.0f), a.y < b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 __hle2(__half2 a, __half2 b) { return __half2{a.x <= b.x ? __half(1.0f) : __half(0.0f), a.y <= b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 __hgt2(__half2 a, __half2 b) { return __half2{a.x > b.x ? __half(1.0f) : __half(0.0f), a.y > b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 __hge2(__half2 a, __half2 b) { return __half2{a.x >= b.x ? __half(1.0f) : __half(0.0f), a.y >= b.y ? __half(1.0f) : __half(0.0f)}; }
HD __half2 h2exp(__half2 a) { return __half2{hexp(a.x), hexp(a.y)}; }
HD __half2 h2log(__half2 a) { return __half2{hlog(a.x), hlog(a.y)}; }
HD __half2 h2sqrt(__half2 a) { return __half2{hsqrt(a.x), hsqrt(a.y)}; }
HD __half2 h2rsqrt(__half2 a) { return __half2{hrsqrt(a.x), hrsqrt(a.y)}; }
HD __half __hfma_relu(__half a, __half b, __half c) { __half r = __hfma(a, b, c); return r < __half(0.0f) ? __half(0.0f) : r; }
// A number in a warp's exchange is its bits.
inline __device__ __half __shfl_sync(unsigned int lanes, __half a, int lane, int width = 32) {
  __half other;
  other.bits = (unsigned short)__shfl_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __half2 __shfl_sync(unsigned int lanes, __half2 a, int lane, int width = 32) {
  unsigned int both = __shfl_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __half2 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __half __shfl_up_sync(unsigned int lanes, __half a, unsigned int lane, int width = 32) {
  __half other;
  other.bits = (unsigned short)__shfl_up_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __half2 __shfl_up_sync(unsigned int lanes, __half2 a, unsigned int lane, int width = 32) {
  unsigned int both = __shfl_up_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __half2 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __half __shfl_down_sync(unsigned int lanes, __half a, unsigned int lane, int width = 32) {
  __half other;
  other.bits = (unsigned short)__shfl_down_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __half2 __shfl_down_sync(unsigned int lanes, __half2 a, unsigned int lane, int width = 32) {
  unsigned int both = __shfl_down_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __half2 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __half __shfl_xor_sync(unsigned int lanes, __half a, int lane, int width = 32) {
  __half other;
  other.bits = (unsigned short)__shfl_xor_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __half2 __shfl_xor_sync(unsigned int lanes, __half2 a, int lane, int width = 32) {
  unsigned int both = __shfl_xor_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __half2 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
#undef HD
#endif
