// Numbers of 16 bits that are the upper half of a `float`: 8 of exponent, 7 of fraction.
#pragma once
#include <cuda_fp16.h>
#ifndef GRIDLOCK_WITHOUT_BFLOAT
#include <gridlock_bf16.h>
#endif
