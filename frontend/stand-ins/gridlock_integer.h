// CUDA's integer intrinsics that are other operators put together (CUDA Math API, "Integer Intrinsics"). Each is one
// expression; a call of it is read as that expression at the place of the call, with every argument evaluated once. What
// begins with `gridlock_` is a part of several. Only files that may name one of these functions get this header.
#pragma once
#include <gridlock_cuda.h>
#define INTRINSIC __device__ __attribute__((always_inline)) inline

// `high:low` as one number.
INTRINSIC unsigned long long gridlock_joined(unsigned int high, unsigned int low) {
  return (unsigned long long)high << 32u | (unsigned long long)low;
}
INTRINSIC unsigned long long gridlock_low(unsigned long long x) { return x & 0xffffffffull; }
// The columns of the product of two numbers of 64 bits, each with what is carried into it.
INTRINSIC unsigned long long gridlock_lowest(unsigned long long a, unsigned long long b) {
  return gridlock_low(a) * gridlock_low(b);
}
INTRINSIC unsigned long long gridlock_first(unsigned long long a, unsigned long long b) {
  return (a >> 32u) * gridlock_low(b) + (gridlock_lowest(a, b) >> 32u);
}
INTRINSIC unsigned long long gridlock_second(unsigned long long a, unsigned long long b) {
  return gridlock_low(a) * (b >> 32u) + (gridlock_first(a, b) & 0xffffffffull);
}
// The byte of `y:x` that the nibble of `s` at a bit names, at another bit.
INTRINSIC unsigned long long gridlock_chosen(unsigned int x, unsigned int y, unsigned int s, unsigned int from,
                                             unsigned int to) {
  return (gridlock_joined(y, x) >> (s >> from & 7u) * 8u & 0xffull) << to;
}
// The product of the bytes at a bit, by their signs.
INTRINSIC unsigned int gridlock_product(int a, int b, unsigned int at) {
  return (signed char)((unsigned int)a >> at) * (signed char)((unsigned int)b >> at);
}
// The same, without signs.
INTRINSIC unsigned int gridlock_uproduct(unsigned int a, unsigned int b, unsigned int at) {
  return (unsigned int)(unsigned char)(a >> at) * (unsigned int)(unsigned char)(b >> at);
}

extern "C" {
INTRINSIC int __mulhi(int a, int b) { return (long long)a * (long long)b >> 32u; }
INTRINSIC unsigned int __umulhi(unsigned int a, unsigned int b) {
  return (unsigned long long)a * (unsigned long long)b >> 32u;
}
INTRINSIC unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (a >> 32u) * (b >> 32u) + (gridlock_first(a, b) >> 32u) + (gridlock_second(a, b) >> 32u);
}
// The product of the bits, less what a negative factor counts too much.
INTRINSIC long long __mul64hi(long long a, long long b) {
  return __umul64hi((unsigned long long)a, (unsigned long long)b) - (a < 0 ? (unsigned long long)b : 0) -
         (b < 0 ? (unsigned long long)a : 0);
}
INTRINSIC unsigned int __sad(int a, int b, unsigned int c) {
  return (unsigned int)max(a, b) - (unsigned int)min(a, b) + c;
}
INTRINSIC unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) { return max(a, b) - min(a, b) + c; }
INTRINSIC int __hadd(int a, int b) { return (long long)a + (long long)b >> 1u; }
INTRINSIC int __rhadd(int a, int b) { return (long long)a + (long long)b + 1ll >> 1u; }
INTRINSIC unsigned int __uhadd(unsigned int a, unsigned int b) { return (long long)a + (long long)b >> 1u; }
INTRINSIC unsigned int __urhadd(unsigned int a, unsigned int b) { return (long long)a + (long long)b + 1ll >> 1u; }
INTRINSIC unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int s) {
  return gridlock_chosen(x, y, s, 0u, 0u) | gridlock_chosen(x, y, s, 4u, 8u) | gridlock_chosen(x, y, s, 8u, 16u) |
         gridlock_chosen(x, y, s, 12u, 24u);
}
INTRINSIC unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int by) {
  return gridlock_joined(high, low) << (by & 31u) >> 32u;
}
INTRINSIC unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int by) {
  return gridlock_joined(high, low) << min(by, 32u) >> 32u;
}
INTRINSIC unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int by) {
  return gridlock_joined(high, low) >> (by & 31u);
}
INTRINSIC unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int by) {
  return gridlock_joined(high, low) >> min(by, 32u);
}
}
INTRINSIC int __dp4a(int a, int b, int c) {
  return gridlock_product(a, b, 0u) + gridlock_product(a, b, 8u) + gridlock_product(a, b, 16u) +
         gridlock_product(a, b, 24u) + (unsigned int)c;
}
INTRINSIC unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return gridlock_uproduct(a, b, 0u) + gridlock_uproduct(a, b, 8u) + gridlock_uproduct(a, b, 16u) +
         gridlock_uproduct(a, b, 24u) + c;
}
#undef INTRINSIC
