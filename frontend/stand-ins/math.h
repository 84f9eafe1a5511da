#pragma once
#include <gridlock_libc.h>
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define HUGE_VALF (__builtin_huge_valf())
#define M_PI 3.14159265358979323846
