// Numbers of 16 and 8 bits: as integers, where what is out of range becomes the nearest in range, and what is no number
// `none`; and from larger ones.
#pragma once
#include <math.h>
template <class T> __host__ __device__ inline T gridlock_nearest(float x, T least, T most, T none) {
  return x != x ? none : x >= (float)most + 1 ? most : x <= (float)least ? least : (T)x;
}
#define GRIDLOCK_TO_CHAR(x) gridlock_nearest<signed char>(x, -128, 127, 0)
#define GRIDLOCK_TO_UCHAR(x) gridlock_nearest<unsigned char>(x, 0, 255, 0)
#define GRIDLOCK_TO_SHORT(x) gridlock_nearest<short>(x, -32768, 32767, 0)
#define GRIDLOCK_TO_USHORT(x) gridlock_nearest<unsigned short>(x, 0, 65535, 0)
#define GRIDLOCK_TO_INT(x) gridlock_nearest<int>(x, -2147483647 - 1, 2147483647, 0)
#define GRIDLOCK_TO_UINT(x) gridlock_nearest<unsigned int>(x, 0, 4294967295u, 0)
#define GRIDLOCK_TO_LL(x) \
  gridlock_nearest<long long>(x, -9223372036854775807ll - 1, 9223372036854775807ll, -9223372036854775807ll - 1)
#define GRIDLOCK_TO_ULL(x) gridlock_nearest<unsigned long long>(x, 0, 18446744073709551615ull, 9223372036854775808ull)
// An integer as a number that rounds, to few bits, as the integer does: of more than 53 bits the last say only whether
// any is set.
__host__ __device__ inline double gridlock_sticky(unsigned long long x) {
  return (double)(x >> 53 ? (x | (x & 2047 ? 2048ull : 0ull)) & ~2047ull : x);
}
__host__ __device__ inline double gridlock_sticky(long long x) {
  return x < 0 ? -gridlock_sticky(0ull - (unsigned long long)x) : gridlock_sticky((unsigned long long)x);
}
// Bits of the number nearest to `x`: without a sign, of a format whose significands have `digits` bits and whose least
// normal number is 2 to the power of `least`. Too large a number goes on behind the largest one.
__host__ __device__ inline int gridlock_rounded(double size, int digits, int least) {
  int power;
  frexp(size, &power);
  return size < ldexp(1.0, least) ? (int)rint(ldexp(size, digits - 1 - least))
                                  : ((power - least - 1) << (digits - 1)) + (int)rint(ldexp(size, digits - power));
}
__host__ __device__ inline unsigned int gridlock_masks(bool low, bool high) { return (low ? 0xffffu : 0u) + (high ? 0xffff0000u : 0u); }
