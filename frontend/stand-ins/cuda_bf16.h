// Numbers of 16 bits that are the upper half of a `float`. Arithmetic is that of `float`, rounded to nearest.
#pragma once
#include <math.h>
#ifdef __CUDA__
#include <gridlock_nearest.h>
#define HD __host__ __device__ inline
struct __nv_bfloat16 {
  unsigned short bits;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float x) : bits(of_float(x)) {}
  __host__ __device__ __nv_bfloat16(double x) : bits(of_float((float)x)) {}
  __host__ __device__ __nv_bfloat16(int x) : bits(of_float((float)x)) {}
  __host__ __device__ __nv_bfloat16(unsigned int x) : bits(of_float((float)x)) {}
  __host__ __device__ __nv_bfloat16(long long x) : bits(of_float((float)x)) {}
  __host__ __device__ __nv_bfloat16(unsigned long long x) : bits(of_float((float)x)) {}
  __host__ __device__ operator float() const { return __uint_as_float((unsigned int)bits << 16); }
  __host__ __device__ static unsigned short of_float(float x) {
    unsigned int whole = __float_as_uint(x);
    unsigned int rounded = whole + 0x7fffu + (whole >> 16 & 1u);
    return x != x ? (unsigned short)0x7fff : (unsigned short)(rounded >> 16);
  }
};
typedef __nv_bfloat16 nv_bfloat16;
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
HD __nv_bfloat16 hexp2(__nv_bfloat16 a) { return __nv_bfloat16(exp2f((float)a)); }
HD __nv_bfloat16 hexp10(__nv_bfloat16 a) { return __nv_bfloat16(exp10f((float)a)); }
HD __nv_bfloat16 hlog2(__nv_bfloat16 a) { return __nv_bfloat16(log2f((float)a)); }
HD __nv_bfloat16 hlog10(__nv_bfloat16 a) { return __nv_bfloat16(log10f((float)a)); }
HD __nv_bfloat16 hsin(__nv_bfloat16 a) { return __nv_bfloat16(sinf((float)a)); }
HD __nv_bfloat16 hcos(__nv_bfloat16 a) { return __nv_bfloat16(cosf((float)a)); }
HD __nv_bfloat16 htanh(__nv_bfloat16 a) { return __nv_bfloat16(tanhf((float)a)); }
HD __nv_bfloat16 hfloor(__nv_bfloat16 a) { return __nv_bfloat16(floorf((float)a)); }
HD __nv_bfloat16 hceil(__nv_bfloat16 a) { return __nv_bfloat16(ceilf((float)a)); }
HD __nv_bfloat16 htrunc(__nv_bfloat16 a) { return __nv_bfloat16(truncf((float)a)); }
HD __nv_bfloat16 hrint(__nv_bfloat16 a) { return __nv_bfloat16(rintf((float)a)); }
HD __nv_bfloat16 hrcp(__nv_bfloat16 a) { return __nv_bfloat16(1.0f / (float)a); }
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
  __nv_bfloat162() = default;
  __host__ __device__ __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
typedef __nv_bfloat162 nv_bfloat162;
HD __nv_bfloat162 __hadd2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x + b.x, a.y + b.y}; }
HD __nv_bfloat162 __hsub2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x - b.x, a.y - b.y}; }
HD __nv_bfloat162 __hmul2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x * b.x, a.y * b.y}; }
HD __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) { return __nv_bfloat162{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
HD __nv_bfloat162 __floats2bfloat162_rn(float x, float y) {
  return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(y)};
}
HD float2 __bfloat1622float2(__nv_bfloat162 v) { return float2{(float)v.x, (float)v.y}; }
HD __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16(x); }
HD __nv_bfloat16 __int2bfloat16_rn(int x) { return __nv_bfloat16(x); }
HD int __bfloat162int_rn(__nv_bfloat16 a) { return GRIDLOCK_TO_INT(rintf((float)a)); }
HD int __bfloat162int_rz(__nv_bfloat16 a) { return GRIDLOCK_TO_INT(truncf((float)a)); }
HD unsigned int __bfloat162uint_rn(__nv_bfloat16 a) { return GRIDLOCK_TO_UINT(rintf((float)a)); }
HD unsigned int __bfloat162uint_rz(__nv_bfloat16 a) { return GRIDLOCK_TO_UINT(truncf((float)a)); }
// Macros: a function for each would make the header a third longer to read.
#define __bfloat162int_ru(a) GRIDLOCK_TO_INT(ceilf((float)(a)))
#define __bfloat162int_rd(a) GRIDLOCK_TO_INT(floorf((float)(a)))
#define __bfloat162uint_ru(a) GRIDLOCK_TO_UINT(ceilf((float)(a)))
#define __bfloat162uint_rd(a) GRIDLOCK_TO_UINT(floorf((float)(a)))
#define __bfloat162short_rn(a) GRIDLOCK_TO_SHORT(rintf((float)(a)))
#define __bfloat162short_rz(a) GRIDLOCK_TO_SHORT(truncf((float)(a)))
#define __bfloat162short_ru(a) GRIDLOCK_TO_SHORT(ceilf((float)(a)))
#define __bfloat162short_rd(a) GRIDLOCK_TO_SHORT(floorf((float)(a)))
#define __bfloat162ushort_rn(a) GRIDLOCK_TO_USHORT(rintf((float)(a)))
#define __bfloat162ushort_rz(a) GRIDLOCK_TO_USHORT(truncf((float)(a)))
#define __bfloat162ushort_ru(a) GRIDLOCK_TO_USHORT(ceilf((float)(a)))
#define __bfloat162ushort_rd(a) GRIDLOCK_TO_USHORT(floorf((float)(a)))
#define __bfloat162ll_rn(a) GRIDLOCK_TO_LL(rintf((float)(a)))
#define __bfloat162ll_rz(a) GRIDLOCK_TO_LL(truncf((float)(a)))
#define __bfloat162ll_ru(a) GRIDLOCK_TO_LL(ceilf((float)(a)))
#define __bfloat162ll_rd(a) GRIDLOCK_TO_LL(floorf((float)(a)))
#define __bfloat162ull_rn(a) GRIDLOCK_TO_ULL(rintf((float)(a)))
#define __bfloat162ull_rz(a) GRIDLOCK_TO_ULL(truncf((float)(a)))
#define __bfloat162ull_ru(a) GRIDLOCK_TO_ULL(ceilf((float)(a)))
#define __bfloat162ull_rd(a) GRIDLOCK_TO_ULL(floorf((float)(a)))
#define __bfloat162char_rz(a) GRIDLOCK_TO_CHAR(truncf((float)(a)))
#define __bfloat162uchar_rz(a) GRIDLOCK_TO_UCHAR(truncf((float)(a)))
HD bool __hisnan(__nv_bfloat16 a) { return (a.bits & 0x7fff) > 0x7f80; }
HD bool __hisinf(__nv_bfloat16 a) { return (a.bits & 0x7fff) == 0x7f80; }
HD __nv_bfloat162 make_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162{a, b}; }
HD __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162{a, b}; }
HD __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) { return __nv_bfloat162{a, a}; }
HD __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162{__nv_bfloat16(x), __nv_bfloat16(x)}; }
HD __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162{__nv_bfloat16(v.x), __nv_bfloat16(v.y)}; }
HD __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
HD __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
HD float __low2float(__nv_bfloat162 v) { return (float)v.x; }
HD float __high2float(__nv_bfloat162 v) { return (float)v.y; }
HD __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x + b.x, a.y + b.y}; }
HD __nv_bfloat162 &operator+=(__nv_bfloat162 &a, __nv_bfloat162 b) { a = a + b; return a; }
HD __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x - b.x, a.y - b.y}; }
HD __nv_bfloat162 &operator-=(__nv_bfloat162 &a, __nv_bfloat162 b) { a = a - b; return a; }
HD __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x * b.x, a.y * b.y}; }
HD __nv_bfloat162 &operator*=(__nv_bfloat162 &a, __nv_bfloat162 b) { a = a * b; return a; }
HD __nv_bfloat162 operator/(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x / b.x, a.y / b.y}; }
HD __nv_bfloat162 &operator/=(__nv_bfloat162 &a, __nv_bfloat162 b) { a = a / b; return a; }
HD __nv_bfloat162 operator-(__nv_bfloat162 a) { return __nv_bfloat162{-a.x, -a.y}; }
HD bool operator==(__nv_bfloat162 a, __nv_bfloat162 b) { return a.x == b.x && a.y == b.y; }
HD bool operator!=(__nv_bfloat162 a, __nv_bfloat162 b) { return !(a == b); }
HD __nv_bfloat162 __hmax2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
HD __nv_bfloat162 __hmin2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
HD __nv_bfloat162 __hneg2(__nv_bfloat162 a) { return __nv_bfloat162{__hneg(a.x), __hneg(a.y)}; }
HD __nv_bfloat162 __habs2(__nv_bfloat162 a) { return __nv_bfloat162{__habs(a.x), __habs(a.y)}; }
HD __nv_bfloat162 h2div(__nv_bfloat162 a, __nv_bfloat162 b) { return a / b; }
HD __nv_bfloat162 __heq2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x == b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y == b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 __hne2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x != b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y != b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 __hlt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x < b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y < b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 __hle2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x <= b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y <= b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 __hgt2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x > b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y > b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 __hge2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162{a.x >= b.x ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f), a.y >= b.y ? __nv_bfloat16(1.0f) : __nv_bfloat16(0.0f)}; }
HD __nv_bfloat162 h2exp(__nv_bfloat162 a) { return __nv_bfloat162{hexp(a.x), hexp(a.y)}; }
HD __nv_bfloat162 h2log(__nv_bfloat162 a) { return __nv_bfloat162{hlog(a.x), hlog(a.y)}; }
HD __nv_bfloat162 h2sqrt(__nv_bfloat162 a) { return __nv_bfloat162{hsqrt(a.x), hsqrt(a.y)}; }
HD __nv_bfloat162 h2rsqrt(__nv_bfloat162 a) { return __nv_bfloat162{hrsqrt(a.x), hrsqrt(a.y)}; }
HD __nv_bfloat16 __hfma_relu(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) { __nv_bfloat16 r = __hfma(a, b, c); return r < __nv_bfloat16(0.0f) ? __nv_bfloat16(0.0f) : r; }
// A number in a warp's exchange is its bits.
inline __device__ __nv_bfloat16 __shfl_sync(unsigned int lanes, __nv_bfloat16 a, int lane, int width = 32) {
  __nv_bfloat16 other;
  other.bits = (unsigned short)__shfl_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __nv_bfloat162 __shfl_sync(unsigned int lanes, __nv_bfloat162 a, int lane, int width = 32) {
  unsigned int both = __shfl_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __nv_bfloat162 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __nv_bfloat16 __shfl_up_sync(unsigned int lanes, __nv_bfloat16 a, unsigned int lane, int width = 32) {
  __nv_bfloat16 other;
  other.bits = (unsigned short)__shfl_up_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __nv_bfloat162 __shfl_up_sync(unsigned int lanes, __nv_bfloat162 a, unsigned int lane, int width = 32) {
  unsigned int both = __shfl_up_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __nv_bfloat162 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __nv_bfloat16 __shfl_down_sync(unsigned int lanes, __nv_bfloat16 a, unsigned int lane, int width = 32) {
  __nv_bfloat16 other;
  other.bits = (unsigned short)__shfl_down_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __nv_bfloat162 __shfl_down_sync(unsigned int lanes, __nv_bfloat162 a, unsigned int lane, int width = 32) {
  unsigned int both = __shfl_down_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __nv_bfloat162 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
inline __device__ __nv_bfloat16 __shfl_xor_sync(unsigned int lanes, __nv_bfloat16 a, int lane, int width = 32) {
  __nv_bfloat16 other;
  other.bits = (unsigned short)__shfl_xor_sync(lanes, (unsigned int)a.bits, lane, width);
  return other;
}
inline __device__ __nv_bfloat162 __shfl_xor_sync(unsigned int lanes, __nv_bfloat162 a, int lane, int width = 32) {
  unsigned int both = __shfl_xor_sync(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width);
  __nv_bfloat162 other;
  other.x.bits = (unsigned short)both;
  other.y.bits = (unsigned short)(both >> 16);
  return other;
}
#undef HD
#endif
