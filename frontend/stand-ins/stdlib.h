#pragma once
#include <gridlock_libc.h>
#include <stddef.h>
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define RAND_MAX 2147483647
#ifdef __cplusplus
namespace std {
using ::abort;
using ::atof;
using ::atoi;
using ::exit;
using ::free;
using ::malloc;
using ::memcmp;
using ::memcpy;
using ::memmove;
using ::memset;
using ::rand;
using ::srand;
using ::strcmp;
using ::strlen;
}
#endif
