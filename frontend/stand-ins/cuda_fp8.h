// Numbers of 8 bits: 4 of exponent and 3 of fraction, without infinities, or 5 and 2; and 8 of exponent alone.
#pragma once
#include <cuda_bf16.h>
#ifndef GRIDLOCK_WITHOUT_EIGHT
#include <gridlock_fp8.h>
#endif
