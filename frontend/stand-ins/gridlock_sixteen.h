// What numbers of 16 bits have in common: NUMBER, pairs of them (PAIR) and what the names of their functions begin with
// (KIND) are those of `cuda_fp16.h` and `cuda_bf16.h`, which include this with the words replaced, BOTH by what makes a
// function one of host and device. An operation is that of `float`, rounded to nearest: of one operation on such numbers the rounding of `float` in between changes nothing.
BOTH float __KIND2float(NUMBER a) { return (float)a; }
BOTH NUMBER __float2KIND(float x) { return NUMBER(x); }
BOTH NUMBER __float2KIND_rn(float x) { return NUMBER(x); }
BOTH NUMBER __double2KIND(double x) { return NUMBER(x); }
BOTH NUMBER __int2KIND_rn(int x) { return NUMBER(x); }
BOTH NUMBER __uint2KIND_rn(unsigned int x) { return NUMBER(x); }
BOTH NUMBER __short2KIND_rn(short x) { return NUMBER((float)x); }
BOTH NUMBER __ushort2KIND_rn(unsigned short x) { return NUMBER((float)x); }
BOTH int __KIND2int_rn(NUMBER a) { return GRIDLOCK_TO_INT(rintf((float)a)); }
BOTH int __KIND2int_rz(NUMBER a) { return GRIDLOCK_TO_INT(truncf((float)a)); }
BOTH unsigned int __KIND2uint_rn(NUMBER a) { return GRIDLOCK_TO_UINT(rintf((float)a)); }
BOTH unsigned int __KIND2uint_rz(NUMBER a) { return GRIDLOCK_TO_UINT(truncf((float)a)); }
BOTH bool __hisnan(NUMBER a) { return (a.bits & 0x7fff) > NUMBER::infinite; }
BOTH int __hisinf(NUMBER a) { return a.bits == NUMBER::infinite ? 1 : a.bits == (NUMBER::infinite | 0x8000) ? -1 : 0; }
BOTH NUMBER gridlock_of_bits(NUMBER, unsigned int bits) { NUMBER a; a.bits = (unsigned short)bits; return a; }

BOTH NUMBER __hadd(NUMBER a, NUMBER b) { return NUMBER((float)a + (float)b); }
BOTH NUMBER __hsub(NUMBER a, NUMBER b) { return NUMBER((float)a - (float)b); }
BOTH NUMBER __hmul(NUMBER a, NUMBER b) { return NUMBER((float)a * (float)b); }
BOTH NUMBER __hdiv(NUMBER a, NUMBER b) { return NUMBER((float)a / (float)b); }
BOTH NUMBER __hneg(NUMBER a) { return __hisnan(a) ? gridlock_of_bits(a, 0x7fff) : gridlock_of_bits(a, a.bits ^ 0x8000u); }
BOTH NUMBER __habs(NUMBER a) { return __hisnan(a) ? gridlock_of_bits(a, 0x7fff) : gridlock_of_bits(a, a.bits & 0x7fffu); }
// A zero without a sign is the larger one.
BOTH NUMBER __hmax(NUMBER a, NUMBER b) {
  return __hisnan(a) ? NUMBER((float)b) : __hisnan(b) || (float)a > (float)b ? a
         : (float)a == (float)b && !(a.bits >> 15) ? a : NUMBER((float)b);
}
BOTH NUMBER __hmin(NUMBER a, NUMBER b) {
  return __hisnan(a) ? NUMBER((float)b) : __hisnan(b) || (float)a < (float)b ? a
         : (float)a == (float)b && a.bits >> 15 ? a : NUMBER((float)b);
}
BOTH bool __heq(NUMBER a, NUMBER b) { return (float)a == (float)b; }
BOTH bool __hne(NUMBER a, NUMBER b) { return (float)a < (float)b || (float)a > (float)b; }
BOTH bool __hlt(NUMBER a, NUMBER b) { return (float)a < (float)b; }
BOTH bool __hgt(NUMBER a, NUMBER b) { return (float)a > (float)b; }
BOTH bool __hle(NUMBER a, NUMBER b) { return (float)a <= (float)b; }
BOTH bool __hge(NUMBER a, NUMBER b) { return (float)a >= (float)b; }
BOTH NUMBER __hfma(NUMBER a, NUMBER b, NUMBER c) {
  // The product is exact. Where the sum is not, it keeps that it lies beside what it was rounded to, by its last bit.
  double product = (double)(float)a * (double)(float)b, more = (double)(float)c, sum = product + more;
  double part = sum - product, error = (product - (sum - part)) + (more - part);
  long long whole = __double_as_longlong(sum);
  bool is_inexact = error < 0.0 || error > 0.0;
  if (is_inexact && !(whole & 1)) sum = __longlong_as_double((error > 0.0) == (sum > 0.0) ? whole + 1 : whole - 1);
  return NUMBER(sum);
}
BOTH NUMBER hexp(NUMBER a) { return NUMBER(expf((float)a)); }
BOTH NUMBER hlog(NUMBER a) { return NUMBER(logf((float)a)); }
BOTH NUMBER hsqrt(NUMBER a) { return NUMBER(sqrtf((float)a)); }
BOTH NUMBER hrsqrt(NUMBER a) { return NUMBER(rsqrtf((float)a)); }
BOTH NUMBER hexp2(NUMBER a) { return NUMBER(exp2f((float)a)); }
BOTH NUMBER hlog2(NUMBER a) { return NUMBER(log2f((float)a)); }
BOTH NUMBER htanh(NUMBER a) { return NUMBER(tanhf((float)a)); }
BOTH NUMBER hrcp(NUMBER a) { return NUMBER(1.0f / (float)a); }
struct PAIR_raw {
  unsigned short x, y;
};
struct __align__(4) PAIR {
  NUMBER x, y;
  PAIR() = default;
  __host__ __device__ PAIR(NUMBER a, NUMBER b) : x(a), y(b) {}
  __host__ __device__ PAIR(const PAIR_raw &a) : x(NUMBER_raw{a.x}), y(NUMBER_raw{a.y}) {}
  __host__ __device__ operator PAIR_raw() const { return PAIR_raw{x.bits, y.bits}; }
};
BOTH PAIR __hadd2(PAIR a, PAIR b) { return PAIR{__hadd(a.x, b.x), __hadd(a.y, b.y)}; }
BOTH PAIR __hsub2(PAIR a, PAIR b) { return PAIR{__hsub(a.x, b.x), __hsub(a.y, b.y)}; }
BOTH PAIR __hmul2(PAIR a, PAIR b) { return PAIR{__hmul(a.x, b.x), __hmul(a.y, b.y)}; }
BOTH PAIR __hfma2(PAIR a, PAIR b, PAIR c) { return PAIR{__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)}; }
BOTH PAIR __halves2KIND2(NUMBER a, NUMBER b) { return PAIR{a, b}; }
BOTH PAIR __KIND2KIND2(NUMBER a) { return PAIR{a, a}; }
BOTH PAIR __float2KIND2_rn(float x) { return PAIR{NUMBER(x), NUMBER(x)}; }
BOTH PAIR __floats2KIND2_rn(float x, float y) { return PAIR{NUMBER(x), NUMBER(y)}; }
BOTH PAIR __float22KIND2_rn(float2 v) { return PAIR{NUMBER(v.x), NUMBER(v.y)}; }
BOTH float2 __KIND22float2(PAIR v) { return float2{(float)v.x, (float)v.y}; }
BOTH NUMBER __low2KIND(PAIR v) { return v.x; }
BOTH NUMBER __high2KIND(PAIR v) { return v.y; }
BOTH float __low2float(PAIR v) { return (float)v.x; }
BOTH float __high2float(PAIR v) { return (float)v.y; }
BOTH PAIR make_KIND2(NUMBER a, NUMBER b) { return PAIR{a, b}; }
BOTH PAIR __hmax2(PAIR a, PAIR b) { return PAIR{__hmax(a.x, b.x), __hmax(a.y, b.y)}; }
BOTH PAIR __hmin2(PAIR a, PAIR b) { return PAIR{__hmin(a.x, b.x), __hmin(a.y, b.y)}; }
BOTH PAIR __hneg2(PAIR a) { return PAIR{__hneg(a.x), __hneg(a.y)}; }
BOTH PAIR __habs2(PAIR a) { return PAIR{__habs(a.x), __habs(a.y)}; }
// A number in a warp's exchange is its bits.
#define GRIDLOCK_EXCHANGE(name, lane_type) \
  inline __device__ NUMBER name(unsigned int lanes, NUMBER a, lane_type lane, int width = 32) { \
    return gridlock_of_bits(a, name(lanes, (unsigned int)a.bits, lane, width)); \
  } \
  inline __device__ PAIR name(unsigned int lanes, PAIR a, lane_type lane, int width = 32) { \
    unsigned int both = name(lanes, (unsigned int)a.x.bits | (unsigned int)a.y.bits << 16, lane, width); \
    return PAIR{gridlock_of_bits(a.x, both), gridlock_of_bits(a.y, both >> 16)}; \
  }
GRIDLOCK_EXCHANGE(__shfl_sync, int)
GRIDLOCK_EXCHANGE(__shfl_up_sync, unsigned int)
GRIDLOCK_EXCHANGE(__shfl_down_sync, unsigned int)
GRIDLOCK_EXCHANGE(__shfl_xor_sync, int)
#undef GRIDLOCK_EXCHANGE
#ifndef __CUDA_NO_CAPITALS_OPERATORS__
BOTH NUMBER operator+(NUMBER a, NUMBER b) { return NUMBER((float)a + (float)b); }
BOTH NUMBER operator-(NUMBER a, NUMBER b) { return NUMBER((float)a - (float)b); }
BOTH NUMBER operator*(NUMBER a, NUMBER b) { return NUMBER((float)a * (float)b); }
BOTH NUMBER operator/(NUMBER a, NUMBER b) { return NUMBER((float)a / (float)b); }
BOTH NUMBER operator+(NUMBER a) { return a; }
BOTH NUMBER operator-(NUMBER a) { return __hneg(a); }
BOTH NUMBER &operator+=(NUMBER &a, NUMBER b) { a = NUMBER((float)a + (float)b); return a; }
BOTH NUMBER &operator-=(NUMBER &a, NUMBER b) { a = NUMBER((float)a - (float)b); return a; }
BOTH NUMBER &operator*=(NUMBER &a, NUMBER b) { a = NUMBER((float)a * (float)b); return a; }
BOTH NUMBER &operator/=(NUMBER &a, NUMBER b) { a = NUMBER((float)a / (float)b); return a; }
BOTH NUMBER &operator++(NUMBER &a) { a = NUMBER((float)a + 1.0f); return a; }
BOTH NUMBER &operator--(NUMBER &a) { a = NUMBER((float)a - 1.0f); return a; }
BOTH NUMBER operator++(NUMBER &a, int) { NUMBER before = a; a = NUMBER((float)a + 1.0f); return before; }
BOTH NUMBER operator--(NUMBER &a, int) { NUMBER before = a; a = NUMBER((float)a - 1.0f); return before; }
BOTH bool operator==(NUMBER a, NUMBER b) { return (float)a == (float)b; }
BOTH bool operator!=(NUMBER a, NUMBER b) { return (float)a != (float)b; }
BOTH bool operator<(NUMBER a, NUMBER b) { return (float)a < (float)b; }
BOTH bool operator>(NUMBER a, NUMBER b) { return (float)a > (float)b; }
BOTH bool operator<=(NUMBER a, NUMBER b) { return (float)a <= (float)b; }
BOTH bool operator>=(NUMBER a, NUMBER b) { return (float)a >= (float)b; }
#endif
#ifndef __CUDA_NO_CAPITALS2_OPERATORS__
BOTH PAIR operator+(PAIR a, PAIR b) { return __hadd2(a, b); }
BOTH PAIR operator-(PAIR a, PAIR b) { return __hsub2(a, b); }
BOTH PAIR operator*(PAIR a, PAIR b) { return __hmul2(a, b); }
BOTH PAIR operator/(PAIR a, PAIR b) { return PAIR{__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
BOTH PAIR operator+(PAIR a) { return a; }
BOTH PAIR operator-(PAIR a) { return __hneg2(a); }
BOTH PAIR &operator+=(PAIR &a, PAIR b) { a = __hadd2(a, b); return a; }
BOTH PAIR &operator-=(PAIR &a, PAIR b) { a = __hsub2(a, b); return a; }
BOTH PAIR &operator*=(PAIR &a, PAIR b) { a = __hmul2(a, b); return a; }
BOTH PAIR &operator/=(PAIR &a, PAIR b) { a = a / b; return a; }
BOTH PAIR &operator++(PAIR &a) { a = __hadd2(a, PAIR{NUMBER(1.0f), NUMBER(1.0f)}); return a; }
BOTH PAIR &operator--(PAIR &a) { a = __hsub2(a, PAIR{NUMBER(1.0f), NUMBER(1.0f)}); return a; }
BOTH PAIR operator++(PAIR &a, int) { PAIR before = a; ++a; return before; }
BOTH PAIR operator--(PAIR &a, int) { PAIR before = a; --a; return before; }
BOTH bool operator==(PAIR a, PAIR b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
BOTH bool operator<(PAIR a, PAIR b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
BOTH bool operator>(PAIR a, PAIR b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
BOTH bool operator<=(PAIR a, PAIR b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
BOTH bool operator>=(PAIR a, PAIR b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
BOTH bool operator!=(PAIR a, PAIR b) { return !__heq(a.x, b.x) && !__heq(a.y, b.y); }
#endif
__device__ void gridlock_in_place();
__device__ unsigned short gridlock_atomic_add_KIND(unsigned short *, unsigned short);
__device__ inline NUMBER atomicAdd(NUMBER *at, NUMBER x) {
  gridlock_in_place();
  NUMBER old;
  old.bits = gridlock_atomic_add_KIND(&at->bits, x.bits);
  return old;
}
// Each number of a pair by itself.
__device__ inline PAIR atomicAdd(PAIR *at, PAIR x) {
  gridlock_in_place();
  NUMBER low = atomicAdd(&at->x, x.x);
  return PAIR{low, atomicAdd(&at->y, x.y)};
}
