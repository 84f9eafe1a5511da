// Numbers of 16 bits as integers: what is out of range becomes the nearest in range, and what is no number `none`.
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
