// What few programs name of `cuda_fp16.h` and `cuda_bf16.h`; NUMBER, PAIR and KIND as in `gridlock_sixteen.h`.
#pragma once
BOTH unsigned short __KIND_as_ushort(NUMBER a) { return a.bits; }
BOTH short __KIND_as_short(NUMBER a) { return (short)a.bits; }
BOTH NUMBER __ushort_as_KIND(unsigned short bits) { NUMBER a; a.bits = bits; return a; }
BOTH NUMBER __short_as_KIND(short bits) { NUMBER a; a.bits = (unsigned short)bits; return a; }
// To an integer.
#define __KIND2int_ru(a) GRIDLOCK_TO_INT(ceilf((float)(a)))
#define __KIND2int_rd(a) GRIDLOCK_TO_INT(floorf((float)(a)))
#define __KIND2uint_ru(a) GRIDLOCK_TO_UINT(ceilf((float)(a)))
#define __KIND2uint_rd(a) GRIDLOCK_TO_UINT(floorf((float)(a)))
#define __KIND2short_rn(a) GRIDLOCK_TO_SHORT(rintf((float)(a)))
#define __KIND2short_rz(a) GRIDLOCK_TO_SHORT(truncf((float)(a)))
#define __KIND2short_ru(a) GRIDLOCK_TO_SHORT(ceilf((float)(a)))
#define __KIND2short_rd(a) GRIDLOCK_TO_SHORT(floorf((float)(a)))
#define __KIND2ushort_rn(a) GRIDLOCK_TO_USHORT(rintf((float)(a)))
#define __KIND2ushort_rz(a) GRIDLOCK_TO_USHORT(truncf((float)(a)))
#define __KIND2ushort_ru(a) GRIDLOCK_TO_USHORT(ceilf((float)(a)))
#define __KIND2ushort_rd(a) GRIDLOCK_TO_USHORT(floorf((float)(a)))
#define __KIND2ll_rn(a) GRIDLOCK_TO_LL(rintf((float)(a)))
#define __KIND2ll_rz(a) GRIDLOCK_TO_LL(truncf((float)(a)))
#define __KIND2ll_ru(a) GRIDLOCK_TO_LL(ceilf((float)(a)))
#define __KIND2ll_rd(a) GRIDLOCK_TO_LL(floorf((float)(a)))
#define __KIND2ull_rn(a) GRIDLOCK_TO_ULL(rintf((float)(a)))
#define __KIND2ull_rz(a) GRIDLOCK_TO_ULL(truncf((float)(a)))
#define __KIND2ull_ru(a) GRIDLOCK_TO_ULL(ceilf((float)(a)))
#define __KIND2ull_rd(a) GRIDLOCK_TO_ULL(floorf((float)(a)))
#define __KIND2char_rz(a) GRIDLOCK_TO_CHAR(truncf((float)(a)))
#define __KIND2uchar_rz(a) GRIDLOCK_TO_UCHAR(truncf((float)(a)))
// From one, or from `float`, rounded to zero, down and up: the nearest number or the one beside it.
BOTH NUMBER gridlock_to_zero(NUMBER a, double x) { return fabs((double)(float)a) > fabs(x) ? gridlock_of_bits(a, a.bits - 1u) : a; }
BOTH NUMBER gridlock_down(NUMBER a, double x) {
  return (double)(float)a > x ? gridlock_of_bits(a, a.bits >> 15 ? a.bits + 1u : a.bits - 1u) : a;
}
BOTH NUMBER gridlock_up(NUMBER a, double x) {
  return (double)(float)a < x ? gridlock_of_bits(a, a.bits >> 15 ? a.bits - 1u : a.bits + 1u) : a;
}
BOTH NUMBER __float2KIND_rz(float x) { return gridlock_to_zero(NUMBER(x), (double)x); }
BOTH NUMBER __float2KIND_rd(float x) { return gridlock_down(NUMBER(x), (double)x); }
BOTH NUMBER __float2KIND_ru(float x) { return gridlock_up(NUMBER(x), (double)x); }
BOTH NUMBER __int2KIND_rz(int x) { return gridlock_to_zero(NUMBER(x), (double)x); }
BOTH NUMBER __int2KIND_rd(int x) { return gridlock_down(NUMBER(x), (double)x); }
BOTH NUMBER __int2KIND_ru(int x) { return gridlock_up(NUMBER(x), (double)x); }
BOTH NUMBER __uint2KIND_rz(unsigned int x) { return gridlock_to_zero(NUMBER(x), (double)x); }
BOTH NUMBER __uint2KIND_rd(unsigned int x) { return gridlock_down(NUMBER(x), (double)x); }
BOTH NUMBER __uint2KIND_ru(unsigned int x) { return gridlock_up(NUMBER(x), (double)x); }
BOTH NUMBER __short2KIND_rz(short x) { return gridlock_to_zero(NUMBER((float)x), (double)x); }
BOTH NUMBER __short2KIND_rd(short x) { return gridlock_down(NUMBER((float)x), (double)x); }
BOTH NUMBER __short2KIND_ru(short x) { return gridlock_up(NUMBER((float)x), (double)x); }
BOTH NUMBER __ushort2KIND_rz(unsigned short x) { return gridlock_to_zero(NUMBER((float)x), (double)x); }
BOTH NUMBER __ushort2KIND_rd(unsigned short x) { return gridlock_down(NUMBER((float)x), (double)x); }
BOTH NUMBER __ushort2KIND_ru(unsigned short x) { return gridlock_up(NUMBER((float)x), (double)x); }
BOTH NUMBER __ll2KIND_rn(long long x) { return NUMBER(x); }
BOTH NUMBER __ll2KIND_rz(long long x) { return gridlock_to_zero(NUMBER(x), gridlock_sticky(x)); }
BOTH NUMBER __ll2KIND_rd(long long x) { return gridlock_down(NUMBER(x), gridlock_sticky(x)); }
BOTH NUMBER __ll2KIND_ru(long long x) { return gridlock_up(NUMBER(x), gridlock_sticky(x)); }
BOTH NUMBER __ull2KIND_rn(unsigned long long x) { return NUMBER(x); }
BOTH NUMBER __ull2KIND_rz(unsigned long long x) { return gridlock_to_zero(NUMBER(x), gridlock_sticky(x)); }
BOTH NUMBER __ull2KIND_rd(unsigned long long x) { return gridlock_down(NUMBER(x), gridlock_sticky(x)); }
BOTH NUMBER __ull2KIND_ru(unsigned long long x) { return gridlock_up(NUMBER(x), gridlock_sticky(x)); }
// Arithmetic that is not contracted, that ends between 0 and 1, or at least at 0.
BOTH NUMBER gridlock_saturated(NUMBER a) { float x = (float)a; return x > 1.0f ? NUMBER(1.0f) : x > 0.0f ? a : NUMBER(0.0f); }
BOTH NUMBER gridlock_rectified(NUMBER a) { return (float)a > 0.0f || __hisnan(a) ? a : NUMBER(0.0f); }
BOTH NUMBER __hadd_rn(NUMBER a, NUMBER b) { return __hadd(a, b); }
BOTH NUMBER __hsub_rn(NUMBER a, NUMBER b) { return __hsub(a, b); }
BOTH NUMBER __hmul_rn(NUMBER a, NUMBER b) { return __hmul(a, b); }
BOTH NUMBER __hadd_sat(NUMBER a, NUMBER b) { return gridlock_saturated(__hadd(a, b)); }
BOTH NUMBER __hsub_sat(NUMBER a, NUMBER b) { return gridlock_saturated(__hsub(a, b)); }
BOTH NUMBER __hmul_sat(NUMBER a, NUMBER b) { return gridlock_saturated(__hmul(a, b)); }
BOTH NUMBER __hfma_sat(NUMBER a, NUMBER b, NUMBER c) { return gridlock_saturated(__hfma(a, b, c)); }
BOTH NUMBER __hfma_relu(NUMBER a, NUMBER b, NUMBER c) { return gridlock_rectified(__hfma(a, b, c)); }
BOTH NUMBER __hmax_nan(NUMBER a, NUMBER b) { return __hisnan(a) || __hisnan(b) ? gridlock_of_bits(a, 0x7fff) : __hmax(a, b); }
BOTH NUMBER __hmin_nan(NUMBER a, NUMBER b) { return __hisnan(a) || __hisnan(b) ? gridlock_of_bits(a, 0x7fff) : __hmin(a, b); }
BOTH bool __hequ(NUMBER a, NUMBER b) { return !((float)a < (float)b) && !((float)a > (float)b); }
BOTH bool __hneu(NUMBER a, NUMBER b) { return !__heq(a, b); }
BOTH bool __hltu(NUMBER a, NUMBER b) { return !__hge(a, b); }
BOTH bool __hleu(NUMBER a, NUMBER b) { return !__hgt(a, b); }
BOTH bool __hgtu(NUMBER a, NUMBER b) { return !__hle(a, b); }
BOTH bool __hgeu(NUMBER a, NUMBER b) { return !__hlt(a, b); }
BOTH NUMBER hexp10(NUMBER a) { return NUMBER(exp10f((float)a)); }
BOTH NUMBER hlog10(NUMBER a) { return NUMBER(log10f((float)a)); }
BOTH NUMBER hsin(NUMBER a) { return NUMBER(sinf((float)a)); }
BOTH NUMBER hcos(NUMBER a) { return NUMBER(cosf((float)a)); }
BOTH NUMBER htanh_approx(NUMBER a) { return NUMBER(tanhf((float)a)); }
BOTH NUMBER hfloor(NUMBER a) { return NUMBER(floorf((float)a)); }
BOTH NUMBER hceil(NUMBER a) { return NUMBER(ceilf((float)a)); }
BOTH NUMBER htrunc(NUMBER a) { return NUMBER(truncf((float)a)); }
BOTH NUMBER hrint(NUMBER a) { return NUMBER(rintf((float)a)); }
// Pairs: what is done to each of the two.
BOTH PAIR __low2KIND2(PAIR v) { return PAIR{v.x, v.x}; }
BOTH PAIR __high2KIND2(PAIR v) { return PAIR{v.y, v.y}; }
BOTH PAIR __lowhigh2highlow(PAIR v) { return PAIR{v.y, v.x}; }
BOTH PAIR __lows2KIND2(PAIR a, PAIR b) { return PAIR{a.x, b.x}; }
BOTH PAIR __highs2KIND2(PAIR a, PAIR b) { return PAIR{a.y, b.y}; }
BOTH PAIR h2div(PAIR a, PAIR b) { return PAIR{__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
BOTH PAIR __h2div(PAIR a, PAIR b) { return PAIR{__hdiv(a.x, b.x), __hdiv(a.y, b.y)}; }
BOTH PAIR __hadd2_rn(PAIR a, PAIR b) { return __hadd2(a, b); }
BOTH PAIR __hsub2_rn(PAIR a, PAIR b) { return __hsub2(a, b); }
BOTH PAIR __hmul2_rn(PAIR a, PAIR b) { return __hmul2(a, b); }
BOTH PAIR __hadd2_sat(PAIR a, PAIR b) { return PAIR{__hadd_sat(a.x, b.x), __hadd_sat(a.y, b.y)}; }
BOTH PAIR __hsub2_sat(PAIR a, PAIR b) { return PAIR{__hsub_sat(a.x, b.x), __hsub_sat(a.y, b.y)}; }
BOTH PAIR __hmul2_sat(PAIR a, PAIR b) { return PAIR{__hmul_sat(a.x, b.x), __hmul_sat(a.y, b.y)}; }
BOTH PAIR __hfma2_sat(PAIR a, PAIR b, PAIR c) { return PAIR{__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y)}; }
BOTH PAIR __hfma2_relu(PAIR a, PAIR b, PAIR c) { return PAIR{__hfma_relu(a.x, b.x, c.x), __hfma_relu(a.y, b.y, c.y)}; }
// Of complex numbers, c + a * b.
BOTH PAIR __hcmadd(PAIR a, PAIR b, PAIR c) {
  NUMBER re = __hfma(a.x, b.x, c.x), im = __hfma(a.x, b.y, c.y);
  return PAIR{__hfma(__hneg(a.y), b.y, re), __hfma(a.y, b.x, im)};
}
BOTH PAIR __hmax2_nan(PAIR a, PAIR b) { return PAIR{__hmax_nan(a.x, b.x), __hmax_nan(a.y, b.y)}; }
BOTH PAIR __hmin2_nan(PAIR a, PAIR b) { return PAIR{__hmin_nan(a.x, b.x), __hmin_nan(a.y, b.y)}; }
BOTH PAIR __hisnan2(PAIR a) { return PAIR{NUMBER((float)__hisnan(a.x)), NUMBER((float)__hisnan(a.y))}; }
BOTH PAIR __heq2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__heq(a.x, b.x)), NUMBER((float)__heq(a.y, b.y))}; }
BOTH bool __hbeq2(PAIR a, PAIR b) { return __heq(a.x, b.x) && __heq(a.y, b.y); }
BOTH unsigned int __heq2_mask(PAIR a, PAIR b) { return gridlock_masks(__heq(a.x, b.x), __heq(a.y, b.y)); }
BOTH PAIR __hne2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hne(a.x, b.x)), NUMBER((float)__hne(a.y, b.y))}; }
BOTH bool __hbne2(PAIR a, PAIR b) { return __hne(a.x, b.x) && __hne(a.y, b.y); }
BOTH unsigned int __hne2_mask(PAIR a, PAIR b) { return gridlock_masks(__hne(a.x, b.x), __hne(a.y, b.y)); }
BOTH PAIR __hlt2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hlt(a.x, b.x)), NUMBER((float)__hlt(a.y, b.y))}; }
BOTH bool __hblt2(PAIR a, PAIR b) { return __hlt(a.x, b.x) && __hlt(a.y, b.y); }
BOTH unsigned int __hlt2_mask(PAIR a, PAIR b) { return gridlock_masks(__hlt(a.x, b.x), __hlt(a.y, b.y)); }
BOTH PAIR __hle2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hle(a.x, b.x)), NUMBER((float)__hle(a.y, b.y))}; }
BOTH bool __hble2(PAIR a, PAIR b) { return __hle(a.x, b.x) && __hle(a.y, b.y); }
BOTH unsigned int __hle2_mask(PAIR a, PAIR b) { return gridlock_masks(__hle(a.x, b.x), __hle(a.y, b.y)); }
BOTH PAIR __hgt2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hgt(a.x, b.x)), NUMBER((float)__hgt(a.y, b.y))}; }
BOTH bool __hbgt2(PAIR a, PAIR b) { return __hgt(a.x, b.x) && __hgt(a.y, b.y); }
BOTH unsigned int __hgt2_mask(PAIR a, PAIR b) { return gridlock_masks(__hgt(a.x, b.x), __hgt(a.y, b.y)); }
BOTH PAIR __hge2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hge(a.x, b.x)), NUMBER((float)__hge(a.y, b.y))}; }
BOTH bool __hbge2(PAIR a, PAIR b) { return __hge(a.x, b.x) && __hge(a.y, b.y); }
BOTH unsigned int __hge2_mask(PAIR a, PAIR b) { return gridlock_masks(__hge(a.x, b.x), __hge(a.y, b.y)); }
BOTH PAIR __hequ2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hequ(a.x, b.x)), NUMBER((float)__hequ(a.y, b.y))}; }
BOTH bool __hbequ2(PAIR a, PAIR b) { return __hequ(a.x, b.x) && __hequ(a.y, b.y); }
BOTH unsigned int __hequ2_mask(PAIR a, PAIR b) { return gridlock_masks(__hequ(a.x, b.x), __hequ(a.y, b.y)); }
BOTH PAIR __hneu2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hneu(a.x, b.x)), NUMBER((float)__hneu(a.y, b.y))}; }
BOTH bool __hbneu2(PAIR a, PAIR b) { return __hneu(a.x, b.x) && __hneu(a.y, b.y); }
BOTH unsigned int __hneu2_mask(PAIR a, PAIR b) { return gridlock_masks(__hneu(a.x, b.x), __hneu(a.y, b.y)); }
BOTH PAIR __hltu2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hltu(a.x, b.x)), NUMBER((float)__hltu(a.y, b.y))}; }
BOTH bool __hbltu2(PAIR a, PAIR b) { return __hltu(a.x, b.x) && __hltu(a.y, b.y); }
BOTH unsigned int __hltu2_mask(PAIR a, PAIR b) { return gridlock_masks(__hltu(a.x, b.x), __hltu(a.y, b.y)); }
BOTH PAIR __hleu2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hleu(a.x, b.x)), NUMBER((float)__hleu(a.y, b.y))}; }
BOTH bool __hbleu2(PAIR a, PAIR b) { return __hleu(a.x, b.x) && __hleu(a.y, b.y); }
BOTH unsigned int __hleu2_mask(PAIR a, PAIR b) { return gridlock_masks(__hleu(a.x, b.x), __hleu(a.y, b.y)); }
BOTH PAIR __hgtu2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hgtu(a.x, b.x)), NUMBER((float)__hgtu(a.y, b.y))}; }
BOTH bool __hbgtu2(PAIR a, PAIR b) { return __hgtu(a.x, b.x) && __hgtu(a.y, b.y); }
BOTH unsigned int __hgtu2_mask(PAIR a, PAIR b) { return gridlock_masks(__hgtu(a.x, b.x), __hgtu(a.y, b.y)); }
BOTH PAIR __hgeu2(PAIR a, PAIR b) { return PAIR{NUMBER((float)__hgeu(a.x, b.x)), NUMBER((float)__hgeu(a.y, b.y))}; }
BOTH bool __hbgeu2(PAIR a, PAIR b) { return __hgeu(a.x, b.x) && __hgeu(a.y, b.y); }
BOTH unsigned int __hgeu2_mask(PAIR a, PAIR b) { return gridlock_masks(__hgeu(a.x, b.x), __hgeu(a.y, b.y)); }
BOTH PAIR h2exp(PAIR a) { return PAIR{hexp(a.x), hexp(a.y)}; }
BOTH PAIR h2log(PAIR a) { return PAIR{hlog(a.x), hlog(a.y)}; }
BOTH PAIR h2sqrt(PAIR a) { return PAIR{hsqrt(a.x), hsqrt(a.y)}; }
BOTH PAIR h2rsqrt(PAIR a) { return PAIR{hrsqrt(a.x), hrsqrt(a.y)}; }
BOTH PAIR h2exp2(PAIR a) { return PAIR{hexp2(a.x), hexp2(a.y)}; }
BOTH PAIR h2log2(PAIR a) { return PAIR{hlog2(a.x), hlog2(a.y)}; }
BOTH PAIR h2tanh(PAIR a) { return PAIR{htanh(a.x), htanh(a.y)}; }
BOTH PAIR h2rcp(PAIR a) { return PAIR{hrcp(a.x), hrcp(a.y)}; }
BOTH PAIR h2exp10(PAIR a) { return PAIR{hexp10(a.x), hexp10(a.y)}; }
BOTH PAIR h2log10(PAIR a) { return PAIR{hlog10(a.x), hlog10(a.y)}; }
BOTH PAIR h2sin(PAIR a) { return PAIR{hsin(a.x), hsin(a.y)}; }
BOTH PAIR h2cos(PAIR a) { return PAIR{hcos(a.x), hcos(a.y)}; }
BOTH PAIR h2tanh_approx(PAIR a) { return PAIR{htanh_approx(a.x), htanh_approx(a.y)}; }
BOTH PAIR h2floor(PAIR a) { return PAIR{hfloor(a.x), hfloor(a.y)}; }
BOTH PAIR h2ceil(PAIR a) { return PAIR{hceil(a.x), hceil(a.y)}; }
BOTH PAIR h2trunc(PAIR a) { return PAIR{htrunc(a.x), htrunc(a.y)}; }
BOTH PAIR h2rint(PAIR a) { return PAIR{hrint(a.x), hrint(a.y)}; }
